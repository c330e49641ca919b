// Reports: which are open, how far each is read, opening further ones; and what the keys do.
import { all, find, get, hear, kept, listed, make, narrow, on, press, put, remove } from "/tools.js";
import { source } from "/source.js";
import { talk } from "/talk.js";
import { list } from "/kept.js";

let held = []; // keys of those that can be asked
let shown = null; // the key of the report on the left
let known = "";
let readOnly = false;
let wrong = []; // what went wrong here, until it is dismissed
let before = null; // keys of what had failed before this page: others were told

const isReady = ({ state }) => state === "ready";
const hasFailed = ({ state }) => state === "failed";
const label = ({ company, form, ended, id, state }) => listed(": ", company ? listed(" ", company, form, ended, `(${id})`) : id, state !== "ready" && state);

// keys: of what is asked together.
async function look(key, keys = [key]) {
  talk.lookedAt(keys);
  if (shown === key) return;
  shown = key;
  await source.open(key);
}

hear("opened", (key) => { shown = key; find("report").value = key; });

function dismiss(report) {
  if (report.key) remove(`/api/reports/${report.key}`).finally(refresh);
  wrong = wrong.filter((each) => each !== report);
  refresh();
}

const failed = (report) => make("p.failed", make("span.grow", report.message), !(report.key && readOnly) && make("button.quiet", { click: () => dismiss(report) }, "Dismiss"));
const reading = ({ id, state, done: [done, all] }) => make("p.reading", `${id}: ${state}${state === "reading" && all ? `, ${done} of ${all} pages` : ""} …`);

function show(reports) {
  const text = JSON.stringify([reports, wrong]);
  if (text === known) return;
  known = text;
  const there = reports.filter((report) => !hasFailed(report));
  put("report", there.length ? there.map((report) => make("option", { value: report.key, disabled: !isReady(report), selected: report.key === shown }, label(report))) : make("option", "No report is open"));
  const ready = there.filter(isReady);
  held = ready.map(({ key }) => key);
  find("report").disabled = !held.length;
  source.know(ready);
  talk.offer(ready);
  put("progress", there.filter((report) => !isReady(report)).map(reading), [...reports.filter(hasFailed), ...wrong].map(failed));
}

async function refresh() {
  const { reports: all, read_only } = await get("/api/reports");
  before ??= all.some(isReady) ? all.filter(hasFailed).map(({ key }) => key) : [];
  const reports = all.filter(({ key }) => !before.includes(key));
  readOnly = read_only;
  find("open").hidden = read_only;
  show(reports);
  if (shown === null && held.length) await look(held[0]).catch(({ message }) => show(reports, wrong.push({ message })));
  return reports.some((report) => !isReady(report) && !hasFailed(report));
}

// Looks until everything is read; what came while a look was under way is seen by the next.
let looking = Promise.resolve();
const watch = () => (looking = looking.then(async () => {
  while (await refresh()) await new Promise((done) => setTimeout(done, 250));
}).catch(({ message }) => show([], wrong.push({ message }))));

async function inside(entry) {
  if (!entry?.createReader) return entry?.file ? new Promise((done, failed) => entry.file(done, failed)) : entry ?? [];
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed)); // a hundred at most
    if (!some.length) return found;
    found.push(...await Promise.all(some.map(inside)));
  }
}

async function receive(files) {
  const sent = [];
  for (const file of files.filter(({ name }) => !name.startsWith("."))) {
    try {
      sent.push((await get(`/api/reports?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file })).key);
      watch();
    } catch (error) {
      wrong.push({ message: `${file.name}: ${error.message}` });
      await refresh();
    }
  }
  await watch();
  const there = sent.filter((key) => held.includes(key));
  if (there.length) await look(there[0], there);
}

const VIEWS = ["talk", "source", "companies"];
function pressView() {
  const { view, left } = document.body.dataset;
  for (const each of VIEWS) press(find(`show-${each}`), each === (narrow() ? view : left));
}

// On a phone one of the three is seen; at a desk the conversation always, and one of the others beside it.
async function view(name) {
  const { dataset } = document.body;
  dataset.view = name;
  if (name !== "talk") dataset.left = name;
  kept.set("left", dataset.left);
  pressView();
  if (name === "source") source.centre();
  if (name === "companies") await (await import("/companies.js")).open();
}

function toQuestion() { view("talk"); find("question").focus(); }

on("report", "change", () => { if (document.body.dataset.left !== "source") view("source"); look(find("report").value); });
for (const [button, input] of [["open-files", "file"], ["open-folder", "folder"]]) {
  on(button, "click", () => { find("open").open = false; find(input).click(); });
  on(input, "change", (event) => { receive([...event.target.files]); event.target.value = ""; });
}
for (const name of VIEWS) on(`show-${name}`, "click", () => view(name));
hear("show", view);
for (const kind of ["dragenter", "dragover", "dragleave", "drop"]) addEventListener(kind, (event) => {
  event.preventDefault();
  find("drop").hidden = kind === "drop" || (kind === "dragleave" && !event.relatedTarget); // it left the window
});
addEventListener("drop", (event) => {
  Promise.all([...event.dataTransfer.items].map((each) => inside(each.webkitGetAsEntry?.() ?? each.getAsFile()))).then((all) => receive(all.flat(Infinity)));
});
const closeMenus = (but) => { for (const menu of all(document, ".menu[open]")) if (!menu.contains(but)) {
  if (menu.contains(document.activeElement)) menu.firstElementChild.focus();
  menu.open = false;
} };
addEventListener("keydown", (event) => {
  const sign = document.activeElement.matches("input, textarea, select") ? "" : event.key;
  if (sign === "/") { event.preventDefault(); view("source"); find("words").focus(); }
  if (sign === "?") { event.preventDefault(); toQuestion(); }
  if (event.key === "Escape" && !document.querySelector("dialog[open]")) {
    closeMenus(null);
    if (narrow()) list.show(false);
    if (!source.closeFound() && find("source").contains(document.activeElement)) toQuestion();
  }
});
addEventListener("click", ({ target }) => closeMenus(target));

pressView();
addEventListener("resize", pressView);
list.show(kept.get("list") === "open" && !narrow());
if (kept.get("left") === "companies" && !narrow()) view("companies");
const at = new URLSearchParams(location.search).get("at"); // a figure that a query found
watch().then(() => talk.begin(watch)).then(() => at && source.goToIri(at));
