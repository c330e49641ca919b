// What all scripts of the page use.
export const find = (id) => document.getElementById(id);
export const all = (within, selector) => [...within.querySelectorAll(selector)];

// `p.muted`: an element with its class. parts: attributes, texts, elements, lists of these; what is missing is left out.
export function make(tag, ...parts) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElement(name);
  if (name === "button") node.type = name; // unless it is said
  if (classes.length) node.setAttribute("class", classes.join(" "));
  for (const part of there(parts)) {
    if (part.constructor !== Object) node.append(part);
    else for (const [key, value] of Object.entries(part)) {
      if (key === "click") node.addEventListener(key, value);
      else if (key === "style") node.style.cssText = value;
      else if (value !== false && value != null) node.setAttribute(key, value === true ? "" : value);
    }
  }
  return node;
}

const there = (parts) => parts.flat(9).filter((part) => part || part === 0);
export const put = (id, ...parts) => find(id).replaceChildren(...there(parts));
export const listed = (by, ...parts) => there(parts).join(by);

export const icon = (sign, words, click) => make("button.quiet.icon", { title: words, "aria-label": words, click }, sign);

// What scrolls by itself, also by the keyboard.
export const region = (label, ...parts) => make("div.scroll", { tabindex: 0, role: "region", "aria-label": label }, parts);

async function fetched(path, options) {
  const reply = await fetch(path, options).catch((error) => { throw error.name === "AbortError" ? error : new Error("the server does not answer"); });
  if (reply.ok) return reply;
  const text = await reply.text();
  let message = text;
  try { message = JSON.parse(text).error; } catch { /* it was no JSON */ }
  throw new Error(String(message).trim() || `the server said ${reply.status}`);
}

const json = { "content-type": "application/json" };
export const posted = (path, value = {}, more = {}) => fetched(path, { method: "POST", body: JSON.stringify(value), ...more, headers: { ...json, ...more.headers } });
export const get = async (path, options) => (await fetched(path, options)).json();
export const factOf = (report, name) => get(`/api/reports/${report}/facts/${encodeURIComponent(name)}`);
export const post = async (path, value) => (await posted(path, value)).json();
export const patch = (path, value) => get(path, { method: "PATCH", body: JSON.stringify(value), headers: json });
export const remove = (path) => get(path, { method: "DELETE" });

export function say(id, text) {
  if (find(id).textContent !== text) find(id).textContent = text;
}

// What went wrong, also where nobody waited for it.
export const fault = (error) => say("working", error.message);
addEventListener("unhandledrejection", (event) => { event.preventDefault(); fault(event.reason); });

export const on = (id, kind, work) => find(id).addEventListener(kind, work);
export const centre = (node) => node?.scrollIntoView({ block: "center", inline: "center" });
export const press = (button, isOn) => button.setAttribute("aria-pressed", isOn);

// Does work once nobody has typed for a moment.
export function settled(id, work) {
  let waiting = 0;
  on(id, "input", () => { clearTimeout(waiting); waiting = setTimeout(work, 200); });
}

// What this browser remembers; where it may not, nothing is.
export const kept = {
  get(name) { try { return localStorage.getItem(`tieout-${name}`); } catch { return null; } },
  set(name, value) { try { localStorage[value ? "setItem" : "removeItem"](`tieout-${name}`, value); } catch { /* it may not */ } },
};

export const tell = (kind, detail) => document.dispatchEvent(new CustomEvent(kind, { detail }));
export const hear = (kind, work) => document.addEventListener(kind, (event) => work(event.detail));
export const narrow = () => matchMedia("(max-width: 800px)").matches;

// Puts the points of a column below each other: a figure is followed, unseen, by what the longest has behind its point.
export function align(table) {
  const columns = [];
  for (const row of table.rows) {
    let at = 0;
    for (const cell of row.cells) {
      const found = cell.tagName === "TD" && /^[^A-Za-z]*\d(\.\d+)?([)%]*(?: \?)?)$/.exec(cell.textContent.trim());
      if (found) (columns[at] ??= []).push({ cell, point: found[1] ?? "", end: found[2] });
      at += cell.colSpan;
    }
  }
  for (const cells of columns.filter(Boolean)) {
    const longest = (of) => cells.reduce((most, each) => (each[of].length > most.length ? each[of] : most), "");
    const [point, end] = [longest("point"), longest("end")];
    for (const each of cells) each.cell.dataset.rest = point.slice(each.point.length) + end.slice(each.end.length);
  }
}
