"use strict";
// The right side: the conversation. An answer with what it rests on; a question back; stop, undo, begin anew.
import { find, make, post, posted, say } from "/tools.js";
import { source } from "/source.js";

let report = null;
let conversation = null;
let busy = null;
const turns = [];

function ready() {
  const can = report !== null && busy === null;
  find("question").disabled = report === null;
  find("send").disabled = !can;
  find("undo").disabled = busy !== null || !turns.length;
  find("anew").disabled = busy !== null || !turns.length;
  find("stop").hidden = busy === null;
  find("exports").hidden = !turns.length;
  if (conversation) for (const form of ["html", "xlsx", "md"]) find(`as-${form}`).href = `/api/conversations/${conversation}/export?form=${form}`;
}

function tree(turn, place, seen) {
  const node = turn.nodes[place];
  const again = seen.has(place) && node.from.length > 0;
  seen.add(place);
  const at = node.fact ? turn.marks[node.fact] : null;
  const value = at ? make("button", { type: "button", class: "figure", click: () => { source.mark(turn.marks); source.goTo(at); } }, node.shown) : make("b", {}, node.shown);
  const how = [node.kind === "fact" ? node.about : "", node.how + (again ? ", as above" : "")].filter(Boolean).join(": ");
  const item = make("li", { class: node.kind === "ungrounded" ? "ungrounded" : null }, value, " ", make("span", { class: "muted" }, how));
  if (node.from.length && !again) item.append(make("ul", {}, ...node.from.map((child) => tree(turn, child, seen))));
  return item;
}

function tops(nodes) { // what nothing else is made from: the answer, or all that a list or prose rests on
  const below = new Set(nodes.flatMap((node) => node.from));
  return [...nodes.keys()].filter((place) => !below.has(place));
}

function certainty(turn) {
  const sure = turn.probability === null ? "" : `probability of being right ${Math.round(100 * turn.probability)}%; `;
  return sure + (turn.flags.length ? `${turn.flags.length} odd` : "no check found anything odd");
}

function card(turn) {
  const item = make("li", {}, make("p", { class: "asked" }, turn.question));
  if (turn.clarification) {
    item.append(make("p", { class: "answer" }, turn.clarification.question), make("ul", { class: "readings" },
      ...turn.clarification.options.map((option) => make("li", {}, make("button", { type: "button", click: () => ask(`${turn.question} (${option})`) }, option)))));
  } else if (turn.answer === null) {
    item.append(make("p", { class: "failed" }, `No answer (${turn.outcome}): ${turn.reasoning_visible_to_user}`));
  } else {
    item.append(make("p", { class: "answer" }, turn.answer), make("p", { class: "sure" }, certainty(turn)));
    if (turn.flags.length) item.append(make("ul", { class: "flags", "aria-label": "What is odd" }, ...turn.flags.map((flag) => make("li", {}, `${flag.rule}: ${flag.message}`))));
    item.append(make("ul", { class: "tree", "aria-label": "What the answer rests on" }, ...tops(turn.nodes).map((place) => tree(turn, place, new Set()))));
    if (turn.queries.length) item.append(make("details", {}, make("summary", {}, "SPARQL"), ...turn.queries.map((text) => make("pre", {}, text))));
  }
  return item;
}

function add(turn) {
  turns.push(turn);
  const item = card(turn);
  find("turns").append(item);
  source.mark(turn.marks);
  const first = Object.values(turn.marks)[0];
  if (first && !matchMedia("(max-width: 800px)").matches) source.goTo(first).then(() => find("question").focus());
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
  if (busy !== null || report === null || !question.trim()) return;
  busy = new AbortController();
  ready();
  say("working", "…");
  let left = question;
  try {
    conversation ??= (await post("/api/conversations", { reports: [report] })).conversation;
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

export const talk = { about(key) { report = key; empty(); } };

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
