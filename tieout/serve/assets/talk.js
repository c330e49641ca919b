"use strict";
// The right side: the conversation. It has an address, is kept by the server, and goes on where it was left.
import { find, get, hear, kept, make, on, patch, post, posted, say, tell, fault } from "/tools.js";
import { card, lightFirst } from "/answer.js";
import { source } from "/source.js";

let reports = []; // keys of those that are asked
let missing = []; // those of the conversation that are not open
let offered = [];
let dataThere = false;
let conversation = null;
let looked = null;
let busy = null;
let begun = false; // the conversation of the address is there
let recalled = 0;
const turns = [];

const draftOf = () => `draft-${conversation ?? "new"}`;
let aliases = {}; // of the conversation: the report behind what stands in front of a name

const nameOf = (key) => { const held = offered.find((each) => each.key === key); return held ? (held.company ? `${held.company}${held.ended ? ` ${held.ended.slice(0, 4)}` : ""}` : held.id) : key; };

function ready() {
  const there = begun && (reports.length > 0 || dataThere);
  find("question").disabled = !there;
  find("send").disabled = !(there && busy === null);
  find("undo").disabled = busy !== null || !turns.length;
  find("anew").disabled = busy !== null;
  find("stop").hidden = busy === null;
  find("exports").hidden = !turns.length;
  if (conversation) for (const form of ["html", "xlsx", "md", "json"]) find(`as-${form}`).href = `/api/conversations/${conversation}/export?form=${form}`;
}

function chips() {
  find("about").hidden = offered.length < 2 && !missing.length;
  find("about").replaceChildren(
    ...reports.map((key) => make("span", { class: "chip", title: nameOf(key) }, make("span", {}, nameOf(key)),
      reports.length > 1 || dataThere ? make("button", { class: "quiet icon", title: "Take out", click: () => about(reports.filter((each) => each !== key)) }, make("span", { "aria-hidden": "true" }, "✕"), make("span", { class: "unseen" }, `Take out ${nameOf(key)}`)) : null)),
    ...missing.map((id) => make("span", { class: "chip gone", title: "Open its file to ask on" }, `${id} is not open`)),
    make("button", { id: "add", class: "quiet", click: choose }, "+ Report"));
}

// Which reports are asked from now on; what was answered stays.
async function about(keys) {
  if (busy !== null || (!keys.length && !dataThere)) return;
  try {
    if (conversation) take(await patch(`/api/conversations/${conversation}`, { reports: keys }));
    else { reports = keys; missing = []; }
  } catch (error) { fault(error); }
  chips();
  ready();
}

function take(told) {
  reports = told.reports.filter((each) => each.asked && each.key).map((each) => each.key);
  missing = told.reports.filter((each) => each.asked && !each.key).map((each) => each.id);
  aliases = told.aliases;
  say("title", told.title || "New conversation");
  document.title = told.title ? `${told.title} · tieout` : "tieout";
}

function choose() {
  find("adding-words").value = "";
  fillAdding();
  find("adding").showModal();
  find("adding-words").focus();
}

function fillAdding() {
  const words = find("adding-words").value.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = offered.filter((each) => words.every((word) => `${each.company} ${each.form} ${each.ended} ${each.id}`.toLowerCase().includes(word)));
  find("adding-list").replaceChildren(...hits.slice(0, 100).map((each) => {
    const box = make("input", { type: "checkbox", checked: reports.includes(each.key) });
    box.addEventListener("change", () => about(box.checked ? [...reports, each.key] : reports.filter((key) => key !== each.key)).then(fillAdding));
    return make("li", {}, make("label", {}, box, make("span", {}, nameOf(each.key), " ", make("span", { class: "muted" }, [each.form, each.ended, each.company ? each.id : ""].filter(Boolean).join(" · ")))));
  }));
}

function add(turn) {
  turns.push(turn);
  const item = card(turn, ask);
  find("turns").append(item);
  return item;
}

const WORDS = { asked: () => "Reading the question …", understood: (step) => `Understood: ${step.text}`, model: (step) => `Backend, ${step.text} …`, call: (step) => `${step.text} ${JSON.stringify(step.input)}` };

function step(kind, value) {
  if (kind === "step") say("working", WORDS[value.kind]?.(value) ?? "");
  else if (kind === "said") find("working").append(value.text);
  else if (kind === "answer") { const item = add(value); lightFirst(value); item.scrollIntoView({ block: "start" }); }
  else if (kind === "failed") throw new Error(value.error);
}

async function listen(reply) {
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) {
      const [kind, data] = event.split("\n");
      step(kind.slice("event: ".length), JSON.parse(data.slice("data: ".length)));
    }
  }
}

async function ask(question, meant = "") {
  if (busy !== null || (!reports.length && !dataThere) || !question.trim()) return;
  busy = new AbortController();
  ready();
  say("working", "…");
  const draft = draftOf();
  let left = question;
  try {
    if (!conversation) { const told = await post("/api/conversations", { reports }); aliases = told.aliases; at(told.conversation); }
    const reply = await posted(`/api/conversations/${conversation}/ask`, { question, meant }, { signal: busy.signal, headers: { accept: "text/event-stream" } });
    await listen(reply);
    left = "";
    say("working", "");
    if (turns.length === 1) { say("title", question); document.title = `${question} · tieout`; }
    tell("conversation", conversation);
  } catch (error) {
    say("working", error.name === "AbortError" ? "Stopped." : error.message);
  }
  busy = null;
  recalled = 0;
  kept.set(draft, "");
  ready();
  find("question").value = left;
  kept.set(draftOf(), left);
  grow();
  find("question").focus();
}

function at(key, replace) {
  conversation = key;
  const address = key ? `/?c=${key}` : "/";
  if (replace) history.replaceState({ key }, "", address);
  else if (new URLSearchParams(location.search).get("c") !== key) history.pushState({ key }, "", address);
  tell("conversation", key);
}

function empty() {
  turns.length = 0;
  find("turns").replaceChildren();
  source.mark({});
  find("understood").hidden = true;
  say("working", "");
}

// Goes to a conversation that is kept, or to a new one where there is no key.
async function converse(key, replace) {
  if (busy !== null) return;
  empty();
  if (key) {
    try {
      const told = await get(`/api/conversations/${key}`);
      at(key, replace);
      take(told);
      for (const turn of told.turns) add(turn);
      if (turns.length) { lightFirst(turns.at(-1)); find("turns").lastElementChild.scrollIntoView({ block: "start" }); }
    } catch (error) { say("working", error.message); key = null; }
  }
  if (!key) {
    at(null, replace);
    missing = [];
    reports = looked ? [looked] : offered.slice(0, 1).map((each) => each.key);
    say("title", "New conversation");
    document.title = "tieout";
  }
  find("question").value = kept.get(draftOf()) ?? "";
  grow();
  chips();
  ready();
}

async function undo() {
  try {
    await post(`/api/conversations/${conversation}/undo`);
    turns.pop();
    find("turns").lastElementChild?.remove();
    source.mark(turns.at(-1)?.marks ?? {});
    tell("conversation", conversation);
  } catch (error) {
    say("working", error.message);
  }
  ready();
}

async function share() {
  try {
    const { path } = await post(`/api/conversations/${conversation}/share`, { on: true });
    const address = new URL(path, location).href;
    await navigator.clipboard?.writeText(address).catch(() => {});
    const link = make("a", { href: path, target: "_blank", rel: "noopener" }, address);
    const stop = make("button", { click: async () => { await post(`/api/conversations/${conversation}/share`, { on: false }).catch(fault); say("working", "The link shows it no longer."); } }, "Stop sharing");
    find("working").replaceChildren("Whoever has this link can read the conversation: ", link, " ", stop);
  } catch (error) { fault(error); }
}

function house({ terms, recipes, data }) {
  dataThere = data.length > 0;
  find("house").hidden = !terms.length && !recipes.length && !dataThere;
  const said = (term) => [term.meaning, term.calculation && `calculated as ${term.calculation}`].filter(Boolean).join("; ");
  const write = (text) => { find("question").value = text; find("question").focus(); };
  find("known").replaceChildren(
    ...(dataThere ? [make("h3", {}, "Data"), make("p", { class: "muted" }, data.join(", "))] : []),
    ...(terms.length ? [make("h3", {}, "Terms"), make("dl", {}, ...terms.flatMap((term) => [make("dt", {}, [term.label, ...term.others].join(", ")), make("dd", {}, said(term))]))] : []),
    ...recipes.flatMap((recipe) => [make("h3", {}, recipe.heading), recipe.description ? make("p", { class: "muted" }, recipe.description) : null,
      make("ul", { class: "readings" }, ...recipe.questions.map((text) => make("li", {}, make("button", { click: () => write(text) }, text))))].filter(Boolean)));
  ready();
}

export const talk = {
  // The last question, answered by the figure that is meant; null where that cannot be.
  meant(report, name, label) {
    const alias = Object.keys(aliases).find((each) => aliases[each] === report);
    const last = turns.at(-1);
    if (alias === undefined || !last || !reports.includes(report)) return null;
    return () => ask(`${last.question.replace(/ \(I mean .*\)$/, "")} (I mean ${label})`, alias ? `${alias}:${name}` : name);
  },
  // Another report is looked at: a conversation that was asked something stays as it is.
  lookedAt(keys) { [looked] = keys; if (!turns.length && !conversation) { reports = keys.slice(0, 50); missing = []; chips(); ready(); } },
  offer(all) { offered = all; reports = reports.filter((key) => all.some((each) => each.key === key)); chips(); ready(); },
  async begin() {
    await converse(new URLSearchParams(location.search).get("c"), true);
    begun = true;
    ready();
  },
  house,
};

function grow() {
  const box = find("question");
  box.style.height = "auto";
  box.style.height = `${Math.min(box.scrollHeight, innerHeight / 3)}px`;
}

hear("converse", (key) => converse(key));
hear("forgotten", (key) => { kept.set(`draft-${key}`, ""); if (key === conversation) converse(null, true); });
hear("renamed", (key) => { if (key === conversation) get(`/api/conversations/${key}`).then(take).catch(() => {}); });
addEventListener("popstate", () => converse(new URLSearchParams(location.search).get("c"), true));
on("ask", "submit", (event) => { event.preventDefault(); ask(find("question").value); });
on("question", "input", () => { recalled = 0; grow(); kept.set(draftOf(), find("question").value); });
on("question", "keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); ask(find("question").value); }
  const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key];
  if (steps && (recalled > 0 || !find("question").value)) {
    event.preventDefault();
    recalled = Math.min(Math.max(recalled + steps, 0), turns.length);
    find("question").value = recalled ? turns[turns.length - recalled].question : "";
    grow();
  }
});
on("stop", "click", () => {
  if (conversation) post(`/api/conversations/${conversation}/stop`).catch(() => {});
  busy?.abort();
});
on("undo", "click", undo);
on("share", "click", share);
on("adding-close", "click", () => find("adding").close());
on("adding-words", "input", fillAdding);
