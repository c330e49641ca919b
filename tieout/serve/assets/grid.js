// Figures by line and column: sorted, copied, drawn; every figure leads to its print.
import { align, all, make, posted, press, region } from "/tools.js";

const MOST_DRAWN = 8; // lines; as many colours are told apart
const MOST_BARS = 40; // of a list
const rank = (cell) => Number(cell?.amount ?? -Infinity);
const falling = (one, other) => rank(other) - rank(one);

// The figures as the server draws them, each a link to its print. A list has its lines beside each other.
async function chart({ title, unit, columns, rows }, kind, width, go, leads) {
  const list = columns.length === 1;
  const series = list ? [{ label: columns[0], cells: rows.map((row) => row.cells[0]) }] : rows;
  const reply = await posted("/api/chart", { title, unit, kind, width, categories: list ? rows.map((row) => row.label) : columns,
    series: series.map(({ label, cells }, number) => ({ name: label, values: cells.map((cell) => cell?.drawn ?? null), shown: cells.map((cell) => cell?.shown ?? ""),
      links: cells.map((cell, at) => (cell && leads(cell) ? `#${number}.${at}` : "")) })) });
  const drawn = new DOMParser().parseFromString(await reply.text(), "image/svg+xml").documentElement;
  for (const each of all(drawn, "a")) {
    const [number, at] = each.getAttribute("xlink:href").slice(1).split(".");
    each.addEventListener("click", (event) => { event.preventDefault(); go(series[number].cells[at]); });
  }
  drawn.setAttribute("role", "group");
  return drawn;
}

// unit: of all. rows: [{label, cells: [{shown, amount, drawn, unit, title, restated} or null]}]. go: to the print of a cell that leads there.
export function grid({ caption, unit, columns, rows, says = true }, go, leads = () => true) {
  let order = 0; // as given, then falling, then rising
  let by = columns.length - 1;
  let kind = "";
  const picked = new Set(); // the rows that are drawn, where there are many
  const body = make("tbody");
  const drawn = make("div.drawn", { hidden: true });
  const many = rows.length > MOST_DRAWN;
  const cell = (each) => make("td", { class: each?.restated?.length > 0 && "restated" }, each && leads(each) ? make("button.figure", { title: each.title || "Show where it is printed", click: () => go(each) }, each.shown) : each?.shown);
  const head = (row) => (many ? make("button.figure", { "aria-pressed": `${picked.has(row)}`, title: "Draw it, or no longer", click: () => { if (!picked.delete(row)) picked.add(row); fill(); } }, row.label) : row.label);
  function fill() {
    const shown = order ? rows.toSorted((one, other) => order * falling(one.cells[by], other.cells[by])) : rows;
    body.replaceChildren(...shown.map((row) => make("tr", make("th", { scope: "row" }, head(row)), row.cells.map(cell))));
    align(table);
    if (!kind) return;
    const of = (row) => row.cells.find(Boolean)?.unit;
    const wanted = picked.size ? shown.filter((row) => picked.has(row)) : many ? shown.slice(0, 3) : shown;
    const alike = wanted.filter((row) => of(row) === of(wanted[0])).slice(0, columns.length > 1 ? MOST_DRAWN : MOST_BARS);
    const width = Math.max(240, Math.min(drawn.clientWidth, 900));
    chart({ title: says ? "" : caption, unit, columns, rows: alike }, kind.toLowerCase(), width, go, leads).then((picture) => {
      picture.setAttribute("aria-label", `${caption}, drawn as ${kind.toLowerCase()}`);
      drawn.replaceChildren(picture);
    }, (error) => drawn.replaceChildren(make("p.failed", error.message)));
  }
  const turnOver = (column) => { order = by !== column ? 1 : order > 0 ? -1 : order + 1; by = column; fill(); };
  const named = columns.some(Boolean);
  const isDrawn = rows.some((row) => row.cells.some((each) => Number.isFinite(each?.drawn)));
  const top = (named || unit) && make("thead", make("tr", make("td.unit", unit), columns.map((column, at) => make("th", { scope: "col" }, make("button.quiet", { title: "Sort", click: () => turnOver(at) }, column)))));
  const table = make("table", make("caption", { class: says && "unseen" }, make("span", caption)), top, body);
  const copy = make("button.quiet", { click: async () => {
    await navigator.clipboard?.writeText([...table.rows].map((row) => row.innerText).join("\n"));
    copy.textContent = "Copied";
  } }, "Copy as table");
  const charts = (!isDrawn ? [] : columns.length > 1 ? ["Lines", "Bars"] : ["Bars"]).map((name) => make("button", { "aria-pressed": "false", click: () => {
    kind = kind === name ? "" : name;
    drawn.hidden = !kind;
    for (const each of charts) press(each, each.textContent === kind);
    fill();
  } }, name));
  fill();
  return make("div.grid", make("div.bar", charts[0] && make("div.choice", charts), !named && make("button.quiet", { click: () => turnOver(0) }, "Sort"), copy), drawn, region(caption, table));
}
