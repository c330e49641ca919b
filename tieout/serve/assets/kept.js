"use strict";
// The conversations that are kept: listed, found by words, renamed, deleted.
import { find, get, hear, kept, make, narrow, on, patch, remove, say, tell, fault } from "/tools.js";

let chosen = null;
let shownNow = false;

const day = (iso) => (iso ? new Date(iso).toLocaleDateString(undefined, { day: "numeric", month: "short", year: "numeric" }) : "");

async function rename(each, item) {
  const input = make("input", { value: each.title, maxlength: 200, "aria-label": "Title" });
  item.replaceChildren(input);
  input.focus();
  input.select();
  let over = false;
  const end = async (keep) => {
    if (over) return;
    over = true;
    if (keep && input.value.trim()) await patch(`/api/conversations/${each.conversation}`, { title: input.value }).catch(fault);
    await fill();
    tell("renamed", each.conversation);
  };
  input.addEventListener("keydown", (event) => { if (event.key === "Enter") end(true); if (event.key === "Escape") { event.stopPropagation(); end(false); } });
  input.addEventListener("blur", () => end(true));
}

function forget(each, item) {
  const really = make("button", { class: "danger", click: async () => {
    await remove(`/api/conversations/${each.conversation}`).catch(fault);
    tell("forgotten", each.conversation);
    await fill();
  } }, "Delete for good");
  item.replaceChildren(make("p", {}, each.title), make("div", { class: "bar" }, really, make("button", { click: fill }, "Keep")));
  really.focus();
}

function entry(each) {
  const reports = each.reports.filter((report) => report.asked).map((report) => report.id).join(", ");
  const item = make("li", { class: each.conversation === chosen ? "current" : null });
  item.append(
    make("button", { class: "link", "aria-current": each.conversation === chosen ? "true" : null, click: () => { tell("converse", each.conversation); if (narrow()) list.show(false); } },
      make("span", { class: "title" }, each.title), make("span", { class: "muted" }, [day(each.changed), each.turns === 1 ? "1 question" : `${each.turns} questions`, reports].filter(Boolean).join(" · "))),
    make("span", { class: "acts" },
      make("button", { class: "quiet icon", title: "Rename", click: () => rename(each, item) }, make("span", { "aria-hidden": "true" }, "✎"), make("span", { class: "unseen" }, `Rename ${each.title}`)),
      make("button", { class: "quiet icon", title: "Delete", click: () => forget(each, item) }, make("span", { "aria-hidden": "true" }, "✕"), make("span", { class: "unseen" }, `Delete ${each.title}`))));
  return item;
}

async function fill() {
  if (!shownNow) return;
  const words = find("kept-words").value;
  const { count, conversations } = await get(`/api/conversations?most=200&words=${encodeURIComponent(words.slice(0, 200))}`);
  find("kept-list").replaceChildren(...conversations.map(entry));
  find("kept-none").hidden = conversations.length > 0;
  say("kept-none", words.trim() ? "No conversation has these words." : "What you ask is kept here.");
  if (count > conversations.length) find("kept-list").append(make("li", { class: "muted" }, `and ${count - conversations.length} more: search for them`));
}

export const list = {
  show(on) {
    shownNow = on;
    find("kept").hidden = !on;
    find("list").setAttribute("aria-expanded", String(on));
    document.body.classList.toggle("with-list", on);
    if (!narrow()) kept.set("list", on ? "open" : "");
    if (on) fill().catch(fault);
  },
};

hear("conversation", (key) => { chosen = key; fill().catch(() => {}); });
on("list", "click", () => { list.show(!shownNow); if (shownNow) find("kept-words").focus(); });
on("list-close", "click", () => { list.show(false); find("list").focus(); });
on("anew", "click", () => { tell("converse", null); if (narrow()) list.show(false); });
let waiting = 0;
on("kept-words", "input", () => { clearTimeout(waiting); waiting = setTimeout(() => fill().catch(fault), 200); });
