// Figures by line and column, of an answer or of companies: sorted, copied, drawn; every figure leads to its print.
import { align, listed, make, narrow, press } from "/tools.js";

const MOST_DRAWN = 8;
const MOST_BARS = 40;
const amount = (cell) => Number(cell?.amount ?? NaN);
const isAmount = (cell) => Number.isFinite(amount(cell));
const rank = (cell) => (isAmount(cell) ? amount(cell) : -Infinity);
const falling = (one, other) => (rank(other) > rank(one)) - (rank(other) < rank(one));

// A bar for each figure, one below the other.
function bars(rows, columns) {
  const all = rows.flatMap((row) => row.cells.map((cell, at) => ({ cell, name: listed(", ", row.label, columns[at]) }))).filter(({ cell }) => isAmount(cell));
  const most = Math.max(...all.map(({ cell }) => Math.abs(amount(cell))), 0);
  return make("ul.bars", { "aria-hidden": "true" }, all.slice(0, MOST_BARS).map(({ cell, name }) => make("li", make("span.name", { title: name }, name),
    make(amount(cell) < 0 ? "span.bar-of.below" : "span.bar-of", { style: `width: ${most ? Math.max(1, (38 * Math.abs(amount(cell))) / most) : 1}%` }), make("span", cell.shown))));
}

// A line over the columns for each row; the highest and the lowest figure stand at the side, as they are shown.
function lines(rows, columns, caption) {
  const all = rows.flatMap((row) => row.cells).filter(isAmount).sort(falling);
  const [low, high] = [Math.min(0, amount(all.at(-1))), Math.max(0, amount(all[0]))];
  const wide = narrow() ? 350 : 640;
  const x = (at) => 84 + ((at + 0.5) * (wide - 100)) / columns.length;
  const y = (value) => 206 - (190 * (value - low)) / (high - low || 1);
  const level = (value, text) => [make("line.level", { x1: 84, x2: wide - 16, y1: y(value), y2: y(value) }), make("text", { x: 76, y: y(value) + 4, "text-anchor": "end" }, text)];
  const drawn = rows.map((row, number) => {
    const points = row.cells.map((cell, at) => ({ cell, at })).filter(({ cell }) => isAmount(cell));
    return make(`g.line-${number}`, make("polyline", { points: points.map(({ cell, at }) => `${x(at)},${y(amount(cell))}`).join(" ") }),
      points.map(({ cell, at }) => make("circle", { cx: x(at), cy: y(amount(cell)), r: 4 }, make("title", `${row.label}, ${columns[at]}: ${cell.shown}`))));
  });
  const every = Math.ceil(columns.length / (narrow() ? 5 : 9));
  return make("div", make("svg.lines", { viewBox: `0 0 ${wide} 240`, role: "img", "aria-label": `${caption}, drawn as lines` },
    level(0, "0"), high > 0 && level(high, all[0].shown), low < 0 && level(low, all.at(-1).shown),
    columns.map((column, at) => make("text", { x: x(at), y: 232, "text-anchor": "middle" }, at % every ? "" : column)), drawn),
  make("ul.legend", rows.map((row, number) => make(`li.line-${number}`, row.label))));
}

// columns: their names. rows: [{label, cells: [{shown, amount, unit, title, mark} or null]}]. go: to the print of a cell that leads there.
export function grid({ caption, columns, rows, says = true }, go, leads = () => true) {
  let order = 0; // as given, then falling, then rising
  let by = columns.length - 1;
  let kind = "";
  const picked = new Set(); // the rows that are drawn, where there are many
  const body = make("tbody");
  const drawn = make("div", { hidden: true });
  const many = rows.length > MOST_DRAWN;
  const cell = (each) => make("td", { class: each?.mark && "restated" }, each && leads(each) ? make("button.figure", { title: each.title || "Show where it is printed", click: () => go(each) }, each.shown) : each?.shown);
  const head = (row) => (many ? make("button.figure", { "aria-pressed": `${picked.has(row)}`, title: "Draw it, or no longer", click: () => { if (!picked.delete(row)) picked.add(row); fill(); } }, row.label) : row.label);
  function fill() {
    const shown = order ? [...rows].sort((one, other) => order * falling(one.cells[by], other.cells[by])) : rows;
    body.replaceChildren(...shown.map((row) => make("tr", make("th", { scope: "row" }, head(row)), row.cells.map(cell))));
    align(table);
    if (!kind) return;
    const unit = (row) => row.cells.find(Boolean)?.unit;
    const wanted = picked.size ? shown.filter((row) => picked.has(row)) : many ? shown.slice(0, 3) : shown;
    const alike = wanted.filter((row) => unit(row) === unit(wanted[0])).slice(0, MOST_DRAWN);
    drawn.replaceChildren(kind === "Lines" ? lines(alike, columns, caption) : bars(alike, columns));
  }
  const turnOver = (column) => { order = by === column ? { 0: 1, 1: -1, "-1": 0 }[order] : 1; by = column; fill(); };
  const named = columns.some(Boolean);
  const top = named && make("thead", make("tr", make("td"), columns.map((column, at) => make("th", { scope: "col" }, make("button.quiet", { title: "Sort", click: () => turnOver(at) }, column)))));
  const table = make("table", make("caption", { class: says && "unseen" }, make("span", caption)), top, body);
  const copy = make("button.quiet", { click: async () => {
    await navigator.clipboard?.writeText([...table.rows].map((row) => [...row.cells].map((each) => each.textContent).join("\t")).join("\n"));
    copy.textContent = "Copied";
  } }, "Copy as table");
  const charts = (columns.length > 1 ? ["Lines", "Bars"] : ["Bars"]).map((name) => make("button.quiet", { "aria-pressed": "false", click: () => {
    kind = kind === name ? "" : name;
    drawn.hidden = !kind;
    for (const each of charts) press(each, each.textContent === kind);
    fill();
  } }, name));
  fill();
  return make("div.grid", make("div.bar", charts, !named && make("button.quiet", { click: () => turnOver(0) }, "Sort"), copy), drawn,
    make("div.scroll", { tabindex: 0, role: "region", "aria-label": caption }, table));
}
