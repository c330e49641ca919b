// The conversations that are kept: listed, found by words, renamed, deleted.
import { fault, find, get, hear, icon, kept, listed, make, narrow, on, patch, put, remove, say, settled, tell } from "/tools.js";

let chosen = null;

function rename(each, item) {
  const input = make("input", { value: each.title, maxlength: 200, "aria-label": "Title" });
  item.replaceChildren(input);
  input.focus();
  input.select();
  input.addEventListener("blur", async () => {
    if (input.value.trim()) await patch(`/api/conversations/${each.conversation}`, { title: input.value }).catch(fault);
    await fill(each);
    tell("renamed", each.conversation);
  }, { once: true });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { event.stopPropagation(); input.value = each.title; }
    if (["Enter", "Escape"].includes(event.key)) input.blur();
  });
}

function forget(each, item) {
  const really = make("button.danger", { click: async () => {
    await remove(`/api/conversations/${each.conversation}`);
    tell("forgotten", each.conversation);
    await fill(each);
    find("kept-words").focus();
  } }, "Delete for good");
  item.replaceChildren(make("p", each.title), make("div.bar", really, make("button", { click: () => fill(each) }, "Keep")));
  really.focus();
}

function go(key) {
  tell("converse", key);
  if (narrow()) list.show(false);
}

function entry(each) {
  const reports = listed(", ", each.reports.map(({ asked, id }) => asked && id));
  const isThis = each.conversation === chosen && "true";
  const item = make("li", { class: isThis && "current" },
    make("button.link", { "data-key": each.conversation, "aria-current": isThis, click: () => go(each.conversation) },
      make("span.title", each.title), make("span.muted", listed(" · ", new Date(each.changed).toLocaleDateString(undefined, { dateStyle: "medium" }), each.turns === 1 ? "1 question" : `${each.turns} questions`, reports))),
    make("span.acts",
      icon("✎", `Rename ${each.title}`, () => rename(each, item)), icon("✕", `Delete ${each.title}`, () => forget(each, item))));
  return item;
}

// at: the conversation that is gone back to. A list leaves what is renamed or deleted, and waits for a click.
async function fill(at) {
  if (find("kept").hidden) return;
  const words = find("kept-words").value;
  const { count, conversations } = await get(`/api/conversations?most=200&words=${encodeURIComponent(words.slice(0, 200))}`);
  const ol = find("kept-list"), more = count - conversations.length;
  while (ol.matches(":active")) await new Promise(requestAnimationFrame);
  if (!at && ol.querySelector("input, .danger")) return;
  put("kept-list", conversations.map(entry), more > 0 && make("li.muted", `and ${more} more: search for them`));
  find("kept-none").hidden = conversations.length > 0;
  if (document.activeElement === document.body) ol.querySelector(`[data-key="${at?.conversation}"]`)?.focus();
  say("kept-none", words.trim() ? "No conversation has these words." : "What you ask is kept here.");
}

export const list = {
  show(on) {
    if (!on && find("kept").contains(document.activeElement)) find("list").focus();
    find("kept").hidden = !on;
    find("list").setAttribute("aria-expanded", on);
    document.body.classList.toggle("with-list", on);
    if (!narrow()) kept.set("list", on ? "open" : "");
    if (on) fill();
  },
};

hear("conversation", (key) => { chosen = key; fill(); });
on("list", "click", () => { list.show(find("kept").hidden); find("kept-words").focus(); });
on("list-close", "click", () => list.show(false));
on("anew", "click", () => go(null));
settled("kept-words", () => fill());
