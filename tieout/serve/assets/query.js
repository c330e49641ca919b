// YASGUI over /sparql, with examples. The endpoint knows the prefixes below without their being declared.
import { find, get, make, say } from "/tools.js";

const MOST_ROWS = 1000; // YASGUI draws every row that it is given: more keep a browser busy for long
const EXAMPLES = {
  "Figures with what they measure and where they stand": `SELECT DISTINCT ?fact ?label ?raw ?value ?scale ?unit WHERE {
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
  { SELECT ?fact WHERE { ?fact kg:measures ?label } LIMIT 1 }
  ?fact ?says ?what .
}`,
};

const prefixes = await get("/api/prefixes");
// What the editor wants to see declared, though the endpoint does not.
const declared = (query) => Object.entries(prefixes).filter(([name]) => query.includes(`${name}:`))
  .map(([name, iri]) => `PREFIX ${name}: <${iri}>\n`).join("") + query;
const given = new URLSearchParams(location.search).get("query");

// What the table searches is read as HTML: text of a report is escaped before.
const table = Yasgui.Yasr.plugins.table.prototype;
const { getColumns } = table;
table.getColumns = function () {
  return getColumns.call(this).map((column) => ({
    ...column,
    render: (term, use, ...more) => (use === "filter" && term?.value ? new Option(term.value).innerHTML : column.render(term, use, ...more)),
  }));
};

// Nothing is asked of elsewhere: prefixes are completed from ours, classes and properties not from a service.
Yasgui.Yasqe.Autocompleters.prefixes.get = () => Object.entries(prefixes).map(([name, iri]) => `${name}: <${iri}>`).sort();
const yasgui = new Yasgui(find("yasgui"), {
  copyEndpointOnNewTab: false,
  populateFromUrl: false,
  persistenceId: null,
  requestConfig: { endpoint: new URL("/sparql", location).href, method: "POST", headers: { "tieout-rows": String(MOST_ROWS) } },
  yasqe: { value: given ?? declared(Object.values(EXAMPLES)[0]), autocompleters: ["prefixes", "variables"], createShareableLink: null },
  yasr: { prefixes },
});

// A result that was cut says so: the endpoint tells it in a header, which YASGUI does not show.
const told = (_, reply) => say("working", reply.headers?.get("tieout-truncated") ? `Cut at ${MOST_ROWS} rows: there is more, for LIMIT and OFFSET.` : "");
yasgui.on("query", (_, tab) => {
  tab.getYasqe().off("queryResponse", told);
  tab.getYasqe().on("queryResponse", told);
});

// What YASGUI leaves without a name, or with a role or a state that it may not have; it draws anew whenever it likes.
const LABELS = { ".yasqe textarea": "Query", ".autocomplete": "Endpoint", ".tableSizer": "Rows on a page" };
function name() {
  for (const [what, called] of Object.entries(LABELS)) for (const node of document.querySelectorAll(`#yasgui :is(${what})`)) node.setAttribute("aria-label", called);
  for (const attribute of ["role", "aria-selected", "aria-controls"])
    for (const node of document.querySelectorAll(`#yasgui :is([role=tablist], [role=tab], .tab a)[${attribute}]`)) node.removeAttribute(attribute);
  for (const node of document.querySelectorAll("#yasgui thead .dt-column-title:empty")) node.textContent = "#"; // over the numbers of rows
}
new MutationObserver(name).observe(find("yasgui"), { childList: true, subtree: true });
name();

find("example").append(...Object.keys(EXAMPLES).map((name) => make("option", { value: name }, name)));
find("example").addEventListener("change", () => yasgui.getTab().setQuery(declared(EXAMPLES[find("example").value])));
// A fact leads to its cell, also by the sign where it is cut.
find("yasgui").addEventListener("click", (event) => {
  const iri = (event.target.closest("a.iri") ?? event.target.closest(".expandable")?.querySelector(":not(.nonIri) > a.iri"))?.textContent ?? "";
  if (/^urn:tieout:doc:[^#]+#/.test(iri)) { event.preventDefault(); location.assign(`/?at=${encodeURIComponent(iri)}`); }
}, true);
if (given) yasgui.getTab().query();
