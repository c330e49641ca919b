"use strict";
// The left side: a report part by part, as printed, with its figures; outline, search, and what is known of a figure.
import { find, make, get, say } from "/tools.js";

let report = null;
let parts = [];
let tables = [];
let number = -1;
let marks = {};

const path = (rest) => `/api/reports/${report}/${rest}`;

function figure(fact, text) {
  return make("button", { type: "button", class: "figure", "data-fact": fact, click: () => tell(fact) }, text);
}

function paragraph(block) {
  const node = make("p", { "data-paragraph": block.paragraph });
  const points = Array.from(block.text);
  let at = 0;
  for (const each of [...block.figures].sort((one, other) => one.start - other.start)) {
    if (each.start < at) continue;
    node.append(points.slice(at, each.start).join(""), figure(each.fact, points.slice(each.start, each.end).join("")));
    at = each.end;
  }
  node.append(points.slice(at).join(""));
  return node;
}

function isYear(rows, at) {
  const [row, column] = at.split(",").map(Number);
  return /^(19|20)\d\d$/.test(rows[row]?.[column]?.trim() ?? "");
}

function table(block) {
  const again = new Set(block.repeated.map(([row, column]) => `${row},${column}`));
  const rows = block.rows.map((cells, row) => make("tr", {}, ...cells.map((text, column) => {
    const facts = block.figures[`${row},${column}`];
    const inside = facts ? figure(facts[0], text) : again.has(`${row},${column}`) ? make("span", { class: "muted" }, text) : text;
    return make(column === 0 ? "th" : "td", column === 0 ? { scope: "row" } : {}, inside);
  })));
  const first = block.rows.findIndex((_, row) => Object.keys(block.figures).some((at) => at.startsWith(`${row},`) && !isYear(block.rows, at)));
  rows.slice(0, Math.max(first, 0)).forEach((row) => { if (row.textContent.trim().length && row.cells.length > 1 && [...row.cells].slice(1).some((cell) => cell.textContent.trim())) row.classList.add("heads"); });
  const title = [block.title || `Table ${block.table}`, block.place].filter(Boolean).join(", ");
  return make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": title },
    make("table", { "data-table": block.table }, make("caption", {}, title), make("tbody", {}, ...rows)));
}

function light() {
  for (const each of document.querySelectorAll("#shown .lit")) each.classList.remove("lit", "strong");
  for (const place of Object.values(marks)) {
    if (place.report !== report) continue;
    for (const node of document.querySelectorAll(`#shown [data-fact="${place.fact}"]`)) (node.closest("td, th") ?? node).classList.add("lit");
  }
}

async function turnTo(wanted) {
  if (wanted < 0 || wanted >= parts.length) return;
  if (wanted !== number) {
    const part = await get(path(`parts/${wanted}`));
    number = wanted;
    const blocks = part.blocks.map((block) => block.table ? table(block) : paragraph(block));
    find("shown").replaceChildren(...(blocks.length ? blocks : [make("p", { class: "empty" }, "Nothing stands under this heading.")]));
    say("where", part.title);
    find("before").disabled = number === 0;
    find("behind").disabled = number === parts.length - 1;
    for (const link of find("parts").querySelectorAll("[data-part]")) {
      if (Number(link.dataset.part) === number) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    find("source").scrollTop = 0;
  }
  light();
}

async function goTo(place, stay) {
  if (!stay) document.dispatchEvent(new CustomEvent("show", { detail: "source" }));
  if (place.report && place.report !== report) await source.open(place.report);
  await turnTo(place.part);
  for (const each of document.querySelectorAll("#shown .strong")) each.classList.remove("strong");
  const wanted = place.fact ? `[data-fact="${place.fact}"]` : `[data-table="${place.table}"]`;
  const node = find("shown").querySelector(wanted);
  if (!node) return;
  const cell = node.closest("td, th") ?? node;
  if (place.fact) cell.classList.add("lit", "strong");
  cell.scrollIntoView({ block: "center", inline: "center" });
  if (place.fact && !stay) node.focus({ preventScroll: true });
}

function listOutline() {
  const under = (part) => tables.filter((each) => each.part === part).map((each) =>
    make("li", {}, make("button", { type: "button", class: "link of-table", click: () => goTo({ part, table: each.number }) }, `▦ ${each.title}`)));
  find("parts").replaceChildren(make("ul", {}, ...parts.flatMap((part) => [
    make("li", {}, make("button", { type: "button", class: `link level-${part.level}`, "data-part": part.number, click: () => turnTo(part.number) }, part.title)),
    ...under(part.number)])));
}

async function search(words) {
  if (!report || !words.trim()) { find("found").replaceChildren(); return; }
  const hits = await get(path(`search?words=${encodeURIComponent(words.slice(0, 200))}`));
  const lines = hits.lines.slice(0, 12).map((hit) => make("li", {}, make("button", { type: "button", class: "link",
    click: () => goTo({ part: hit.part, table: hit.table }) }, `${hit.text} (table ${hit.table})`)));
  const sentences = hits.sentences.slice(0, 6).map((hit) => make("li", {}, make("button", { type: "button", class: "link",
    click: () => turnTo(hit.part) }, `“${hit.text}”`)));
  const all = [...lines, ...sentences];
  find("found").replaceChildren(all.length ? make("ul", {}, ...all) : make("p", { class: "empty" }, "Nothing has these words."));
}

function entry(name, value) {
  return value === null || value === undefined || value === "" ? [] : [make("dt", {}, name), make("dd", {}, String(value))];
}

async function tell(name) {
  const fact = await get(path(`facts/${encodeURIComponent(name)}`));
  say("fact-title", `${fact.raw} [${fact.name}]`);
  const used = fact.used.map((each) => make("li", {}, `${each.question} → ${each.answer}`));
  find("fact-text").replaceChildren(
    make("dl", {}, ...entry("understood as", fact.reading), ...entry("measures", fact.label), ...entry("under", fact.header),
      ...entry("period", fact.period?.label ?? "not stated"), ...entry("unit from", fact.unit_from ?? "not stated"),
      ...entry("scale from", fact.scale_from ?? "not stated"), ...entry("entity", fact.instance), ...entry("property", fact.property),
      ...entry("tagged as", fact.concept), ...entry("stands in", [fact.heading, fact.place].filter(Boolean).join(", "))),
    make("h3", {}, "Used by"), used.length ? make("ul", {}, ...used) : make("p", { class: "muted" }, "No answer yet."),
    make("h3", {}, "SPARQL"), make("pre", {}, fact.sparql),
    make("a", { href: `/query?query=${encodeURIComponent(fact.sparql)}` }, "Run it"));
  find("fact").showModal();
}

export const source = {
  async open(key) {
    report = key;
    document.dispatchEvent(new CustomEvent("opened", { detail: key }));
    number = -1;
    ({ parts, tables } = await get(path("outline")));
    find("found").replaceChildren();
    find("words").value = "";
    listOutline();
    find("outline").open = parts.length > 3 && matchMedia("(min-width: 801px)").matches;
    const first = tables.length ? tables[0].part : 0;
    await turnTo(parts.length > 3 ? 0 : first);
  },
  mark(places) { marks = places; light(); },
  goTo,
};

find("before").addEventListener("click", () => turnTo(number - 1));
find("behind").addEventListener("click", () => turnTo(number + 1));
find("fact-close").addEventListener("click", () => find("fact").close());
find("search").addEventListener("submit", (event) => { event.preventDefault(); search(find("words").value).catch((error) => say("progress", error.message)); });
let waiting = 0;
find("words").addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => search(find("words").value).catch((error) => say("progress", error.message)), 250);
});
