"use strict";
// A query, its result as a table. The prefixes kg, prov, qb, unit, rdf, rdfs, owl, xsd, skos and dcterms are known.
import { find, make, say } from "/tools.js";

const EXAMPLES = {
  "Figures with what they measure and where they stand": `SELECT ?fact ?label ?raw ?value ?scale ?unit WHERE {
  ?fact kg:raw ?raw ; kg:value ?value ; kg:measures ?label .
  OPTIONAL { ?fact kg:scale ?scale }
  OPTIONAL { ?fact kg:unit/rdfs:label ?unit }
} ORDER BY ?fact LIMIT 50`,
  "How many figures each report has": `SELECT ?id (COUNT(?fact) AS ?figures) WHERE {
  GRAPH ?report { ?document dcterms:identifier ?id . ?fact kg:raw ?raw }
} GROUP BY ?id ORDER BY DESC(?figures)`,
  "What is measured most often": `SELECT ?label (COUNT(?fact) AS ?figures) WHERE {
  ?fact kg:measures ?label
} GROUP BY ?label ORDER BY DESC(?figures) LIMIT 30`,
  "The cell behind a figure": `SELECT ?fact ?raw ?row ?column ?text WHERE {
  ?fact kg:raw ?raw ; prov:wasDerivedFrom ?cell .
  ?cell kg:row ?row ; kg:column ?column ; kg:text ?text .
} LIMIT 30`,
  "All about one figure, as triples": `CONSTRUCT { ?fact ?says ?what } WHERE {
  { SELECT ?fact WHERE { ?fact kg:raw ?raw } LIMIT 1 }
  ?fact ?says ?what .
}`,
};

function short(term) {
  return term === undefined ? "" : term.value;
}

async function run() {
  say("working", "…");
  const started = performance.now();
  const query = find("query").value;
  const accept = "application/sparql-results+json, text/turtle;q=0.9";
  try {
    const reply = await fetch("/sparql", { method: "POST", body: query, headers: { accept, "content-type": "application/sparql-query" } });
    const text = await reply.text();
    if (!reply.ok) throw new Error(text.trim());
    const more = reply.headers.get("tieout-truncated") ? ", and more" : "";
    if (reply.headers.get("content-type").startsWith("text/turtle")) find("result").replaceChildren(make("pre", {}, text));
    else show(JSON.parse(text));
    const rows = find("result").querySelectorAll("tbody tr").length;
    say("working", `${rows ? `${rows} rows${more}, ` : ""}${Math.round(performance.now() - started)} ms`);
  } catch (error) {
    find("result").replaceChildren();
    say("working", error.message);
  }
}

function show(found) {
  if ("boolean" in found) { find("result").replaceChildren(make("p", { class: "answer" }, found.boolean ? "yes" : "no")); return; }
  const head = make("thead", {}, make("tr", {}, ...found.head.vars.map((name) => make("th", { scope: "col" }, name))));
  const rows = found.results.bindings.map((row) => make("tr", {}, ...found.head.vars.map((name) => make("td", {}, short(row[name])))));
  find("result").replaceChildren(make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Result" },
    make("table", {}, head, make("tbody", {}, ...rows))));
}

find("example").append(...Object.keys(EXAMPLES).map((name) => make("option", { value: name }, name)));
find("example").addEventListener("change", () => { find("query").value = EXAMPLES[find("example").value]; });
find("form").addEventListener("submit", (event) => { event.preventDefault(); run(); });
find("query").addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); run(); } });
const given = new URLSearchParams(location.search).get("query");
find("query").value = given ?? Object.values(EXAMPLES)[0];
if (given) run();
