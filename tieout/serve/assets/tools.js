"use strict";
// What all scripts of the page use.
export const find = (id) => document.getElementById(id);

export function make(tag, attributes, ...children) {
  const node = document.createElement(tag);
  if (tag === "button") node.type = "button"; // unless it is said
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name === "click") node.addEventListener("click", value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

async function checked(reply) {
  if (reply.ok) return reply;
  const text = await reply.text();
  let message = text;
  try { message = JSON.parse(text).error ?? JSON.parse(text).detail ?? text; } catch { /* it was no JSON */ }
  throw new Error(String(message).trim() || `the server said ${reply.status}`);
}

async function fetched(path, options) {
  let reply;
  try { reply = await fetch(path, options); } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("the server does not answer");
  }
  return checked(reply);
}

const json = { "content-type": "application/json" };
export const get = async (path) => (await fetched(path)).json();
export const send = async (path, body) => (await fetched(path, { method: "POST", body })).json();
export const posted = (path, value, more = {}) => fetched(path, { method: "POST", body: JSON.stringify(value ?? {}), ...more, headers: { ...json, ...more.headers } });
export const post = async (path, value) => (await posted(path, value)).json();
export const patch = async (path, value) => (await fetched(path, { method: "PATCH", body: JSON.stringify(value), headers: json })).json();
export const remove = async (path) => (await fetched(path, { method: "DELETE" })).json();

export function say(id, text) {
  if (find(id).textContent !== text) find(id).textContent = text;
}

// What went wrong.
export const fault = (error) => say("working", error.message);
export const on = (id, kind, work) => find(id).addEventListener(kind, work);

// What this browser remembers; where it may not, nothing is.
export const kept = {
  get(name) { try { return localStorage.getItem(`tieout-${name}`); } catch { return null; } },
  set(name, value) { try { if (value) localStorage.setItem(`tieout-${name}`, value); else localStorage.removeItem(`tieout-${name}`); } catch { /* it may not */ } },
};

export const tell = (kind, detail) => document.dispatchEvent(new CustomEvent(kind, { detail }));
export const hear = (kind, work) => document.addEventListener(kind, (event) => work(event.detail));
export const narrow = () => matchMedia("(max-width: 800px)").matches;

// Lets the figures of a table stand with their points below each other: each is followed, unseen, by what the longest
// of its column has behind its point.
export function align(table) {
  const columns = new Map();
  for (const row of table.rows) {
    let at = 0;
    for (const cell of row.cells) {
      const [, point, end] = (cell.tagName === "TD" && /^[^A-Za-z]*\d(\.\d+)?([)%]*)$/.exec(cell.textContent.trim())) || [];
      if (end !== undefined) columns.set(at, [...(columns.get(at) ?? []), { cell, point: point ?? "", end }]);
      at += cell.colSpan;
    }
  }
  for (const cells of columns.values()) {
    const longest = (of) => cells.reduce((most, each) => (each[of].length > most.length ? each[of] : most), "");
    const [point, end] = [longest("point"), longest("end")];
    for (const each of cells) each.cell.dataset.rest = point.slice(each.point.length) + end.slice(each.end.length);
  }
}
