"use strict";
// Figures by line and column, of an answer or of companies: sorted, copied, drawn; every figure leads to its print.
import { align, make, narrow } from "/tools.js";

const MOST_DRAWN = 8;
const MOST_BARS = 40;
const amount = (cell) => (cell?.amount === null || cell?.amount === undefined ? NaN : Number(cell.amount));
const rank = (cell) => (Number.isFinite(amount(cell)) ? amount(cell) : -Infinity);
const falling = (one, other) => (rank(other) > rank(one)) - (rank(other) < rank(one));

function svg(tag, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// A bar for each figure, one below the other.
function bars(rows, columns) {
  const all = rows.flatMap((row) => row.cells.map((cell, at) => ({ cell, name: [row.label, columns[at]].filter(Boolean).join(", ") }))).filter(({ cell }) => Number.isFinite(amount(cell)));
  const most = Math.max(...all.map(({ cell }) => Math.abs(amount(cell))), 0);
  return make("ul", { class: "bars", "aria-hidden": "true" }, ...all.slice(0, MOST_BARS).map(({ cell, name }) => {
    const bar = make("span", { class: amount(cell) < 0 ? "bar-of below" : "bar-of" });
    bar.style.width = `${most ? Math.max(1, (38 * Math.abs(amount(cell))) / most) : 1}%`;
    return make("li", {}, make("span", { class: "name", title: name }, name), bar, make("span", {}, cell.shown));
  }));
}

// A line over the columns for each row; the highest and the lowest figure stand at the side, as they are shown.
function lines(rows, columns, caption) {
  const all = rows.flatMap((row) => row.cells).filter((cell) => Number.isFinite(amount(cell))).sort(falling);
  const [low, high] = [Math.min(0, amount(all.at(-1))), Math.max(0, amount(all[0]))];
  const wide = narrow() ? 350 : 640;
  const x = (at) => 84 + ((at + 0.5) * (wide - 100)) / columns.length;
  const y = (value) => 206 - (190 * (value - low)) / (high - low || 1);
  const level = (value, text) => [svg("line", { class: "level", x1: 84, x2: wide - 16, y1: y(value), y2: y(value) }), svg("text", { x: 76, y: y(value) + 4, "text-anchor": "end" }, text)];
  const drawn = rows.map((row, number) => {
    const points = row.cells.map((cell, at) => ({ cell, at })).filter(({ cell }) => Number.isFinite(amount(cell)));
    return svg("g", { class: `line-${number}` }, svg("polyline", { points: points.map(({ cell, at }) => `${x(at)},${y(amount(cell))}`).join(" ") }),
      ...points.map(({ cell, at }) => svg("circle", { cx: x(at), cy: y(amount(cell)), r: 4 }, svg("title", {}, `${row.label}, ${columns[at]}: ${cell.shown}`))));
  });
  const every = Math.ceil(columns.length / (narrow() ? 5 : 9));
  return make("div", {}, svg("svg", { viewBox: `0 0 ${wide} 240`, class: "lines", role: "img", "aria-label": `${caption}, drawn as lines` },
    ...level(0, "0"), ...(high > 0 ? level(high, all[0].shown) : []), ...(low < 0 ? level(low, all.at(-1).shown) : []),
    ...columns.map((column, at) => svg("text", { x: x(at), y: 232, "text-anchor": "middle" }, at % every ? "" : column)), ...drawn),
  make("ul", { class: "legend" }, ...rows.map((row, number) => make("li", { class: `line-${number}` }, row.label))));
}

// columns: their names. rows: [{label, cells: [{shown, amount, unit, leads, title, mark} or null]}]. go: to the print of a cell.
export function grid({ caption, columns, rows, says = true }, go) {
  let order = 0; // as given, then falling, then rising
  let by = columns.length - 1;
  let kind = "";
  const picked = new Set(); // the rows that are drawn, where there are many
  const body = make("tbody", {});
  const drawn = make("div", { hidden: true });
  const many = rows.length > MOST_DRAWN;
  const cell = (each) => make("td", { class: each?.mark ? "restated" : null }, each?.leads ? make("button", { class: "figure", title: each.title || "Show where it is printed", click: () => go(each) }, each.shown) : each?.shown ?? "");
  const sorted = () => (order ? [...rows].sort((one, other) => order * falling(one.cells[by], other.cells[by])) : rows);
  const head = (row) => (many ? make("button", { class: "figure", "aria-pressed": String(picked.has(row)), title: "Draw it, or no longer", click: () => { if (!picked.delete(row)) picked.add(row); fill(); } }, row.label) : row.label);
  function fill() {
    const shown = sorted();
    body.replaceChildren(...shown.map((row) => make("tr", {}, make("th", { scope: "row" }, head(row)), ...row.cells.map(cell))));
    align(table);
    if (!kind) return;
    const unit = (row) => row.cells.find(Boolean)?.unit;
    const wanted = picked.size ? shown.filter((row) => picked.has(row)) : many ? shown.slice(0, 3) : shown;
    const alike = wanted.filter((row) => unit(row) === unit(wanted[0])).slice(0, MOST_DRAWN);
    drawn.replaceChildren(kind === "Lines" ? lines(alike, columns, caption) : bars(alike, columns));
  }
  const turnOver = (column) => { order = by === column ? { 0: 1, 1: -1, "-1": 0 }[order] : 1; by = column; fill(); };
  const named = columns.some(Boolean);
  const top = named ? make("thead", {}, make("tr", {}, make("td", {}), ...columns.map((column, at) => make("th", { scope: "col" }, make("button", { class: "quiet", title: "Sort", click: () => turnOver(at) }, column))))) : null;
  const table = make("table", {}, make("caption", { class: says ? "unseen" : null }, make("span", {}, caption)), top, body);
  const copy = make("button", { class: "quiet", click: async () => {
    const all = [["", ...columns], ...sorted().map((row) => [row.label, ...row.cells.map((each) => each?.shown ?? "")])];
    await navigator.clipboard?.writeText((named ? all : all.slice(1)).map((row) => row.join("\t")).join("\n"));
    copy.textContent = "Copied";
  } }, "Copy as table");
  const charts = (columns.length > 1 ? ["Lines", "Bars"] : ["Bars"]).map((name) => make("button", { class: "quiet", "aria-pressed": "false", click: () => {
    kind = kind === name ? "" : name;
    drawn.hidden = !kind;
    for (const each of charts) each.setAttribute("aria-pressed", String(each.textContent === kind));
    fill();
  } }, name));
  fill();
  return make("div", { class: "grid" }, make("div", { class: "bar" }, ...charts, named ? null : make("button", { class: "quiet", click: () => turnOver(0) }, "Sort"), copy), drawn,
    make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption }, table));
}

// An answer that is a list or a table of figures; null for any other. Its items stand as the answer says, else in one
// column under their words without the figure.
export function answered(turn, goTo) {
  if (!["list", "table"].includes(turn.kind) || !turn.items) return null;
  const items = turn.items.filter((item) => item.shown).map((item) => {
    const words = (item.text.endsWith(item.shown) ? item.text.slice(0, -item.shown.length) : item.text).replace(/[:\s]+$/, "");
    return { ...item, row: item.row ?? (words || item.period || ""), column: item.column ?? "", leads: turn.marks[item.fact] };
  });
  const columns = [...new Set(items.map((item) => item.column))];
  const labels = [...new Set(items.map((item) => item.row))];
  if (items.length < 2 || labels.length * columns.length > items.length && columns.length === 1) return null; // two figures of one name
  const rows = labels.map((label) => ({ label, cells: columns.map((column) => items.find((item) => item.row === label && item.column === column) ?? null) }));
  return grid({ caption: turn.question, columns, rows }, (item) => goTo(item.leads));
}
