// Reports: which are open, how far each is read, opening further ones; and what the keys do.
import { find, get, hear, kept, listed, make, narrow, on, press, put, remove, send } from "/tools.js";
import { source } from "/source.js";
import { talk } from "/talk.js";
import { list } from "/kept.js";

let shown = null; // the key of the report on the left
let known = "";
let readOnly = false;
let wrong = []; // what went wrong here, until it is dismissed

const label = ({ company, form, ended, id, state }) => listed(": ", company ? listed(" ", company, form, ended, `(${id})`) : id, state !== "ready" && state);

// keys: of what was opened together, and is asked together.
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
  const there = reports.filter((report) => report.state !== "failed");
  put("report", there.length ? there.map((report) => make("option", { value: report.key, disabled: report.state !== "ready", selected: report.key === shown }, label(report))) : make("option", "No report is open"));
  const ready = there.filter((report) => report.state === "ready");
  find("report").disabled = !ready.length;
  source.know(ready);
  talk.offer(ready);
  put("progress", there.filter((report) => report.state !== "ready").map(reading), [...reports.filter((report) => report.state === "failed"), ...wrong].map(failed));
}

async function refresh() {
  const { reports, read_only } = await get("/api/reports");
  readOnly = read_only;
  find("open").hidden = read_only;
  show(reports);
  if (shown === null) {
    const first = reports.find((report) => report.state === "ready");
    if (first) await look(first.key);
  }
  return reports.some((report) => !["ready", "failed"].includes(report.state));
}

// Looks until everything is read; what came while a look was under way is seen by the next.
let looking = Promise.resolve();
const watch = () => (looking = looking.then(async () => {
  while (await refresh()) await new Promise((done) => setTimeout(done, 250));
}).catch((error) => { wrong.push({ message: error.message }); show([]); }));

// The files of what was dropped, which may be a folder of folders.
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
      sent.push((await send(`/api/reports?name=${encodeURIComponent(file.name)}`, file)).key);
      watch();
    } catch (error) {
      wrong.push({ message: `${file.name}: ${error.message}` });
      await refresh();
    }
  }
  await watch();
  const { reports } = await get("/api/reports");
  const there = sent.filter((key) => reports.some((each) => each.key === key && each.state === "ready"));
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
addEventListener("keydown", (event) => {
  const typing = document.activeElement.matches("input, textarea, select");
  if (event.key === "/" && !typing) { event.preventDefault(); view("source"); find("words").focus(); }
  if (event.key === "?" && !typing) { event.preventDefault(); view("talk"); find("question").focus(); }
  if (event.key === "Escape" && !document.querySelector("dialog[open]")) {
    for (const menu of document.querySelectorAll(".menu[open]")) menu.open = false;
    source.closeFound();
    if (narrow()) list.show(false);
    else if (document.activeElement.id === "words") find("question").focus();
  }
});
for (const menu of document.querySelectorAll(".menu")) addEventListener("click", (event) => { if (!menu.contains(event.target)) menu.open = false; });

pressView();
addEventListener("resize", pressView);
list.show(kept.get("list") === "open" && !narrow());
if (kept.get("left") === "companies" && !narrow()) view("companies");
const at = new URLSearchParams(location.search).get("at"); // a figure that a query found
watch().then(() => talk.begin()).then(() => at && source.goToIri(at));
