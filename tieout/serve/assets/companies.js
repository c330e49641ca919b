// Companies over all their filings: a statement, measures compared, a screen.
import { all, factOf, find, get, kept, listed, make, on, press, put, say, tell } from "/tools.js";
import { grid } from "/grid.js";
import { source } from "/source.js";

const form = find("asked-of");
let companies = [];
let names = []; // of measures
let view = "statement";
let shown = ""; // what was asked for what is shown
let looked = ""; // the report that was looked at when this was opened

const field = (name) => form.elements.namedItem(name);
const failed = (error) => { shown = ""; put("compared", make("p.failed", error.message)); };

function arrange() {
  for (const each of all(form, "[data-of]")) each.hidden = !each.dataset.of.includes(view);
  for (const each of find("views-of").children) press(each, each.value === view);
  const chosen = all(form, "[name=among]:checked").length;
  say("among", chosen ? `${chosen} of ${companies.length} companies` : `All ${companies.length} companies`);
}

// What is asked, as the API has it: the fields of this view that say anything.
function asked() {
  const given = [...new FormData(form)].filter(([name, value]) => value.trim() && !form.querySelector(`[name=${name}]`).closest("[hidden]"));
  return new URLSearchParams(given.flatMap(([name, value]) => {
    if (name === "among") return [["company", value]];
    return name === "measure" ? value.split(/[;,]/).filter((each) => each.trim()).map((each) => [name, each.trim()]) : [[name, value]];
  }));
}

const quarter = (each) => listed(" ", each.fiscal_period !== "FY" && each.fiscal_period, each.fiscal_year);

function timeline() {
  const company = view === "statement" && companies.find((each) => each.name === field("company").value);
  put("timeline", (company ? company.filings.toReversed() : []).map((each) => make("li",
    make("button.figure", { disabled: !each.report, title: `Show ${each.id}`, click: () => source.open(each.report).then(() => tell("show", "source")) },
      make("b", quarter(each) || "?"), make("span", listed(", ", each.form || "report", each.amendment && "amended")), make("span.muted", each.ended)))));
}

const places = (all) => Promise.all(all.filter((each) => each.report).map(async (each) => (await factOf(each.report, each.fact)).at));

async function go(cell, figure) {
  const all = await places([figure, ...cell.stated.filter((each) => each !== figure)]);
  source.mark(Object.fromEntries(all.map((each) => [`${each.report}:${each.fact}`, each])));
  await source.goTo(all[0]);
}

// A value that was stated leads to its print; one that is calculated, or was revised, says first from what.
function follow(cell, row, title) {
  if (!cell.program && !cell.restated.length) { go(cell, cell.stated[0]).catch(failed); return; }
  const line = (each) => make("li", make("button.figure", { disabled: !each.report, click: () => { find("fact").close(); go(cell, each).catch(failed); } }, each.shown), " ", make("span.muted", listed(", ", each.label, each.id, each.place)));
  const said = [...cell.stated, ...cell.restated].reduce((text, each) => text.replaceAll(`${each.id}:${each.fact}`, each.label), cell.program ?? "");
  const odd = cell.flags.filter((each) => each !== "restated");
  say("fact-title", `${row}, ${title}: ${cell.shown}`);
  put("fact-text", said && make("p", said), make("h3", cell.program ? "From" : "Stated"), make("ul.tree", cell.stated.map(line)),
    cell.restated.length > 0 && [make("h3", "In older filings"), make("ul.tree", cell.restated.map(line))],
    odd.length > 0 && [make("h3", "What is odd"), make("ul", odd.map((each) => make("li", each)))]);
  find("fact").showModal();
}

function gridOf({ title, columns, rows }) {
  const cell = (each, row, at) => each && { ...each, row, at,
    title: listed("; ", each.program ? "How it is calculated" : each.stated[0].place, each.flags, each.restated.map((older) => `${older.shown} in ${older.id}`)) };
  return grid({ caption: title, columns, says: false, rows: rows.map((row) => ({ label: row.label, cells: row.cells.map((each, at) => cell(each, row.label, at)) })) },
    (each) => follow(each, each.row, columns[each.at]));
}

// again: also where it is what is shown, as when further reports are open.
async function show(again = false) {
  arrange();
  timeline();
  const query = asked();
  if (!query.get({ statement: "company", compare: "measure", screen: "conditions" }[view])) { shown = ""; put("compared"); return; }
  const path = `/api/${view}?${query}`;
  if (path === shown && !again) return; // to leave a field by Enter is a change too
  shown = path;
  kept.set("companies", path);
  const { grids, notes } = await get(path);
  if (shown !== path) return; // another was asked for meanwhile
  const file = (name) => make("a", { href: `${path}&form=${name}`, download: true }, name.toUpperCase());
  put("compared", grids.map(gridOf), notes.length > 0 && make("details", { open: notes.length < 5 }, make("summary", "Notes"), make("ul.notes", notes.map((each) => make("li", each)))), make("p.notes", "Save as ", file("csv"), " or ", file("xlsx")));
}

function restore() {
  const [, name, query] = /^\/api\/(\w+)\?(.*)$/.exec(kept.get("companies")) ?? [];
  if (!name) return;
  view = name;
  const given = new URLSearchParams(query);
  for (const key of new Set(given.keys())) {
    const node = field(key);
    if (node?.type === "checkbox") node.checked = true;
    else if (key === "company" && view !== "statement") for (const each of all(form, "[name=among]")) each.checked = given.getAll(key).includes(each.value);
    else if (node) node.value = given.getAll(key).join("; ");
  }
}

export async function open() {
  const before = companies.length;
  ({ companies } = await get("/api/companies"));
  if (!names.length) names = (await get("/api/measures")).measures.map((each) => each.name);
  // The company of the report that is looked at, until another is chosen.
  const { value: report } = find("report");
  const of = report !== looked && companies.find((each) => each.filings.some((filing) => filing.report === report))?.name;
  looked = report;
  const chosen = of || field("company").value;
  field("company").replaceChildren(...companies.map((each) => make("option", { value: each.name, selected: each.name === chosen }, each.name)));
  const among = new Set(all(form, "[name=among]:checked").map((each) => each.value));
  put("among-all", companies.map((each) => make("label", make("input", { type: "checkbox", name: "among", value: each.name, checked: among.has(each.name) }), each.name)));
  if (!before) restore();
  await show(true).catch(failed);
}

const ask = () => show().catch(failed);
on("views-of", "click", ({ target }) => { view = target.value || view; ask(); });
for (const kind of ["submit", "change"]) form.addEventListener(kind, (event) => { event.preventDefault(); ask(); });
field("measure").addEventListener("input", () => {
  const [, before, word] = /^(.*[;,]\s*|)(.*)$/.exec(field("measure").value);
  put("measures", names.filter((each) => word.length > 1 && each.includes(word.toLowerCase())).slice(0, 12).map((each) => make("option", { value: before + each })));
});
