"use strict";
// Reports: which are open, how far each is read, opening further ones; and what the keys do.
import { find, get, hear, kept, make, narrow, remove, send, fault } from "/tools.js";
import { source } from "/source.js";
import { talk } from "/talk.js";
import { list } from "/kept.js";

const select = find("report");
let shown = null; // the key of the report on the left
let known = "";
let readOnly = false;
let wrong = []; // what went wrong here, until it is dismissed

export function label(report) {
  const name = report.company ? `${report.company} ${report.form} ${report.ended ?? ""}`.trim() + ` (${report.id})` : report.id;
  return report.state === "ready" ? name : `${name}: ${report.state}`;
}

// keys: of what was opened together, and is asked together.
async function look(key, keys = [key]) {
  talk.lookedAt(keys);
  if (shown === key) return;
  shown = key;
  await source.open(key);
}

hear("opened", (key) => { shown = key; select.value = key; });

function dismiss(report) {
  if (report.key) remove(`/api/reports/${report.key}`).catch(() => {}).then(refresh);
  wrong = wrong.filter((each) => each !== report);
  known = "";
  refresh();
}

const line = (report, text, failed) => make("p", { class: failed ? "failed" : "reading" }, make("span", { class: "grow" }, text),
  failed ? make("button", { class: "quiet", click: () => dismiss(report) }, "Dismiss") : null);

function show(reports) {
  const text = JSON.stringify([reports, wrong]);
  if (text === known) return;
  known = text;
  const there = reports.filter((report) => report.state !== "failed");
  select.replaceChildren(...there.map((report) =>
    make("option", { value: report.key, disabled: report.state !== "ready", selected: report.key === shown }, label(report))));
  if (!there.length) select.append(make("option", {}, "No report is open"));
  const ready = there.filter((report) => report.state === "ready");
  select.disabled = !ready.length;
  source.know(ready);
  talk.offer(ready);
  find("progress").replaceChildren(
    ...there.filter((report) => report.state !== "ready").map((report) => line(report, `${report.id}: ${report.state}${report.state === "reading" && report.done[1] ? `, ${report.done[0]} of ${report.done[1]} pages` : ""} …`)),
    ...reports.filter((report) => report.state === "failed").map((report) => line(report, report.message, !readOnly)),
    ...wrong.map((report) => line(report, report.message, true)));
}

async function refresh() {
  const { reports, read_only } = await get("/api/reports");
  readOnly = read_only;
  find("open").hidden = read_only;
  show(reports);
  if (shown === null) {
    const first = reports.find((report) => report.state === "ready");
    if (first) { await look(first.key); known = ""; show(reports); }
  }
  return reports.some((report) => !["ready", "failed"].includes(report.state));
}

let looking = null; // while anything is being read
let again = false; // something came while the last look was under way
async function lookAgain() {
  try {
    while (again) {
      again = false;
      while (await refresh()) await new Promise((done) => setTimeout(done, 250));
    }
  } catch (error) {
    wrong.push({ message: error.message });
    show([]);
  }
  looking = null;
}

function watch() {
  again = true;
  looking ??= lookAgain();
  return looking;
}

// The files of what was dropped, which may be a folder of folders.
async function inside(entry) {
  if (!entry?.createReader) return entry?.file ? [await new Promise((done, failed) => entry.file(done, failed))] : entry ? [entry] : [];
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed)); // a hundred at most
    if (!some.length) return found;
    found.push(...(await Promise.all(some.map(inside))).flat());
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
  if (there.length) { await look(there[0], there); known = ""; await refresh(); }
}

function press() {
  const { view, left } = document.body.dataset;
  for (const each of ["talk", "source", "companies"]) find(`show-${each}`).setAttribute("aria-pressed", String(each === (narrow() ? view : left)));
}

// On a phone one of the three is seen; at a desk the conversation always, and one of the others beside it.
async function view(name) {
  const { dataset } = document.body;
  dataset.view = name;
  if (name !== "talk") dataset.left = name;
  kept.set("left", dataset.left);
  press();
  if (name === "source") source.centre();
  if (name === "companies") await (await import("/companies.js")).open();
}

select.addEventListener("change", () => { if (document.body.dataset.left !== "source") view("source"); look(select.value); });
for (const [button, input] of [["open-files", "file"], ["open-folder", "folder"]]) {
  find(button).addEventListener("click", () => { find("open").open = false; find(input).click(); });
  find(input).addEventListener("change", (event) => { receive([...event.target.files]); event.target.value = ""; });
}
for (const name of ["talk", "source", "companies"]) find(`show-${name}`).addEventListener("click", () => view(name).catch(fault));
hear("show", view);
hear("figure", ({ report, fact }) => {
  const mean = talk.meant(report, fact.name, [fact.label, fact.period?.label].filter(Boolean).join(", "));
  find("fact-meant").replaceChildren(mean ? make("button", { class: "first", click: () => { find("fact").close(); view("talk"); mean(); } }, "This is the figure I mean") : "");
});
let over = 0;
addEventListener("dragenter", (event) => { event.preventDefault(); over += 1; find("drop").hidden = false; });
addEventListener("dragleave", () => { over -= 1; if (over <= 0) { over = 0; find("drop").hidden = true; } });
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  over = 0;
  find("drop").hidden = true;
  Promise.all([...event.dataTransfer.items].map((each) => inside(each.webkitGetAsEntry?.() ?? each.getAsFile()))).then((all) => receive(all.flat()));
});
addEventListener("keydown", (event) => {
  const typing = ["INPUT", "TEXTAREA", "SELECT"].includes(document.activeElement.tagName);
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

get("/api/about").then((about) => { talk.house(about); find("share").hidden = !about.share; }).catch(fault);
press();
addEventListener("resize", press);
list.show(kept.get("list") === "open" && !narrow());
if (kept.get("left") === "companies" && !narrow()) view("companies").catch(() => {});
const at = new URLSearchParams(location.search).get("at"); // a figure that a query found
watch().then(() => talk.begin()).then(() => at && source.goToIri(at)).catch(fault);
