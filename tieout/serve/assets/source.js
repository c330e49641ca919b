"use strict";
// The left side: a report part by part as it was read, or as it was printed; outline, search, what is known of a figure.
import { align, find, get, kept, make, on, say, tell, fault } from "/tools.js";

let report = null;
let reports = [];
let parts = [];
let tables = [];
let number = -1;
let marks = {};
let last = null; // the place that was gone to
let printed = kept.get("shown") === "printed";

const path = (rest) => `/api/reports/${report}/${rest}`;
const about = () => reports.find((each) => each.key === report);
const hasOriginal = () => Boolean(about()?.original);
const showOriginal = async (place) => (await import("/original.js")).show(about(), place, Object.values(marks)); // when it is looked at first

function figure(fact, text) {
  return make("button", { class: "figure", tabindex: -1, "data-fact": fact, click: () => showFact(fact) }, text);
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

// A year, or words with digits in them such as a date: what heads a column, and is no amount.
function isHead(rows, at) {
  const [row, column] = at.split(",").map(Number);
  const text = rows[row]?.[column]?.trim() ?? "";
  return /^(FY\s?)?(19|20)\d\d\W?E?$/.test(text) || /[A-Za-z]{3}/.test(text);
}

// A row as printed. What spans several columns is said once, over all of them.
function line(block, cells, row, again, isHead) {
  const made = [];
  for (let column = 0; column < cells.length; column += 1) {
    let span = 1;
    while (cells[column] && again.has(`${row},${column + span}`) && cells[column + span] === cells[column]) span += 1;
    const facts = block.figures[`${row},${column}`];
    const label = column === 0;
    made.push(make((label || isHead) && cells[column].trim() ? "th" : "td", { scope: !cells[column].trim() || (label && isHead) ? null : label ? "row" : isHead ? "col" : null, colspan: span > 1 ? span : null, class: span > 1 ? "over" : null },
      facts ? figure(facts[0], cells[column]) : cells[column]));
    column += span - 1;
  }
  return make("tr", {}, ...made);
}

const spoken = (place) => (about()?.original === "html" && /^sheet \d+$/.test(place) ? "" : place);

function table(block) {
  const again = new Set(block.repeated.map(([row, column]) => `${row},${column}`));
  const found = block.rows.findIndex((_, row) => Object.keys(block.figures).some((at) => at.startsWith(`${row},`) && !isHead(block.rows, at)));
  const filled = (cells) => cells.slice(1).some((cell) => cell.trim());
  const heads = block.rows.slice(0, Math.max(found, 0)).findLastIndex(filled) + 1; // a heading of lines stands with them
  const rows = block.rows.map((cells, row) => line(block, cells, row, again, row < heads));
  const title = [block.title || `Table ${block.table}`, spoken(block.place)].filter(Boolean).join(", ");
  const head = rows.slice(0, heads).filter((row) => row.textContent.trim());
  return make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": title },
    make("table", { "data-table": block.table }, make("caption", {}, make("span", {}, title)), head.length ? make("thead", {}, ...head) : null, make("tbody", {}, ...rows.slice(heads))));
}

function light() {
  for (const each of document.querySelectorAll("#shown .lit")) each.classList.remove("lit", "strong");
  for (const place of Object.values(marks)) {
    if (place.report !== report) continue;
    for (const node of nodesOf(place)) node.classList.add("lit");
  }
}

function nodesOf(place) {
  if (place.fact) return [...document.querySelectorAll(`#shown [data-fact="${place.fact}"]`)].map((node) => node.closest("td, th") ?? node);
  if (place.paragraph !== undefined && place.paragraph !== null) return [...document.querySelectorAll(`#shown [data-paragraph="${place.paragraph}"]`)];
  return place.table ? [...document.querySelectorAll(`#shown [data-table="${place.table}"]`)] : [];
}

async function turnTo(wanted) {
  if (wanted < 0 || wanted >= parts.length) return;
  if (wanted !== number) {
    const part = await get(path(`parts/${wanted}`));
    number = wanted;
    const blocks = part.blocks.map((block) => block.table ? table(block) : paragraph(block));
    for (const block of blocks) if (block.firstChild?.rows) align(block.firstChild);
    find("shown").replaceChildren(...(blocks.length ? blocks : [make("p", { class: "empty" }, "Nothing stands under this heading.")]));
    say("where", part.title);
    find("before").disabled = number === 0;
    find("behind").disabled = number === parts.length - 1;
    for (const link of find("parts").querySelectorAll("[data-part]")) {
      if (Number(link.dataset.part) === number) { link.setAttribute("aria-current", "true"); link.closest("#parts details")?.setAttribute("open", ""); } else link.removeAttribute("aria-current");
    }
    find("source").scrollTop = 0;
  }
  light();
}

async function goTo(place, stay) {
  if (!stay) tell("show", "source");
  if (place.report && place.report !== report) await source.open(place.report);
  last = place;
  if (place.fact) understood(place.fact);
  if (printed && hasOriginal()) {
    try { await showOriginal(place); return; } catch (error) { say("working", error.message); choose(false); }
  }
  await turnTo(place.part);
  for (const each of document.querySelectorAll("#shown .strong")) each.classList.remove("strong");
  const [node] = nodesOf(place);
  if (!node) return;
  if (!place.table || place.fact) node.classList.add("lit", "strong");
  node.scrollIntoView({ block: "center", inline: "center" });
  if (place.fact && !stay) (node.querySelector("button") ?? node).focus({ preventScroll: true });
}

// What was understood of the figure that is lit, beside how it is printed.
async function understood(name) {
  const at = report;
  try {
    const fact = await get(path(`facts/${encodeURIComponent(name)}`));
    if (at !== report) return;
    find("understood").hidden = false;
    find("understood").replaceChildren(make("b", {}, fact.raw), ` ${[fact.label, fact.period?.label, fact.reading].filter(Boolean).join(", ")} `, make("button", { class: "quiet", click: () => showFact(name) }, "All that is known"));
  } catch { find("understood").hidden = true; }
}

function tree(all) {
  const top = make("ul", {});
  const open = [{ level: 0, list: top }];
  all.forEach((part, at) => {
    while (open.length > 1 && open.at(-1).level >= part.level) open.pop();
    const link = make("button", { class: "link", "data-part": part.number, click: () => read(() => turnTo(part.number)) }, part.title);
    const under = tables.filter((each) => each.part === part.number).map((each) =>
      make("li", {}, make("button", { class: "link of-table", click: () => read(() => goTo({ part: part.number, table: each.number }, true)) }, `▦ ${each.title}`)));
    const deeper = all[at + 1]?.level > part.level;
    const item = make("li", {});
    if (deeper || under.length) {
      const list = make("ul", {}, ...under);
      item.append(make("details", {}, make("summary", {}, link), list));
      open.push({ level: part.level, list });
    } else item.append(link);
    (deeper || under.length ? open.at(-2) : open.at(-1)).list.append(item);
  });
  find("parts").replaceChildren(top);
}

function closeFound() { find("found").replaceChildren(); }

async function search(words) {
  if (!report || !words.trim()) { closeFound(); return; }
  const hits = await get(path(`search?words=${encodeURIComponent(words.slice(0, 200))}`));
  const go = (place) => () => { closeFound(); read(() => goTo(place, true)); };
  const named = (at) => tables.find((each) => each.number === at)?.title ?? `table ${at}`;
  const lines = hits.lines.slice(0, 12).map((hit) => make("li", {}, make("button", { class: "link", click: go({ part: hit.part, table: hit.table }) }, hit.text, " ", make("span", { class: "muted" }, named(hit.table)))));
  const sentences = hits.sentences.slice(0, 6).map((hit) => make("li", {}, make("button", { class: "link", click: go({ part: hit.part }) }, `“${hit.text}”`)));
  const all = [...lines, ...sentences];
  find("found").replaceChildren(all.length ? make("ul", {}, ...all) : make("p", { class: "empty" }, "Nothing has these words."));
}

function entry(name, value) {
  return value === null || value === undefined || value === "" ? [] : [make("dt", {}, name), make("dd", {}, String(value))];
}

async function showFact(name) {
  const fact = await get(path(`facts/${encodeURIComponent(name)}`));
  say("fact-title", `${fact.raw} [${fact.name}]`);
  const used = fact.used.map((each) => make("li", {}, `${each.question} → ${each.answer}`));
  const other = printed ? "Show it as it was read" : "Show it as it is printed";
  find("fact-text").replaceChildren(
    hasOriginal() ? make("button", { click: () => { find("fact").close(); choose(!printed); goTo(fact.at).catch(fault); } }, other) : "",
    make("dl", {}, ...entry("understood as", fact.reading), ...entry("measures", fact.label), ...entry("under", fact.header),
      ...entry("period", fact.period?.label ?? "not stated"), ...entry("unit from", fact.unit_from ?? "not stated"),
      ...entry("scale from", fact.scale_from ?? "not stated"), ...entry("entity", fact.instance), ...entry("property", fact.property),
      ...entry("tagged as", fact.concept), ...entry("stands in", [fact.heading, spoken(fact.place ?? "")].filter(Boolean).join(", "))),
    make("p", { id: "fact-meant" }),
    make("h3", {}, "Used by"), used.length ? make("ul", {}, ...used) : make("p", { class: "muted" }, "No answer yet."),
    make("h3", {}, "SPARQL"), make("pre", {}, fact.sparql),
    make("a", { href: `/query?query=${encodeURIComponent(fact.sparql)}` }, "Run it"));
  tell("figure", { report, fact });
  find("fact").showModal();
}

// Which of the two is shown; of a report that has no original, what was read.
function choose(wanted) {
  printed = wanted;
  kept.set("shown", printed ? "printed" : "");
  arrange();
}

function arrange() {
  const now = printed && hasOriginal();
  find("as-printed").disabled = !hasOriginal();
  find("as-read").setAttribute("aria-pressed", String(!now));
  find("as-printed").setAttribute("aria-pressed", String(now));
  find("original").hidden = !now;
  find("shown").hidden = now;
  find("outline").hidden = now || !parts.length;
  find("source").classList.toggle("printed", now);
  document.querySelector(".turner").hidden = now;
}

// Leaves the original for a part that was read.
function read(work) { choose(false); Promise.resolve(work()).catch(fault); }

async function refreshShown() {
  arrange();
  if (printed && hasOriginal()) await showOriginal(last?.report === report ? last : null);
  else if (last && last.report === report) await goTo(last, true);
}

export const source = {
  async open(key) {
    report = key;
    number = -1;
    last = null;
    closeFound();
    find("words").value = "";
    find("understood").hidden = true;
    const outline = await get(path("outline"));
    ({ parts, tables } = outline);
    tell("opened", key);
    tree(parts);
    find("outline").open = false;
    const first = tables.length ? tables[0].part : 0;
    await turnTo(parts.length > 3 ? 0 : first);
    arrange();
    if (printed && hasOriginal()) await showOriginal(null).catch((error) => { say("working", error.message); choose(false); });
  },
  know(all) { reports = all; if (about()) arrange(); },
  mark(places) { marks = places; light(); },
  centre() { document.querySelector("#shown:not([hidden]) .strong, #original:not([hidden]) .strong")?.scrollIntoView({ block: "center", inline: "center" }); },
  closeFound,
  goTo,
  // A figure by its IRI: urn:tieout:doc:<id>#<name>.
  async goToIri(iri) {
    const [, id, name] = /^urn:tieout:doc:([^#]*)#(.+)$/.exec(iri) ?? [];
    const held = reports.find((each) => each.id === decodeURIComponent(id ?? ""));
    if (!held) return;
    const fact = await get(`/api/reports/${held.key}/facts/${encodeURIComponent(name)}`);
    await goTo(fact.at);
  },
};

on("before", "click", () => turnTo(number - 1));
on("behind", "click", () => turnTo(number + 1));
for (const [id, wanted] of [["as-read", false], ["as-printed", true]]) find(id).addEventListener("click", () => { choose(wanted); refreshShown().catch((error) => { say("working", error.message); choose(false); }); });
on("fact-close", "click", () => find("fact").close());
on("search", "submit", (event) => { event.preventDefault(); search(find("words").value).catch(fault); });
let waiting = 0;
on("words", "input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => search(find("words").value).catch(fault), 250);
});
document.addEventListener("click", (event) => { if (!find("search").contains(event.target)) closeFound(); });
