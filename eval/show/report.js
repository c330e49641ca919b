"use strict";
// Everything shown comes from JSON in this page and goes into it as text, never as markup: reports are written by strangers.
const read = (id) => JSON.parse(document.getElementById(id).textContent);
const index = read("index");
const pages = new Map();
const page = (number) => pages.get(number) ?? pages.set(number, read("conversation-" + number)).get(number);
const find = (id) => document.getElementById(id);

function make(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

// ---- the list and its filter

const RESULTS = { all: "all", right: "right", wrong: "wrong", none: "no answer", suspect: "gold suspect", ungrounded: "ungrounded" };
if (index.against) Object.assign(RESULTS, { gained: "only this run is right", lost: "only the other is right" });
const ORDERS = { run: "as run", slow: "slowest first", dear: "most expensive first", unsure: "least confident first" };
const form = find("filter");
const list = find("list");
let shown = [];

function options(select, choices) {
  select.replaceChildren(...Object.entries(choices).map(([value, text]) => make("option", { value }, text)));
}

function choices(names, first) {
  return Object.fromEntries([["", first], ...names.map((name) => [name, name])]);
}

// Keys that look like whole numbers would come before all others, so the choices of a dimension are d0, d1, ...
const place = (dimension) => Number(dimension.slice(1));

function passes(turn, wanted) {
  const { text, result, why, dimension, slice, slower } = wanted;
  if (text && !(turn.question + " " + turn.answer + " " + turn.gold + " " + turn.id).toLowerCase().includes(text)) return false;
  if (why && turn.why !== why) return false;
  if (dimension && slice && turn.slices[place(dimension)] !== slice) return false;
  if (slower && turn.ms <= slower) return false;
  switch (result) {
    case "right": return turn.right === true;
    case "wrong": return turn.right === false;
    case "none": return turn.outcome !== "answer";
    case "suspect": return Boolean(turn.suspect);
    case "ungrounded": return turn.ungrounded > 0;
    case "gained": return turn.right === true && turn.other === false;
    case "lost": return turn.right === false && turn.other === true;
    default: return true;
  }
}

function sorted(turns, order) {
  const by = { slow: (turn) => -turn.ms, dear: (turn) => -turn.usd, unsure: (turn) => turn.probability ?? (turn.checkScore ?? 200) / 100 }[order];
  return by ? [...turns].sort((one, other) => by(one) - by(other)) : turns;
}

function badge(turn) {
  if (turn.outcome !== "answer") return make("span", { class: "badge none" }, turn.outcome);
  if (turn.right === null) return make("span", { class: "badge" }, "answered");
  return make("span", { class: "badge " + (turn.right ? "right" : "wrong") }, turn.right ? "right" : "wrong");
}

function row(turn) {
  const where = make("span", { class: "id" }, `${turn.id}, turn ${turn.turn + 1}${turn.why ? ", " + turn.why : ""}`);
  return make("li", {}, make("a", { href: "#turn-" + turn.number },
    make("span", {}, badge(turn)),
    make("span", { class: "q" }, turn.question, where),
    make("span", { class: "a" }, make("small", {}, "answer"), turn.answer || "none"),
    make("span", { class: "g" }, make("small", {}, "gold"), turn.gold || "none"),
    make("span", { class: "ms" }, turn.ms < 1000 ? `${turn.ms.toFixed(turn.ms < 10 ? 1 : 0)} ms` : `${(turn.ms / 1000).toFixed(1)} s`)));
}

function refresh() {
  const values = Object.fromEntries(new FormData(form));
  const wanted = { ...values, slice: values.slice ?? "", text: values.text.trim().toLowerCase(), slower: Number(values.slower) };
  shown = sorted(index.turns.filter((turn) => passes(turn, wanted)), values.order);
  list.replaceChildren(...shown.map(row));
  const right = shown.filter((turn) => turn.right === true).length;
  const labelled = shown.filter((turn) => turn.right !== null).length;
  const rate = labelled ? `, ${right} of ${labelled} right (${(100 * right / labelled).toFixed(1)}%, rule ${index.rule})` : "";
  find("count").textContent = `${shown.length} of ${index.turns.length} turns${rate}`;
}

function chooseDimension() {
  const chosen = form.elements.dimension.value;
  const names = chosen ? [...new Set(index.turns.map((turn) => turn.slices[place(chosen)]))].sort() : [];
  options(form.elements.slice, choices(names, "any"));
  form.elements.slice.disabled = !chosen;
}

function clear(why = "") {
  form.reset();
  form.elements.why.value = why;
  chooseDimension();
  refresh();
}

function setUp() {
  options(form.elements.result, RESULTS);
  options(form.elements.why, choices(index.reasons, "any"));
  options(form.elements.dimension, { "": "any", ...Object.fromEntries(index.dimensions.map((name, number) => ["d" + number, name])) });
  options(form.elements.order, ORDERS);
  chooseDimension();
  form.addEventListener("input", (event) => {
    if (event.target.name === "dimension") chooseDimension();
    refresh();
  });
  find("clear").addEventListener("click", () => clear());
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const button of document.querySelectorAll("[data-why]")) {
    button.addEventListener("click", () => {
      clear(button.dataset.why);
      find("turns").scrollIntoView();
    });
  }
  refresh();
}

// ---- one turn

const dialog = find("turn");
let open = null;

function tree(nodes, place, seen, light) {
  const node = nodes[place];
  const again = seen.has(place) && node.from.length > 0;
  seen.add(place);
  const item = make("li", { class: node.kind === "ungrounded" ? "ungrounded" : null, "data-fact": node.fact, tabindex: node.fact ? 0 : null },
    make("b", {}, node.shown), " ", make("span", { class: "how" }, node.how + (again ? ", as above" : "")));
  if (node.about && node.kind === "fact") item.append(make("span", { class: "how" }, ": " + node.about));
  if (node.fact) for (const [event, on] of [["mouseenter", true], ["focus", true], ["mouseleave", false], ["blur", false]]) {
    item.addEventListener(event, () => light(node.fact, on));
  }
  if (node.from.length && !again) item.append(make("ul", {}, ...node.from.map((child) => tree(nodes, child, seen, light))));
  return item;
}

function tops(nodes) { // what nothing else is made from: the answer, or all that a list or prose rests on
  const below = new Set(nodes.flatMap((node) => node.from));
  return [...nodes.keys()].filter((place) => !below.has(place));
}

function places(marks, golden) {
  const known = new Map();
  const add = (place, kind) => {
    const key = place.table !== undefined ? `c${place.table},${place.row},${place.column}` : `p${place.paragraph},${place.start},${place.end}`;
    const entry = known.get(key) ?? known.set(key, { ...place, facts: [], kinds: new Set() }).get(key);
    entry.facts.push(place.fact);
    entry.kinds.add(kind);
  };
  marks.forEach((place) => add(place, "lit"));
  golden.forEach((place) => add(place, "golden"));
  return known;
}

function table(rows, number, known) {
  return make("div", { class: "scroll" }, make("table", { class: "page" }, make("tbody", {}, ...rows.map((cells, r) =>
    make("tr", {}, ...cells.map((cell, c) => {
      const place = known.get(`c${number},${r},${c}`);
      return make("td", place ? { class: [...place.kinds].join(" "), "data-facts": place.facts.join(" ") } : {}, cell);
    }))))));
}

function paragraph(text, number, known) {
  const spans = [...known.values()].filter((place) => place.paragraph === number).sort((one, other) => one.start - other.start);
  const node = make("p", {});
  const points = Array.from(text);
  let at = 0;
  for (const place of spans) {
    if (place.start < at) continue;
    node.append(points.slice(at, place.start).join(""));
    node.append(make("mark", { class: [...place.kinds].join(" "), "data-facts": place.facts.join(" ") }, points.slice(place.start, place.end).join("")));
    at = place.end;
  }
  node.append(points.slice(at).join(""));
  return [node, spans.length > 0];
}

function source(conversation, known) {
  const paragraphs = conversation.paragraphs.map((text, number) => paragraph(text, number, known));
  const used = paragraphs.filter(([, marked]) => marked).map(([node]) => node);
  const rest = paragraphs.filter(([, marked]) => !marked).map(([node]) => node);
  return make("section", {}, make("h3", {}, "The page"),
    make("p", { class: "legend" }, make("span", { class: "lit" }, "used"), make("span", { class: "golden" }, "value of a gold operand")),
    ...conversation.tables.map((rows, number) => table(rows, number, known)),
    make("div", { class: "text" }, ...used),
    make("details", { class: "more text" }, make("summary", {}, `${used.length ? "The other" : "All"} ${rest.length} paragraphs`), ...rest));
}

function event(entry) {
  const time = entry.seconds === undefined ? "" : `${(1000 * entry.seconds).toFixed(1)} ms`;
  const head = (name, note) => make("div", { class: "head" }, make("b", {}, name), make("span", {}, note));
  switch (entry.kind) {
    case "model": return make("div", { class: "event" }, head("reply of " + entry.name, `${entry.tokens ? entry.tokens + " tokens, " : ""}${time}`),
      entry.text ? make("pre", {}, entry.text) : null);
    case "understood": return make("div", { class: "event" }, head("understood", ""), make("dl", { class: "facts" },
      ...Object.entries(entry.fields).flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)])));
    case "call": return make("div", { class: "event" + (entry.error ? " failed" : "") }, head(entry.name, time),
      make("pre", {}, entry.input), make("pre", {}, entry.output),
      entry.sparql.length ? make("details", { class: "more" }, make("summary", {}, `SPARQL (${entry.sparql.length})`),
        ...entry.sparql.map((query) => make("pre", {}, query))) : null);
    default: return make("div", { class: "event failed" }, head(entry.name, ""), make("pre", {}, entry.text));
  }
}

function answers(turn, detail) {
  const program = (text) => make("p", {}, make("code", {}, text || "no program"));
  const ours = make("div", { class: "card" }, make("p", { class: "small" }, "answer "), make("p", { class: "value" }, detail.text ?? "none"),
    detail.text === null ? make("p", {}, detail.message) : program(detail.program));
  const marks = Object.entries(turn.rules ?? {}).map(([rule, right]) => `${rule} ${right ? "right" : "wrong"}`).join(", ");
  if (marks) ours.append(make("p", { class: "small" }, marks));
  const said = [];
  if (turn.probability !== null) said.push(`probability ${(100 * turn.probability).toFixed(0)}%`);
  if (turn.checkScore !== null) said.push(`checks ${turn.checkScore} of 100`);
  if (said.length) ours.append(make("p", { class: "small" }, said.join(", ")));
  if (detail.flags.length) ours.append(make("ul", { class: "flags small" }, ...detail.flags.map((flag) => make("li", {}, flag))));
  const cards = [ours];
  if (detail.gold) {
    const printed = detail.gold.printed && detail.gold.printed !== detail.gold.answer ? ` (printed ${detail.gold.printed})` : "";
    cards.push(make("div", { class: "card" }, make("p", { class: "small" }, "gold"), make("p", { class: "value" }, detail.gold.answer + printed),
      program(detail.gold.program), turn.suspect ? make("p", { class: "small" }, "suspect: " + turn.suspect) : null,
      turn.why ? make("p", { class: "small" }, `${turn.why}: ${turn.detail}`) : null));
  }
  if (index.against && turn.otherAnswer !== undefined) {
    cards.push(make("div", { class: "card" }, make("p", { class: "small" }, "run " + index.against), make("p", { class: "value" }, turn.otherAnswer || "none"),
      make("p", { class: "small" }, turn.other ? "right" : "wrong")));
  }
  return make("div", { class: "pair" }, ...cards);
}

function draw(turn) {
  const conversation = page(turn.conversation);
  const detail = conversation.turns[turn.turn];
  const known = places(detail.used, detail.golden);
  const body = find("detail");
  const light = (fact, on) => {
    for (const node of body.querySelectorAll("[data-facts]")) {
      if (node.dataset.facts.split(" ").includes(fact)) node.classList.toggle("strong", on);
    }
  };
  const talk = conversation.turns.slice(0, turn.turn).map((earlier, number) =>
    make("li", {}, `${number + 1}. ${earlier.question} → ${earlier.text ?? "none"}`));
  const sheet = make("section", {}, make("h3", {}, "Tie-out"), detail.tree.length
    ? make("ul", { class: "tree" }, ...tops(detail.tree).map((place) => tree(detail.tree, place, new Set(), light)))
    : make("p", {}, detail.clarification ? "asked back: " + detail.clarification.question : detail.message));
  body.replaceChildren(
    make("ol", { class: "talk" }, ...talk),
    make("h2", { id: "turn-title" }, `${turn.turn + 1}. ${detail.question} `, badge(turn)),
    answers(turn, detail),
    make("div", { class: "sides" }, sheet, source(conversation, known)),
    make("h3", {}, "What happened"), ...detail.events.map(event));
  const place = shown.indexOf(turn);
  find("where").textContent = `${turn.id}, turn ${turn.turn + 1}${place >= 0 ? ` (${place + 1} of ${shown.length} shown)` : ""}`;
  find("previous").disabled = place <= 0;
  find("next").disabled = place < 0 || place === shown.length - 1;
}

function route() {
  const match = /^#turn-(\d+)$/.exec(location.hash);
  const turn = match ? index.turns[Number(match[1])] : undefined;
  if (!turn) {
    if (dialog.open) dialog.close();
    return;
  }
  open = turn;
  draw(turn);
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

function step(by) {
  const next = shown[shown.indexOf(open) + by];
  if (open && next) history.replaceState(null, "", "#turn-" + next.number), route();
}

function leave() {
  const link = list.querySelector(`a[href="#turn-${open?.number}"]`);
  open = null;
  if (location.hash.startsWith("#turn-")) history.replaceState(null, "", "#turns");
  // The browser tells of the close a moment later: who types in the filter by then stays there.
  if (!document.activeElement.matches("input, select, textarea")) link?.focus();
}

find("close").addEventListener("click", () => dialog.close());
find("previous").addEventListener("click", () => step(-1));
find("next").addEventListener("click", () => step(1));
dialog.addEventListener("close", leave);
dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
addEventListener("hashchange", route);
addEventListener("keydown", (event) => {
  if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (dialog.open && event.key === "ArrowLeft") step(-1);
  else if (dialog.open && event.key === "ArrowRight") step(1);
  else if (!dialog.open && event.key === "/") event.preventDefault(), form.elements.text.focus();
  else if (!dialog.open && (event.key === "ArrowDown" || event.key === "ArrowUp") && event.target.matches(".list a")) {
    event.preventDefault();
    const item = event.target.parentElement;
    (event.key === "ArrowDown" ? item.nextElementSibling : item.previousElementSibling)?.querySelector("a").focus();
  }
});

setUp();
route();
