// The left side: a report part by part as it was read, or as it was printed; outline, search, what is known of a figure.
import { align, all, centre, factOf, fault, find, get, kept, listed, make, on, press, put, region, say, settled, tell } from "/tools.js";

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
const showOriginal = async (place) => (await import("/original.js")).show(about(), place, Object.values(marks));

function figure(fact, text) {
  return make("button.figure", { tabindex: -1, "data-fact": fact, click: () => showFact(fact) }, text);
}

function paragraph(block) {
  const node = make("p", { "data-paragraph": block.paragraph });
  const points = [...block.text];
  let at = 0;
  for (const each of block.figures.sort((one, other) => one.start - other.start)) {
    if (each.start < at) continue;
    node.append(points.slice(at, each.start).join(""), figure(each.fact, points.slice(each.start, each.end).join("")));
    at = each.end;
  }
  node.append(points.slice(at).join(""));
  return node;
}

// A row as printed. What spans several columns is said once, over all of them.
function line(block, cells, row) {
  const made = [];
  for (let column = 0, span; column < cells.length; column += span) {
    const [text, isHead] = [cells[column], row < block.heads];
    const [fact] = block.figures[`${row},${column}`] ?? [];
    span = block.spans[`${row},${column}`] ?? 1;
    const says = Boolean(text.trim()) && (isHead || !column);
    made.push(make(says ? "th" : "td", { scope: says && (column ? "col" : !isHead && "row"), colspan: span > 1 && span, class: span > 1 && "over" }, fact ? figure(fact, text) : text));
  }
  return make("tr", made);
}

function table(block) {
  const rows = block.rows.map((cells, row) => line(block, cells, row));
  const title = listed(", ", block.title || `Table ${block.table}`, block.place);
  const head = rows.slice(0, block.heads).filter((row) => row.textContent.trim());
  return region(title, make("table", { "data-table": block.table }, make("caption", make("span", title)), head.length > 0 && make("thead", head), make("tbody", rows.slice(block.heads))));
}

const inShown = (selector) => all(find("shown"), selector);

function light() {
  for (const each of inShown(".lit")) each.classList.remove("lit", "strong");
  for (const place of Object.values(marks)) if (place.report === report) for (const node of nodesOf(place)) node.classList.add("lit");
}

function nodesOf(place) {
  if (place.fact) return inShown(`[data-fact="${place.fact}"]`).map((node) => node.closest("td, th") ?? node);
  if (Number.isInteger(place.paragraph)) return inShown(`[data-paragraph="${place.paragraph}"]`);
  return place.table ? inShown(`[data-table="${place.table}"]`) : [];
}

async function turnTo(wanted) {
  if (wanted < 0 || wanted >= parts.length) return;
  if (wanted !== number) {
    const part = await get(path(`parts/${wanted}`));
    number = wanted;
    const blocks = part.blocks.map((block) => block.table ? table(block) : paragraph(block));
    for (const block of blocks) if (block.firstChild?.rows) align(block.firstChild);
    put("shown", blocks.length ? blocks : make("p.empty", "Nothing stands under this heading."));
    say("where", part.title);
    find("before").disabled = number === 0;
    find("behind").disabled = number === parts.length - 1;
    for (const link of all(find("parts"), "[data-part]")) {
      const isThis = link.dataset.part === `${number}`;
      link.setAttribute("aria-current", isThis);
      if (isThis) for (const fold of all(find("parts"), "details")) fold.open ||= fold.contains(link);
    }
    find("source").scrollTop = 0;
  }
  light();
}

async function goTo(place, stay) {
  if (!stay) tell("show", "source");
  if (place.report && place.report !== report) await source.open(place.report);
  last = place;
  if (place.fact) understood(place.fact); else put("understood");
  if (printed && hasOriginal()) {
    try { await showOriginal(place); return; } catch (error) { asRead(error); }
  }
  await turnTo(place.part);
  for (const each of inShown(".strong")) each.classList.remove("strong");
  const [node] = nodesOf(place);
  if (!node) return;
  if (!place.table || place.fact) node.classList.add("lit", "strong");
  centre(node);
  if (place.fact && !stay) (node.querySelector("button") ?? node).focus({ preventScroll: true });
}

async function understood(name) {
  const at = report;
  try {
    const fact = await factOf(report, name);
    if (at !== report || last?.fact !== name) return;
    put("understood", make("b", fact.raw), ` ${listed(", ", fact.label, fact.period?.label, fact.reading)} `, make("button.quiet", { click: () => showFact(name) }, "All that is known"));
  } catch { put("understood"); }
}

function tree() {
  const top = make("ul");
  const open = [{ level: 0, list: top }];
  parts.forEach((part, at) => {
    while (open.length > 1 && open.at(-1).level >= part.level) open.pop();
    const link = make("button.link", { "data-part": part.number, click: () => read(() => turnTo(part.number)) }, part.title);
    const under = tables.filter((each) => each.part === part.number).map((each) =>
      make("li", make("button.link.of-table", { click: () => read(() => goTo({ part: part.number, table: each.number }, true)) }, `▦ ${each.title}`)));
    const list = make("ul", under);
    open.at(-1).list.append(make("li", under.length || parts[at + 1]?.level > part.level ? make("details", make("summary", link), list) : link));
    open.push({ level: part.level, list });
  });
  put("parts", top);
}

const closeFound = () => { const open = find("found").firstChild; put("found"); return open; };

async function search() {
  const words = find("words").value;
  if (!report || !words.trim()) { closeFound(); return; }
  const hits = await get(path(`search?words=${encodeURIComponent(words.slice(0, 200))}`));
  if (find("words").value !== words) return; // others are looked for by now
  const hit = (place, ...text) => make("li", make("button.link", { click: () => { closeFound(); read(() => goTo(place, true)); } }, text));
  const named = (at) => tables.find((each) => each.number === at)?.title ?? `table ${at}`;
  const lines = hits.lines.slice(0, 12).map(({ part, table, text }) => hit({ part, table }, text, " ", make("span.muted", named(table))));
  const sentences = hits.sentences.slice(0, 6).map(({ part, text }) => hit({ part }, `“${text}”`));
  put("found", lines.length + sentences.length ? make("ul", lines, sentences) : make("p.empty", "Nothing has these words."));
}

async function showFact(name) {
  const fact = await factOf(report, name);
  say("fact-title", `${fact.raw} [${fact.name}]`);
  const used = fact.used.map((each) => make("li", `${each.question} → ${each.answer}`));
  const none = "not stated";
  const known = { "understood as": fact.reading, measures: fact.label, under: fact.header, period: fact.period?.label ?? none, "unit from": fact.unit_from ?? none, "scale from": fact.scale_from ?? none,
    entity: fact.instance, property: fact.property, "tagged as": fact.concept, "stands in": listed(", ", fact.heading, fact.place) };
  const other = printed ? "Show it as it was read" : "Show it as it is printed";
  put("fact-text", hasOriginal() && make("button", { click: () => { find("fact").close(); choose(!printed); goTo(fact.at); } }, other),
    make("dl", Object.entries(known).map(([what, value]) => value && [make("dt", what), make("dd", value)])),
    make("p", { id: "fact-meant" }),
    make("h3", "Used by"), used.length ? make("ul", used) : make("p.muted", "No answer yet."),
    make("h3", "SPARQL"), make("pre", fact.sparql),
    make("a", { href: `/query?query=${encodeURIComponent(fact.sparql)}` }, "Run it"));
  tell("figure", { report, fact });
  find("fact").showModal();
}

function choose(wanted) {
  printed = wanted;
  kept.set("shown", printed ? "printed" : "");
  arrange();
}

function arrange() {
  const now = printed && hasOriginal();
  find("as-printed").disabled = !hasOriginal();
  press(find("as-read"), !now);
  press(find("as-printed"), now);
  find("outline").hidden = !parts.length;
  find("source").classList.toggle("printed", now);
}

const asRead = (error) => { fault(error); choose(false); };

function read(work) { choose(false); Promise.resolve(work()); }

async function refreshShown() {
  const place = last?.report === report ? last : null;
  if (printed && hasOriginal()) await showOriginal(place);
  else if (place) await goTo(place, true);
}

export const source = {
  async open(key) {
    report = key;
    number = -1;
    last = null;
    closeFound();
    find("words").value = "";
    put("understood");
    ({ parts, tables } = await get(path("outline")));
    tell("opened", key);
    tree();
    find("outline").open = false;
    await turnTo((parts.length <= 3 && tables[0]?.part) || 0);
    arrange();
    if (printed && hasOriginal()) await showOriginal(null).catch(asRead);
  },
  know(all) { reports = all; if (about()) arrange(); },
  mark(places) { marks = places; light(); },
  centre() { centre(document.querySelector(`#${printed && hasOriginal() ? "original" : "shown"} .strong`)); },
  contents() { tell("show", "source"); read(() => { find("outline").open = true; find("outline").scrollIntoView(); }); },
  closeFound,
  goTo,
  // A figure by its IRI, or by that of its cell: urn:tieout:doc:<id>#<name>.
  async goToIri(iri) {
    const [, id, name] = /^urn:tieout:doc:([^#]*)#(?:cell-)?(.+)$/.exec(iri) ?? [];
    const held = reports.find((each) => each.id === decodeURIComponent(id ?? ""));
    if (held) await goTo((await factOf(held.key, name)).at);
  },
};

on("before", "click", () => turnTo(number - 1));
on("behind", "click", () => turnTo(number + 1));
for (const [id, wanted] of [["as-read", false], ["as-printed", true]]) on(id, "click", () => { choose(wanted); refreshShown().catch(asRead); });
on("search", "submit", (event) => { event.preventDefault(); search(); });
settled("words", search);
document.addEventListener("click", ({ target }) => { if (!find("search").contains(target)) closeFound(); });
