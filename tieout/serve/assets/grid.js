"use strict";
// An answer that is a list or a table of figures, as a grid: sorted, copied, drawn; every figure leads to its print.
import { make } from "/tools.js";

const amount = (item) => (item?.amount === null || item?.amount === undefined ? NaN : Number(item.amount));

// Where an item stands: as the answer says, else in one column under its words without the figure, or its period.
function placed(item) {
  const words = (item.text.endsWith(item.shown) ? item.text.slice(0, -item.shown.length) : item.text).replace(/[:\s]+$/, "");
  return { ...item, row: item.row ?? (words || item.period || ""), column: item.column ?? "" };
}

function bars(rows, columns, of) {
  const most = Math.max(...rows.flatMap((row) => columns.map((column) => Math.abs(amount(of(row, column))))).filter(Number.isFinite), 0);
  return make("ul", { class: "bars", "aria-hidden": "true" }, ...rows.flatMap((row) => columns.map((column) => of(row, column)).filter((item) => Number.isFinite(amount(item))).map((item) => {
    const bar = make("span", { class: amount(item) < 0 ? "bar-of below" : "bar-of" });
    bar.style.width = `${most ? Math.max(1, (38 * Math.abs(amount(item))) / most) : 1}%`;
    return make("li", {}, make("span", { class: "name" }, [row, item.column].filter(Boolean).join(", ")), bar, make("span", {}, item.shown));
  })));
}

export function grid(turn, goTo) {
  if (!["list", "table"].includes(turn.kind) || !turn.items) return null;
  const items = turn.items.filter((item) => item.shown).map(placed);
  if (items.length < 2) return null;
  const rows = [...new Set(items.map((item) => item.row))];
  const columns = [...new Set(items.map((item) => item.column))];
  if (rows.length * columns.length > items.length && columns.length === 1) return null; // two figures of one name
  const of = (row, column) => items.find((item) => item.row === row && item.column === column);
  let order = 0; // as answered, then falling, then rising
  let by = columns.at(-1);
  const body = make("tbody", {});
  const cell = (item) => {
    const at = item ? turn.marks[item.fact] : null;
    return make("td", {}, at ? make("button", { type: "button", class: "figure", title: "Show where it is printed", click: () => goTo(at) }, item.shown) : item?.shown ?? "");
  };
  const fill = () => {
    const shown = order ? [...rows].sort((one, other) => order * (amount(of(other, by)) - amount(of(one, by)))) : rows;
    body.replaceChildren(...shown.map((row) => make("tr", {}, make("th", { scope: "row" }, row), ...columns.map((column) => cell(of(row, column))))));
  };
  fill();
  const turnOver = (column) => { order = by === column ? { 0: 1, 1: -1, "-1": 0 }[order] : 1; by = column; fill(); };
  const head = columns.length > 1 ? make("thead", {}, make("tr", {}, make("td", {}), ...columns.map((column) => make("th", { scope: "col" }, make("button", { type: "button", class: "quiet", title: "Sort", click: () => turnOver(column) }, column))))) : null;
  const sort = columns.length > 1 ? null : make("button", { type: "button", class: "quiet", click: () => turnOver(by) }, "Sort");
  const table = make("table", {}, make("caption", { class: "unseen" }, turn.question), head, body);
  const copy = make("button", { type: "button", class: "quiet", click: async () => {
    await navigator.clipboard?.writeText([...table.rows].map((row) => [...row.cells].map((each) => each.textContent).join("\t")).join("\n"));
    copy.textContent = "Copied";
  } }, "Copy as table");
  const drawn = bars(rows, columns, of);
  drawn.hidden = true;
  const chart = make("button", { type: "button", class: "quiet", "aria-pressed": "false", click: () => {
    drawn.hidden = !drawn.hidden;
    chart.setAttribute("aria-pressed", String(!drawn.hidden));
  } }, "Chart");
  return make("div", { class: "grid" }, make("div", { class: "bar" }, sort, chart, copy), make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "The answer as a table" }, table), drawn);
}
