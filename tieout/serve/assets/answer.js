"use strict";
// An answer as it is shown: what it says, how sure it is, what is odd, and the figures it rests on.
import { find, make, fault } from "/tools.js";
import { source } from "/source.js";
import { answered } from "/grid.js";

function goTo(turn, at) {
  source.mark(turn.marks);
  source.goTo(at).catch(fault);
}

const link = (turn, at, text) => make("button", { class: "figure", title: "Show where it is printed", click: () => goTo(turn, at) }, text);

function linked(turn, text, place) {
  const at = place === undefined ? null : turn.marks[turn.nodes[place].fact];
  if (at) return [link(turn, at, text)];
  // Names of sentences and figures lead to where they stand.
  return text.split(/(\[(?:[a-z0-9]+:)?[tsx]\d+[a-z0-9]*\])/).map((piece) => {
    const name = /^\[([a-z0-9:]+)\]$/.exec(piece)?.[1];
    return name && turn.marks[name] ? link(turn, turn.marks[name], piece) : piece;
  });
}

function tree(turn, place, seen) {
  const node = turn.nodes[place];
  const again = seen.has(place) && node.from.length > 0;
  seen.add(place);
  const at = node.fact ? turn.marks[node.fact] : null;
  const value = at ? link(turn, at, node.shown) : make("b", {}, node.shown);
  const what = node.kind === "fact" ? [node.about, node.report, node.heading].filter(Boolean).join(", ") : "";
  const how = [what, node.how + (again ? ", as above" : "")].filter(Boolean).join(": ");
  const item = make("li", { class: node.kind === "ungrounded" ? "ungrounded" : null }, value, " ", make("span", { class: "muted" }, how));
  if (node.from.length && !again) item.append(make("ul", {}, ...node.from.map((child) => tree(turn, child, seen))));
  return item;
}

function certainty(turn) {
  const sure = turn.probability;
  const shown = [];
  if (sure !== null) shown.push(make("span", { class: sure < 0.85 ? "less" : null }, `probability of being right ${Math.round(100 * sure)}%`));
  if (!turn.flags.length) shown.push(make("span", {}, "no check found anything odd"));
  return make("p", { class: "sure" }, ...shown);
}

function notes({ terms, recipes, unknown }) {
  const parts = [terms.length ? `terms: ${terms.join(", ")}` : "", recipes.length ? `recipes: ${recipes.join(", ")}` : "",
    unknown.length ? `nothing here explains: ${unknown.join(", ")}` : ""].filter(Boolean);
  return parts.length ? make("p", { class: "notes" }, parts.join(" · ")) : null;
}

function flags(turn) {
  const told = turn.flags.filter((flag) => flag.rule !== "unsure" || !turn.readings.length);
  if (!told.length) return null;
  return make("ul", { class: "flags", "aria-label": "What is odd" }, ...told.map((flag) => make("li", {},
    make("abbr", { title: flag.meaning || flag.rule, tabindex: 0 }, flag.rule), `: ${flag.message}`)));
}

// A reading that names one figure means that figure; of others the words are asked.
const NAMED = /\s*\[((?:[a-z0-9]+:)?(?:t\d+r\d+c\d+|s\d+a\d+)[a-z]*)\]/g;
function meaning(turn, option) {
  const named = [...option.matchAll(NAMED)].map((match) => match[1]);
  return [`${turn.question} (${option.replace(NAMED, "")})`, named.length === 1 ? named[0] : ""];
}

const choices = (turn, options, ask) => make("ul", { class: "readings" },
  ...options.map((option) => make("li", {}, make("button", { click: () => ask(...meaning(turn, option)) }, option.replace(NAMED, "")))));

// An answer in doubt is one reading among others: they stand first, and nothing is large.
function doubted(turn, ask) {
  const [taken, ...others] = turn.readings;
  return [
    make("p", { class: "doubt" }, make("b", {}, `Not sure (${Math.round(100 * turn.probability)}%).`), others.length ? " The question can be read as:" : " It was read as:"),
    make("p", { class: "taken" }, ...linked(turn, taken.replace(NAMED, ""), turn.roots.length === 1 ? turn.roots[0] : undefined)),
    others.length ? choices(turn, others, ask) : make("p", { class: "notes" }, "Say more exactly what you mean, or look at what it rests on."),
  ];
}

function body(turn, ask) {
  const asked = turn.clarification;
  if (asked) return [make("p", { class: "answer long" }, asked.question), choices(turn, asked.options, ask), notes(turn.notes)];
  if (turn.answer === null) return [make("p", { class: "failed" }, `No answer (${turn.outcome}): ${turn.reasoning_visible_to_user}`), notes(turn.notes)];
  const seen = new Set();
  const only = turn.roots.length === 1 ? turn.roots[0] : undefined;
  const shown = answered(turn, (at) => goTo(turn, at));
  const said = shown ?? make("p", { class: turn.answer.length > 60 ? "answer long" : "answer" }, ...linked(turn, turn.answer, only));
  return [
    ...(turn.readings.length ? [...doubted(turn, ask), shown] : [said]), certainty(turn), flags(turn), notes(turn.notes),
    ...turn.pictures.map((path) => make("img", { class: "picture", src: path, alt: `Picture drawn for: ${turn.question}` })),
    turn.roots.length ? make("ul", { class: "tree", "aria-label": "What the answer rests on" }, ...turn.roots.map((root) => tree(turn, root, seen))) : null,
    turn.queries.length ? make("details", {}, make("summary", {}, "SPARQL"), ...turn.queries.map((text) => make("pre", {}, text))) : null,
  ];
}

export const card = (turn, ask) => make("li", {}, make("p", { class: "asked" }, turn.question), make("div", { class: turn.readings.length ? "reply unsure" : "reply" }, ...body(turn, ask)));

export function lightFirst(turn) {
  source.mark(turn.marks);
  const first = Object.values(turn.marks)[0];
  if (first) source.goTo(first, true).catch(() => {});
  else find("understood").hidden = true;
}
