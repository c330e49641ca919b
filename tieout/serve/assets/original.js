// The report as it was printed: the pages of a PDF with boxes, the filing itself in a frame, the sheets of a workbook.
import { all, centre, find, get, make, press, put, region } from "/tools.js";

let report = null; // as the API has it
let ready = null; // a promise of what is shown of it
let marks = [];

const path = (rest) => `/api/reports/${report.key}/${rest}`;
const host = () => find("original");
const letters = (column) => (column > 26 ? letters(Math.floor((column - 1) / 26)) : "") + String.fromCharCode(65 + ((column - 1) % 26));

// A PDF: every page has its place at once, and is drawn when it comes into view.
async function showPages() {
  const { pages } = await get(path("pages"));
  const wide = Math.min(2000, Math.ceil(Math.max(host().clientWidth, 700) * devicePixelRatio / 200) * 200); // pixels
  put("original", pages.map(([width, height], at) =>
    make("div.page", { "data-page": at + 1, role: "group", "aria-label": `Page ${at + 1}`, style: `aspect-ratio: ${width} / ${height}` },
      make("img", { loading: "lazy", src: path(`pages/${at + 1}?width=${wide}`), alt: `Page ${at + 1} as printed` }))));
  const box = ([number, left, top, right, bottom], strong) => {
    const [width, height] = pages[number - 1];
    const edge = (space, whole) => `${(100 * Math.max(0, space - 2)) / whole}%`;
    const made = make(strong ? "div.boxed.strong" : "div.boxed", { style: `inset: ${edge(top, height)} ${edge(width - right, width)} ${edge(height - bottom, height)} ${edge(left, width)}` });
    host().querySelector(`[data-page="${number}"]`).append(made);
    return made;
  };
  return (place) => {
    for (const each of all(host(), ".boxed")) each.remove();
    const light = (each, strong) => (each.boxes ?? []).map((one) => box(one, strong));
    for (const each of marks) light(each, false);
    return place ? light(place, true)[0] : null;
  };
}

// A filing: it runs nothing of its own; this page looks for the marks in it, and scrolls.
async function showFiling() {
  const frame = make("iframe", { sandbox: "allow-same-origin", title: "The report as it was filed", src: path("original") });
  const loaded = new Promise((done) => frame.addEventListener("load", done, { once: true }));
  put("original", frame);
  await loaded;
  const inside = frame.contentDocument;
  if (!inside?.querySelector("[data-cell], [data-span]")) throw new Error("the original is not ready yet, or cannot be shown");
  // What the keys do, and that a click elsewhere closes what is open, holds in the frame too.
  inside.addEventListener("keydown", ({ key }) => dispatchEvent(new KeyboardEvent("keydown", { key })));
  inside.addEventListener("click", () => host().click());
  const found = (place) => {
    if (place.table) return all(inside, `[data-cell~="${place.table}.${place.row}.${place.column}"]`);
    return all(inside, `[data-span^="${place.paragraph}."]`).filter((node) => node.dataset.span.split(" ").some((text) => {
      const [at, start, end, said] = text.split(".").map(Number);
      return at === place.paragraph && start < place.end && place.start < end && !(said && place.fact);
    }));
  };
  return (place) => {
    for (const node of all(inside, ".tieout-lit, .tieout-strong")) node.classList.remove("tieout-lit", "tieout-strong");
    for (const each of marks) for (const node of found(each)) node.classList.add("tieout-lit");
    const nodes = place ? found(place) : [];
    for (const node of nodes) node.classList.add("tieout-strong");
    nodes[0]?.scrollIntoView({ block: "center", inline: "nearest" });
  };
}

async function showSheets() {
  const { sheets } = await get(path("sheets"));
  let open = "";
  const grid = region("Sheet");
  const tabs = make("div.choice.sheets", { role: "group", "aria-label": "Sheets" });
  const turnTo = (name) => {
    if (open === name) return;
    open = name;
    const sheet = sheets.find((each) => each.name === name);
    const columns = Array.from({ length: sheet.columns }, (_, at) => letters(at + 1));
    const cell = (at) => make("td", { "data-at": at, class: /^[\s(−-]*[\d$€£¥]/.test(sheet.cells[at]) && "number" }, sheet.cells[at]);
    const rows = Array.from({ length: sheet.rows }, (_, at) => make("tr", make("th", { scope: "row" }, at + 1), columns.map((letter) => cell(`${letter}${at + 1}`))));
    grid.replaceChildren(make("table.sheet", make("caption.unseen", name),
      make("thead", make("tr", make("td"), columns.map((letter) => make("th", { scope: "col" }, letter)))), make("tbody", rows)));
    for (const tab of tabs.children) press(tab, tab.dataset.name === name);
  };
  tabs.append(...sheets.map(({ name }) => make("button", { "data-name": name, "aria-pressed": "false", click: () => { turnTo(name); light(null); } }, name)));
  put("original", tabs, grid);
  const split = ({ cell }) => /^(.*)!([A-Z]+[0-9]+)/.exec(cell)?.slice(1) ?? []; // the sheet, and the cell or the first of them
  const light = (place) => {
    const [sheet, cell] = split(place ?? {});
    if (sheet) turnTo(sheet);
    for (const node of all(grid, ".lit")) node.classList.remove("lit", "strong");
    for (const each of marks) {
      const [name, at] = split(each);
      if (name === open) grid.querySelector(`[data-at="${at}"]`)?.classList.add("lit");
    }
    const node = grid.querySelector(`[data-at="${cell}"]`);
    node?.classList.add("lit", "strong");
    return node;
  };
  if (sheets.length) turnTo(sheets[0].name);
  return light;
}

// Shows a report, with the place lit; the places that an answer rests on are lit too.
export async function show(next, place, places) {
  if (next.key !== report?.key) { report = next; ready = null; put("original"); }
  marks = places.filter((each) => each.report === report.key);
  ready ??= { pdf: showPages, html: showFiling, sheets: showSheets }[report.original]();
  let light;
  try { light = await ready; } catch (error) { ready = null; throw error; }
  centre(light(place));
}
