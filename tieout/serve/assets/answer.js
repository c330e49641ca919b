// An answer as it is shown: what it says, how sure it is, what is odd, and the figures it rests on.
import { listed, make, put } from "/tools.js";
import { source } from "/source.js";
import { grid } from "/grid.js";

function goTo(turn, at) {
  source.mark(turn.marks);
  source.goTo(at);
}

const link = (turn, at, text) => make("button.figure", { title: "Show where it is printed", click: () => goTo(turn, at) }, text);

function linked(turn, text, place) {
  const at = place === undefined ? null : turn.marks[turn.nodes[place].fact];
  if (at) return [link(turn, at, text)];
  return text.split(/(\[?\b(?:[a-z0-9]+:)?[tsx]\d+[a-z0-9]*\]?)/).map((piece, number) => {
    const to = number % 2 && turn.marks[piece.replace(/[[\]]/g, "")];
    return to ? link(turn, to, piece) : piece;
  });
}

function tree(turn, place, seen) {
  const node = turn.nodes[place];
  const again = seen.has(place) && node.from.length > 0;
  seen.add(place);
  const at = node.fact ? turn.marks[node.fact] : null;
  const value = at ? link(turn, at, node.shown) : make("b", node.shown);
  const what = node.kind === "fact" ? listed(", ", node.about, node.report, node.heading) : "";
  const how = listed(": ", what, node.how + (again ? ", as above" : ""));
  const under = node.from.length > 0 && !again && make("ul", node.from.map((child) => tree(turn, child, seen)));
  return make("li", { class: node.kind === "ungrounded" && "ungrounded" }, value, " ", make("span.muted", how), under);
}

function certainty(turn) {
  const sure = turn.probability;
  return make("p.sure", sure !== null && make("span", { class: sure < 0.85 && "less" }, `probability of being right ${Math.round(100 * sure)}%`),
    !turn.flags.length && make("span", "no check found anything odd"));
}

function notes({ terms, recipes, unknown }) {
  const said = [["terms", terms], ["recipes", recipes], ["nothing here explains", unknown]].filter(([, all]) => all.length).map(([what, all]) => `${what}: ${all.join(", ")}`);
  return said.length > 0 && make("p.notes", said.join(" · "));
}

function flags(turn) {
  const told = turn.flags.filter((flag) => flag.rule !== "unsure" || !turn.readings.length);
  return told.length > 0 && make("ul.flags", { "aria-label": "What is odd" }, told.map((flag) =>
    make("li", make("abbr", { title: flag.meaning || flag.rule, tabindex: 0 }, flag.rule), ": ", linked(turn, flag.message))));
}

// A reading that names one figure means that figure; of others the words are asked.
const NAMED = /\s*\[((?:[a-z0-9]+:)?(?:t\d+r\d+c\d+|s\d+a\d+)[a-z]*)\]/g;
function meaning(turn, option) {
  const named = [...option.matchAll(NAMED)].map((match) => match[1]);
  return [`${turn.question} (${option.replace(NAMED, "")})`, named.length === 1 ? named[0] : ""];
}

export const buttons = (all) => make("ul.readings", all.map((each) => make("li", each)));
const choices = (turn, options, ask) => buttons(options.map((option) => make("button", { click: () => ask(...meaning(turn, option)) }, option.replace(NAMED, ""))));

// An answer in doubt is one reading among others: they stand first, and nothing is large.
function doubted(turn, ask) {
  const [taken, ...others] = turn.readings;
  return [
    make("p.doubt", make("b", `Not sure (${Math.round(100 * turn.probability)}%).`), others.length ? " The question can be read as:" : " It was read as:"),
    make("p.taken", linked(turn, taken.replace(NAMED, ""), turn.roots.length === 1 ? turn.roots[0] : undefined)),
    others.length ? choices(turn, others, ask) : make("p.notes", "Say more exactly what you mean, or look at what it rests on."),
  ];
}

function body(turn, ask) {
  const asked = turn.clarification;
  if (asked) return [make("p.answer.long", asked.question), choices(turn, asked.options, ask), notes(turn.notes)];
  if (turn.answer === null) return [make("p.failed", `No answer (${turn.outcome}): ${turn.reasoning_visible_to_user}`), notes(turn.notes)];
  const seen = new Set();
  const only = turn.roots.length === 1 ? turn.roots[0] : undefined;
  const leads = (cell) => turn.marks[cell.fact];
  const shown = turn.grid && grid({ caption: turn.question, ...turn.grid }, (cell) => goTo(turn, leads(cell)), leads);
  const said = shown ?? make(turn.answer.length > 60 ? "p.answer.long" : "p.answer", linked(turn, turn.answer, only));
  return [
    turn.readings.length ? [doubted(turn, ask), shown] : [said, certainty(turn)], flags(turn), notes(turn.notes),
    turn.pictures.map((path) => make("img.picture", { src: path, alt: `Picture drawn for: ${turn.question}` })),
    turn.roots.length > 0 && make("ul.tree", { "aria-label": "What the answer rests on" }, turn.roots.map((root) => tree(turn, root, seen))),
    turn.queries.length > 0 && make("details", make("summary", "SPARQL"), turn.queries.map((text) => make("pre", text))),
  ];
}

// more: buttons that lead to what else there is.
export const card = (turn, ask, more = []) => make("li", make("p.asked", turn.question), make(turn.readings.length ? "div.reply.unsure" : "div.reply", body(turn, ask), buttons(more)));

export function lightFirst(turn) {
  source.mark(turn.marks);
  const first = Object.values(turn.marks)[0];
  if (first) source.goTo(first, true).catch(() => {});
  else put("understood");
}
