"use strict";
// The right side: the conversation. An answer with what it rests on; a question back; stop, undo, begin anew.
import { find, make, post, posted, say } from "/tools.js";
import { source } from "/source.js";

let reports = []; // keys of those that the conversation is about
let offered = [];
let dataThere = false;
let conversation = null;
let busy = null;
const turns = [];

function ready() {
  const there = reports.length > 0 || dataThere;
  const can = there && busy === null;
  find("question").disabled = !there;
  find("send").disabled = !can;
  find("undo").disabled = busy !== null || !turns.length;
  find("anew").disabled = busy !== null || !turns.length;
  find("stop").hidden = busy === null;
  find("exports").hidden = !turns.length;
  if (conversation) for (const form of ["html", "xlsx", "md"]) find(`as-${form}`).href = `/api/conversations/${conversation}/export?form=${form}`;
}

function chips() {
  find("about").hidden = offered.length < 2;
  find("about").replaceChildren(...offered.map(({ key, name }) => make("button", { type: "button", title: name,
    "aria-pressed": String(reports.includes(key)), click: () => toggle(key) }, name)));
}

function toggle(key) {
  if (busy !== null) return;
  const others = reports.filter((each) => each !== key);
  if (!others.length && reports.includes(key) && !dataThere) return; // the last one stays
  reports = reports.includes(key) ? others : [...reports, key];
  empty();
  chips();
}

function goTo(turn, at) {
  source.mark(turn.marks);
  source.goTo(at).catch((error) => say("working", error.message));
}

function linked(turn, text, place) {
  const at = place === undefined ? null : turn.marks[turn.nodes[place].fact];
  return at ? make("button", { type: "button", class: "figure", title: "Show the cell", click: () => goTo(turn, at) }, text) : text;
}

function tree(turn, place, seen) {
  const node = turn.nodes[place];
  const again = seen.has(place) && node.from.length > 0;
  seen.add(place);
  const at = node.fact ? turn.marks[node.fact] : null;
  const value = at ? make("button", { type: "button", class: "figure", click: () => goTo(turn, at) }, node.shown) : make("b", {}, node.shown);
  const how = [node.kind === "fact" ? node.about : "", node.how + (again ? ", as above" : "")].filter(Boolean).join(": ");
  const item = make("li", { class: node.kind === "ungrounded" ? "ungrounded" : null }, value, " ", make("span", { class: "muted" }, how));
  if (node.from.length && !again) item.append(make("ul", {}, ...node.from.map((child) => tree(turn, child, seen))));
  return item;
}

function certainty(turn) {
  const sure = turn.probability;
  const shown = [];
  if (sure !== null) shown.push(make("span", { class: sure < 0.8 ? "less" : null }, `probability of being right ${Math.round(100 * sure)}%`));
  if (!turn.flags.length) shown.push(make("span", {}, "no check found anything odd"));
  return make("p", { class: "sure" }, ...shown);
}

function notes({ terms, recipes, unknown }) {
  const parts = [terms.length ? `terms: ${terms.join(", ")}` : "", recipes.length ? `recipes: ${recipes.join(", ")}` : "",
    unknown.length ? `nothing here explains: ${unknown.join(", ")}` : ""].filter(Boolean);
  return parts.length ? make("p", { class: "notes" }, parts.join(" · ")) : null;
}

function replied(turn) {
  const flags = turn.flags.length ? make("ul", { class: "flags", "aria-label": "What is odd" }, ...turn.flags.map((flag) => make("li", {}, `${flag.rule}: ${flag.message}`))) : null;
  const asked = turn.clarification;
  if (asked) {
    return [make("p", { class: "answer long" }, asked.question), make("ul", { class: "readings" },
      ...asked.options.map((option) => make("li", {}, make("button", { type: "button", click: () => ask(`${turn.question} (${option})`) }, option)))), notes(turn.notes)];
  }
  if (turn.answer === null) return [make("p", { class: "failed" }, `No answer (${turn.outcome}): ${turn.reasoning_visible_to_user}`), notes(turn.notes)];
  const seen = new Set();
  const only = turn.roots.length === 1 ? turn.roots[0] : undefined;
  return [
    make("p", { class: turn.answer.length > 60 ? "answer long" : "answer" }, linked(turn, turn.answer, only)), certainty(turn), flags, notes(turn.notes),
    ...turn.pictures.map((path) => make("img", { class: "picture", src: path, alt: `Picture drawn for: ${turn.question}` })),
    turn.roots.length ? make("ul", { class: "tree", "aria-label": "What the answer rests on" }, ...turn.roots.map((root) => tree(turn, root, seen))) : null,
    turn.queries.length ? make("details", {}, make("summary", {}, "SPARQL"), ...turn.queries.map((text) => make("pre", {}, text))) : null,
  ];
}

const card = (turn) => make("li", {}, make("p", { class: "asked" }, turn.question), make("div", { class: "reply" }, ...replied(turn)));

function add(turn) {
  turns.push(turn);
  const item = card(turn);
  find("turns").append(item);
  source.mark(turn.marks);
  const first = Object.values(turn.marks)[0];
  if (first) source.goTo(first, true).catch(() => {});
  item.scrollIntoView({ block: "start" });
}

const WORDS = { asked: () => "Reading the question …", understood: (step) => `Understood: ${step.text}`, model: (step) => `Backend, ${step.text} …`, call: (step) => `${step.text} ${JSON.stringify(step.input)}` };

function hear(kind, value) {
  if (kind === "step") say("working", WORDS[value.kind]?.(value) ?? "");
  else if (kind === "said") find("working").append(value.text);
  else if (kind === "answer") add(value);
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
      hear(kind.slice("event: ".length), JSON.parse(data.slice("data: ".length)));
    }
  }
}

async function ask(question) {
  if (busy !== null || (!reports.length && !dataThere) || !question.trim()) return;
  busy = new AbortController();
  ready();
  say("working", "…");
  let left = question;
  try {
    conversation ??= (await post("/api/conversations", { reports })).conversation;
    const reply = await posted(`/api/conversations/${conversation}/ask`, { question }, { signal: busy.signal, headers: { accept: "text/event-stream" } });
    await listen(reply);
    left = "";
    say("working", "");
  } catch (error) {
    say("working", error.name === "AbortError" ? "Stopped." : error.message);
  }
  busy = null;
  ready();
  find("question").value = left;
  find("question").focus();
}

function empty() {
  conversation = null;
  turns.length = 0;
  find("turns").replaceChildren();
  source.mark({});
  say("working", "");
  ready();
}

async function undo() {
  try {
    await post(`/api/conversations/${conversation}/undo`);
    turns.pop();
    find("turns").lastElementChild?.remove();
    source.mark(turns.at(-1)?.marks ?? {});
  } catch (error) {
    say("working", error.message);
  }
  ready();
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
      make("ul", { class: "readings" }, ...recipe.questions.map((text) => make("li", {}, make("button", { type: "button", click: () => write(text) }, text))))].filter(Boolean)));
  ready();
}

export const talk = {
  about(keys) { reports = keys; empty(); chips(); },
  offer(all) { offered = all; chips(); },
  house,
};

find("ask").addEventListener("submit", (event) => { event.preventDefault(); ask(find("question").value); });
find("question").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); ask(find("question").value); }
});
find("stop").addEventListener("click", () => {
  if (conversation) post(`/api/conversations/${conversation}/stop`).catch(() => {});
  busy?.abort();
});
find("undo").addEventListener("click", undo);
find("anew").addEventListener("click", empty);
