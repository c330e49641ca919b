"use strict";
// Reports: which are open, how far each is read, opening further ones. What reports say goes into the page as text only.
import { find, make, get, send, say } from "/tools.js";
import { source } from "/source.js";
import { talk } from "/talk.js";

const select = find("report");
let chosen = null;
let known = "";

function label(report) {
  const name = report.company ? `${report.company} ${report.form} ${report.ended ?? ""}`.trim() + ` (${report.id})` : report.id;
  return report.state === "ready" ? name : `${name}: ${report.state}`;
}

async function choose(key) {
  if (chosen === key) return;
  chosen = key;
  await source.open(key);
  talk.about([key]);
}

document.addEventListener("opened", (event) => { chosen = event.detail; select.value = chosen; });

function show(reports) {
  const text = JSON.stringify(reports);
  if (text === known) return;
  known = text;
  const ready = reports.filter((report) => report.state === "ready");
  select.replaceChildren(...reports.map((report) =>
    make("option", { value: report.key, disabled: report.state !== "ready", selected: report.key === chosen }, label(report))));
  if (!reports.length) select.append(make("option", {}, "No report is open"));
  select.disabled = !ready.length;
  talk.offer(ready.map((report) => ({ key: report.key, name: report.company || report.id })));
  const reading = reports.filter((report) => !["ready", "failed"].includes(report.state));
  const failed = reports.filter((report) => report.state === "failed");
  say("progress", [...reading.map((report) => `${report.id}: ${report.state} …`), ...failed.map((report) => report.message)].join(" · "));
}

async function refresh() {
  const { reports, read_only } = await get("/api/reports");
  find("open").hidden = read_only;
  show(reports);
  if (chosen === null) {
    const first = reports.find((report) => report.state === "ready");
    if (first) { await choose(first.key); known = ""; show(reports); }
  }
  return reports.some((report) => !["ready", "failed"].includes(report.state));
}

let watching = false;
async function watch() {
  if (watching) return;
  watching = true;
  try {
    while (await refresh()) await new Promise((done) => setTimeout(done, 250));
  } catch (error) {
    say("progress", error.message);
  }
  watching = false;
}

async function receive(files) {
  for (const file of files) {
    say("progress", `${file.name}: sending …`);
    try {
      const report = await send(`/api/reports?name=${encodeURIComponent(file.name)}`, file);
      await watch();
      const { state } = await get(`/api/reports/${report.key}`);
      if (state === "ready") { await choose(report.key); known = ""; await refresh(); }
    } catch (error) {
      say("progress", `${file.name}: ${error.message}`);
    }
  }
}

function view(name) {
  document.body.dataset.view = name;
  for (const each of ["talk", "source"]) find(`show-${each}`).setAttribute("aria-pressed", String(each === name));
  if (name === "source") document.querySelector("#shown .strong")?.scrollIntoView({ block: "center", inline: "center" });
}

select.addEventListener("change", () => choose(select.value));
find("open").addEventListener("click", () => find("file").click());
find("file").addEventListener("change", (event) => { receive([...event.target.files]); event.target.value = ""; });
for (const name of ["talk", "source"]) find(`show-${name}`).addEventListener("click", () => view(name));
document.addEventListener("show", (event) => view(event.detail));
let over = 0;
addEventListener("dragenter", (event) => { event.preventDefault(); over += 1; find("drop").hidden = false; });
addEventListener("dragleave", () => { over -= 1; if (over <= 0) { over = 0; find("drop").hidden = true; } });
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  over = 0;
  find("drop").hidden = true;
  receive([...event.dataTransfer.files]);
});
addEventListener("keydown", (event) => {
  const typing = ["INPUT", "TEXTAREA", "SELECT"].includes(document.activeElement.tagName);
  if (event.key === "/" && !typing) { event.preventDefault(); view("source"); find("words").focus(); }
  if (event.key === "?" && !typing) { event.preventDefault(); view("talk"); find("question").focus(); }
});
get("/api/about").then(talk.house).catch((error) => say("progress", error.message));
watch();
