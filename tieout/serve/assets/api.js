// The paths of the API as OpenAPI describes them; those that only look can be tried.
import { find, get, make, say } from "/tools.js";

const api = await get("/api/openapi.json");
const of = (schema) => (schema?.$ref ? api.components.schemas[schema.$ref.split("/").at(-1)] : schema);

// A value of a type, to see its shape: each key once, with what stands there.
function shape(schema, deep = 0) {
  const found = of(schema) ?? {};
  if (found.anyOf) return found.anyOf.filter((each) => each.type !== "null").map((each) => shape(each, deep)).concat(found.anyOf.some((each) => each.type === "null") ? ["or null"] : [])[0];
  if (found.enum) return found.enum.join(" | ");
  if (found.type === "array") return [deep > 4 ? "…" : shape(found.items ?? {}, deep + 1)];
  if (found.properties) return Object.fromEntries(Object.entries(found.properties).map(([name, each]) => [name, deep > 4 ? "…" : shape(each, deep + 1)]));
  return found.type ?? "any";
}

function tried(path, parameters) {
  const fields = parameters.map((each) => make("label", {}, `${each.name}${each.required ? "" : " (may be left out)"}`, make("input", { name: each.name, required: each.required })));
  const reply = make("pre", { hidden: true, tabindex: 0 });
  const form = make("form", {}, ...fields, make("button", { type: "submit" }, "Try it"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const given = new FormData(form);
    let address = path;
    const query = new URLSearchParams();
    for (const each of parameters) {
      const value = given.get(each.name);
      if (each.in === "path") address = address.replace(`{${each.name}}`, encodeURIComponent(value));
      else if (value) query.set(each.name, value);
    }
    reply.hidden = false;
    try { reply.textContent = JSON.stringify(await get(`${address}${query.size ? `?${query}` : ""}`), null, 1).slice(0, 20000); } catch (error) { reply.textContent = error.message; }
  });
  return [form, reply];
}

function entry(path, method, told) {
  const content = Object.entries(told.responses).find(([status]) => status.startsWith("2"))?.[1]?.content ?? {};
  const [form, reply] = Object.entries(content)[0] ?? ["", {}];
  const asked = told.requestBody?.content?.["application/json"]?.schema;
  const parameters = told.parameters ?? [];
  const parts = [make("p", {}, told.description ?? "")];
  if (parameters.length) parts.push(make("dl", {}, ...parameters.flatMap((each) => [make("dt", {}, each.name), make("dd", {}, [each.in, each.schema?.type ?? "", each.required ? "" : "may be left out"].filter(Boolean).join(", "))])));
  if (asked) parts.push(make("h3", {}, "Send"), make("pre", { tabindex: 0 }, JSON.stringify(shape(asked), null, 1)));
  if (form) parts.push(make("h3", {}, `Reply: ${form}`), reply.schema && form === "application/json" ? make("pre", { tabindex: 0 }, JSON.stringify(shape(reply.schema), null, 1)) : null);
  if (method === "get" && form === "application/json") parts.push(...tried(path, parameters));
  return make("details", {}, make("summary", {}, make("span", { class: "method" }, method.toUpperCase()), make("code", {}, path), " ", make("span", { class: "muted" }, told.summary ?? "")), ...parts.filter(Boolean));
}

const groups = new Map();
for (const [path, methods] of Object.entries(api.paths)) {
  const name = path.split("/")[path.startsWith("/api/") ? 2 : 1];
  for (const [method, told] of Object.entries(methods)) groups.set(name, [...(groups.get(name) ?? []), entry(path, method, told)]);
}
find("paths").append(...[...groups].flatMap(([name, entries]) => [make("h2", {}, name), ...entries]));
say("working", "");
