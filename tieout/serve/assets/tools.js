"use strict";
// What all scripts of the page use.
export const find = (id) => document.getElementById(id);

export function make(tag, attributes, ...children) {
  const node = document.createElement(tag);
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

export const get = async (path) => (await fetched(path)).json();
export const send = async (path, body) => (await fetched(path, { method: "POST", body })).json();
export const post = async (path, value) => (await posted(path, value)).json();
export const posted = (path, value, more = {}) => fetched(path, {
  method: "POST", body: JSON.stringify(value ?? {}), ...more, headers: { "content-type": "application/json", ...more.headers },
});

export function say(id, text) {
  if (find(id).textContent !== text) find(id).textContent = text;
}
