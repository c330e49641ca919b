"use strict";
// An answer that is a list or a table of figures, as a grid: sorted, copied, drawn; every figure leads to its print.
import { make } from "/tools.js";

const amount = (item) => (item.amount === null || item.amount === undefined ? NaN : Number(item.amount));

function bars(items) {
  const most = Math.max(...items.map((item) => Math.abs(amount(item))).filter(Number.isFinite), 0);
  return make("ul", { class: "bars", "aria-hidden": "true" }, ...items.filter((item) => Number.isFinite(amount(item))).map((item) => {
    const bar = make("span", { class: amount(item) < 0 ? "bar-of below" : "bar-of" });
    bar.style.width = `${most ? Math.max(1, (60 * Math.abs(amount(item))) / most) : 1}%`;
    return make("li", {}, make("span", { class: "name" }, item.name), bar, make("span", {}, item.shown));
  }));
}

// What an item is called: its words without the figure, else its period.
function named(item) {
  const name = (item.text.endsWith(item.shown) ? item.text.slice(0, -item.shown.length) : item.text).replace(/[:\s]+$/, "");
  return { ...item, name: name || item.period || "" };
}

export function grid(turn, goTo) {
  if (!["list", "table"].includes(turn.kind) || !turn.items) return null;
  const items = turn.items.filter((item) => item.shown).map(named);
  if (items.length < 2) return null;
  const body = make("tbody", {});
  let order = 0; // as answered, then falling, then rising
  const fill = () => {
    const shown = order ? [...items].sort((one, other) => order * (amount(other) - amount(one))) : items;
    body.replaceChildren(...shown.map((item) => {
      const at = turn.marks[item.fact];
      return make("tr", {}, make("th", { scope: "row" }, item.name), make("td", {}, at ? make("button", { type: "button", class: "figure", click: () => goTo(at) }, item.shown) : item.shown));
    }));
  };
  fill();
  const sort = make("button", { type: "button", class: "quiet", click: () => { order = { 0: 1, 1: -1, "-1": 0 }[order]; fill(); } }, "Sort");
  const copy = make("button", { type: "button", class: "quiet", click: async () => {
    const rows = [...body.rows].map((row) => [...row.cells].map((cell) => cell.textContent).join("\t"));
    await navigator.clipboard?.writeText(rows.join("\n"));
    copy.textContent = "Copied";
  } }, "Copy as table");
  const drawn = bars(items);
  drawn.hidden = true;
  const chart = make("button", { type: "button", class: "quiet", "aria-pressed": "false", click: () => {
    drawn.hidden = !drawn.hidden;
    chart.setAttribute("aria-pressed", String(!drawn.hidden));
  } }, "Chart");
  return make("div", { class: "grid" }, make("div", { class: "bar" }, sort, chart, copy), make("div", { class: "scroll" }, make("table", {}, make("caption", { class: "unseen" }, turn.question), body)), drawn);
}
