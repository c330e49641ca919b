// The right side: the conversation. It has an address, is kept by the server, and goes on where it was left.
import { fault, find, get, hear, icon, kept, listed, make, on, patch, post, posted, put, say, settled, tell } from "/tools.js";
import { buttons, card, lightFirst } from "/answer.js";
import { source } from "/source.js";

const box = find("question");
let reports = []; // keys of those that are asked
let missing = []; // those of the conversation that are not open
let stored = 0; // those that are kept and not open
let offered = [];
let refresh; // of the reports that are open
let dataThere = false;
let conversation = null;
let looked = null;
let busy = null;
let begun = false; // the conversation of the address is there
let recalled = 0;
const turns = [];

const addressed = () => new URLSearchParams(location.search).get("c");
const path = (rest = "") => `/api/conversations/${conversation}${rest}`;
const draftOf = () => `draft-${conversation ?? "new"}`;
let aliases = {}; // of the conversation: the report behind what stands in front of a name

const named = ({ company, form, ended, id }) => (company ? listed(" ", company, form || id, ended?.slice(0, 4)) : id);
const nameOf = (key) => named(offered.find((each) => each.key === key) ?? { id: key });

function ready() {
  const there = begun && (reports.length || dataThere);
  box.disabled = !there;
  find("send").disabled = !there || busy;
  find("undo").disabled = busy || !turns.length;
  find("anew").disabled = busy;
  find("stop").hidden = !busy;
  find("exports").hidden = !turns.length;
  if (conversation) for (const form of ["html", "xlsx", "md", "json"]) find(`as-${form}`).href = path(`/export?form=${form}`);
}

function chips() {
  find("about").hidden = offered.length < 2 && !missing.length && !stored;
  box.placeholder = `Ask about ${reports.length > 1 ? `these ${reports.length} reports` : reports.map(nameOf)[0] ?? "the data"}`;
  put("about", reports.map((key) => make("span.chip", { title: nameOf(key) }, make("span", nameOf(key)),
    (reports.length > 1 || dataThere) && icon("✕", `Take out ${nameOf(key)}`, () => about(reports.filter((each) => each !== key))))),
    missing.map((id) => make("span.chip.gone", { title: "Open its file to ask on" }, `${id} is not open`)),
    make("button", { id: "add", class: "quiet", click: choose }, "+ Report"));
}

// Which reports are asked from now on; what was answered stays.
async function about(keys) {
  if (busy || (!keys.length && !dataThere)) return;
  if (conversation) await patch(path(), { reports: keys }).then(take, fault);
  else { reports = keys; missing = []; }
  chips();
  ready();
}

function take(told) {
  const asked = told.reports.filter((each) => each.asked);
  reports = asked.flatMap(({ key }) => key || []);
  missing = asked.flatMap(({ key, id }) => (key ? [] : id));
  aliases = told.aliases;
  entitle(told.title);
}

function entitle(title) {
  say("title", title || "New conversation");
  document.title = listed(" · ", title, "tieout");
}

function choose() {
  find("adding-words").value = "";
  fillAdding();
  find("adding").showModal();
}

async function fillAdding() {
  const { value } = find("adding-words");
  const { count, reports: hits } = await get(`/api/library?words=${encodeURIComponent(value)}`);
  if (value === find("adding-words").value) put("adding-list", hits.map((each) => {
    const isAsked = reports.includes(each.key);
    const turn = async () => {
      const { key } = each.key ? each : await post("/api/library", { report: each.id });
      await about(isAsked ? reports.filter((other) => other !== key) : [...reports, key]);
      await refresh();
      fillAdding();
    };
    return make("li", make("label", make("input", { type: "checkbox", checked: isAsked, click: turn }), make("span", named(each), " ", make("span.muted", listed(" · ", each.ended, each.company && each.id, !each.key && "not open yet")))));
  }), count > hits.length && make("li.muted", `and ${count - hits.length} more`));
}

function add(turn) {
  turns.push(turn);
  const also = (key) => make("button", { click: () => about([...reports, key]).then(() => ask(turn.question)) }, `Ask ${nameOf(key)} too`);
  const more = turn.elsewhere.map(also);
  if (turn.clarification?.options.length === 0) more.push(make("button", { click: source.contents }, "Show what there is"));
  find("turns").append(card(turn, ask, more));
}

function showLast() {
  lightFirst(turns.at(-1));
  find("turns").lastElementChild.scrollIntoView();
}

function step(kind, value) {
  if (kind === "step") say("working", value.kind === "asked" ? "Reading the question …" : listed(" ", value.text, JSON.stringify(value.input), "…"));
  else if (kind === "said") find("working").append(value.text);
  else if (kind === "answer") { add(value); showLast(); }
  else if (kind === "failed") throw new Error(value.error);
}

async function listen(reply) {
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) {
      const [, kind, data] = /^event: (.*)\ndata: (.*)$/.exec(event);
      step(kind, JSON.parse(data));
    }
  }
}

async function ask(question, meant = "") {
  if (busy || (!reports.length && !dataThere) || !question.trim()) return;
  busy = new AbortController();
  ready();
  say("working", "…");
  const draft = draftOf();
  let left = question;
  try {
    if (!conversation) { const told = await post("/api/conversations", { reports }); aliases = told.aliases; at(told.conversation); }
    await listen(await posted(path("/ask"), { question, meant }, { signal: busy.signal, headers: { accept: "text/event-stream" } }));
    left = "";
    say("working", "");
    if (turns.length === 1) entitle(question);
    tell("conversation", conversation);
  } catch (error) {
    say("working", error.name === "AbortError" ? "Stopped." : error.message);
  }
  busy = null;
  recalled = 0;
  const typed = box.value;
  kept.set(draft, "");
  if (!left && turns.at(-1).turn !== turns.length - 1) await converse(conversation, true); // another tab asked too
  if (typed && typed !== question) left = typed; // who types the next one meanwhile goes on
  ready();
  box.value = left;
  kept.set(draftOf(), left);
  if (!document.activeElement.matches("input, textarea, #shown *")) box.focus();
}

function at(key, replace) {
  conversation = key;
  const address = key ? `/?c=${key}` : "/";
  if (replace) history.replaceState({ key }, "", address);
  else if (addressed() !== key) history.pushState({ key }, "", address);
  tell("conversation", key);
}

function empty() {
  turns.length = 0;
  put("turns");
  source.mark({});
  put("understood");
  say("working", "");
}

async function converse(key, replace) {
  if (busy) return;
  empty();
  if (key) {
    try {
      const told = await get(`/api/conversations/${key}`);
      at(key, replace);
      take(told);
      for (const turn of told.turns) add(turn);
      if (turns.length) showLast();
    } catch (error) { say("working", error.message); key = null; }
  }
  if (!key) {
    at(null, replace);
    missing = [];
    reports = looked ? [looked] : offered.slice(0, 1).map((each) => each.key);
    entitle("");
  }
  box.value = kept.get(draftOf()) ?? "";
  chips();
  ready();
}

async function undo() {
  await post(path("/undo"));
  turns.pop();
  find("turns").lastElementChild?.remove();
  source.mark(turns.at(-1)?.marks ?? {});
  tell("conversation", conversation);
  ready();
}

async function share() {
  const turnOn = (on) => post(path("/share"), { on });
  const address = new URL((await turnOn(true)).path, location).href;
  find("exports").open = false;
  navigator.clipboard?.writeText(address).catch(() => {});
  put("working", "Whoever has this link can read the conversation: ", make("a", { href: address, target: "_blank", rel: "noopener" }, address), " ",
    make("button", { click: () => turnOn(false).then(() => say("working", "The link shows it no longer.")) }, "Stop sharing"));
}

function house({ terms, recipes, data, share, kept }) {
  stored = kept;
  find("share").hidden = !share;
  dataThere = data.length > 0;
  const said = (term) => listed("; ", term.meaning, term.calculation && `calculated as ${term.calculation}`);
  const write = (text) => { box.value = text; box.focus(); };
  put("known", dataThere && [make("h3", "Data"), make("p.muted", data.join(", "))],
    terms.length > 0 && [make("h3", "Terms"), make("dl", terms.map((term) => [make("dt", listed(", ", term.label, term.others)), make("dd", said(term))]))],
    recipes.map((recipe) => [make("h3", recipe.heading), recipe.description && make("p.muted", recipe.description),
      buttons(recipe.questions.map((text) => make("button", { click: () => write(text) }, text)))]));
  find("house").hidden = !find("known").firstChild;
  ready();
}

// A figure is shown: the last question may be answered by it.
hear("figure", ({ report, fact: { name, label, period } }) => {
  const alias = Object.keys(aliases).find((each) => aliases[each] === report);
  const last = turns.at(-1);
  if (alias === undefined || !last || !reports.includes(report)) return;
  const question = `${last.question.replace(/ \(I mean .*\)$/, "")} (I mean ${listed(", ", label, period?.label)})`;
  const mean = () => { find("fact").close(); tell("show", "talk"); ask(question, alias ? `${alias}:${name}` : name); };
  put("fact-meant", make("button.first", { click: mean }, "This is the figure I mean"));
});

export const talk = {
  // Another report is looked at: a conversation that was asked something stays as it is.
  lookedAt(keys) { [looked] = keys; if (!turns.length && !conversation) { reports = keys.slice(0, 50); missing = []; chips(); ready(); } },
  offer(all) { offered = all; reports = reports.filter((key) => all.some((each) => each.key === key)); chips(); ready(); },
  async begin(look) {
    refresh = look;
    await converse(addressed(), true);
    begun = true;
    ready();
  },
};

hear("converse", converse);
hear("forgotten", (key) => { kept.set(`draft-${key}`, ""); if (key === conversation) converse(null, true); });
hear("renamed", (key) => { if (key === conversation) get(path()).then(take); });
addEventListener("popstate", () => converse(addressed(), true));
on("ask", "submit", (event) => { event.preventDefault(); ask(box.value); });
on("question", "input", () => { recalled = 0; kept.set(draftOf(), box.value); });
on("question", "keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); ask(box.value); }
  const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key];
  if (steps && (recalled > 0 || !box.value)) {
    event.preventDefault();
    recalled = Math.min(Math.max(recalled + steps, 0), turns.length);
    box.value = recalled ? turns[turns.length - recalled].question : "";
  }
});
on("stop", "click", () => {
  if (conversation) post(path("/stop")).catch(() => {});
  busy?.abort();
});
get("/api/about").then(house);
on("undo", "click", undo);
on("share", "click", share);
settled("adding-words", fillAdding);
