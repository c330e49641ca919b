"""A query result as a table to read, or as JSON, XML, CSV, TSV, Turtle, N-Triples or RDF/XML for machines."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from xml.etree import ElementTree

import click
import pyoxigraph as ox
from rich.markup import escape
from rich.table import Table

from tieout.data.console import console, errors, print_fitted, printable
from tieout.data.printed.pattern import later
from tieout.kg.store.guard import QueryError
from tieout.kg.store.query import Result, Term, rdf_term
from tieout.ontology.vocabulary import PREFIXES

FORMATS = ("table", "json", "xml", "csv", "tsv", "ttl", "nt", "rdf")
RESULTS = "http://www.w3.org/2005/sparql-results#"
_NOT_XML = later("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
BOOLEAN = {"type": "literal", "datatype": PREFIXES["xsd"] + "boolean"}


_MORE = {
    "": "",
    "rows": ", and more: raise --rows",
    "size": ", and more, which are too large for one reply: ask for fewer variables, or in parts with LIMIT and OFFSET",
}


def _short(term: Term | None) -> str:
    """A term for the eye: IRIs with their prefix, literals bare."""
    if term is None:
        return ""
    if term["type"] == "uri":
        for prefix, namespace in PREFIXES.items():
            if term["value"].startswith(namespace):
                return f"{prefix}:{term['value'].removeprefix(namespace)}"
        return f"<{term['value']}>"
    return printable(term["value"])


def _table(result: Result) -> None:
    if result.kind == "ask":
        click.echo("yes" if result.rows[0][0] == BOOLEAN | {"value": "true"} else "no")
        return
    table = Table(*(escape(name) for name in result.variables), header_style="bold")
    for row in result.rows:
        table.add_row(*(escape(_short(term)) for term in row))
    print_fitted(table)
    count = len(result.rows)
    console.print(f"{count} row{'' if count == 1 else 's'}" + _MORE[result.truncated])


def _json(result: Result) -> str:
    """The SPARQL 1.1 Query Results JSON Format."""
    if result.kind == "ask":
        return json.dumps({"head": {}, "boolean": result.rows[0][0] == BOOLEAN | {"value": "true"}}, indent=2)
    bindings = [
        {name: term for name, term in zip(result.variables, row, strict=True) if term is not None}
        for row in result.rows
    ]
    value = {"head": {"vars": list(result.variables)}, "results": {"bindings": bindings}}
    return json.dumps(value, indent=2, ensure_ascii=False)


def _csv(result: Result) -> str:
    """The SPARQL 1.1 Query Results CSV Format."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(result.variables or ["boolean"])
    writer.writerows([term["value"] if term else "" for term in row] for row in result.rows)
    return out.getvalue()


def _tsv(result: Result) -> str:
    """The SPARQL 1.1 Query Results TSV Format."""
    lines = ["\t".join(f"?{name}" for name in result.variables or ("boolean",))]
    for row in result.rows:
        texts = (
            "" if term is None else term["value"] if term["type"] == "triple" else str(rdf_term(term)) for term in row
        )
        lines.append("\t".join(text.replace("\t", "\\t") for text in texts))
    return "\n".join(lines) + "\n"


def _triples(result: Result, form: ox.RdfFormat) -> str:
    if result.kind != "graph":
        raise QueryError(f"the format {form.file_extension} needs a CONSTRUCT or DESCRIBE query")
    triples = [ox.Triple(*(rdf_term(term) for term in row if term)) for row in result.rows]  # type: ignore[arg-type]
    text = ox.serialize(triples, format=form, prefixes=PREFIXES if form == ox.RdfFormat.TURTLE else None)
    assert text is not None
    return text.decode()


def _turtle(result: Result) -> str:
    return _triples(result, ox.RdfFormat.TURTLE)


def _ntriples(result: Result) -> str:
    return _triples(result, ox.RdfFormat.N_TRIPLES)


def _rdfxml(result: Result) -> str:
    return _triples(result, ox.RdfFormat.RDF_XML)


def _xml(result: Result) -> str:
    """The SPARQL Query Results XML Format (Second Edition). A character that XML 1.0 cannot hold becomes U+FFFD."""
    root = ElementTree.Element("sparql", xmlns=RESULTS)
    head = ElementTree.SubElement(root, "head")
    if result.kind == "ask":
        truth = result.rows[0][0] == BOOLEAN | {"value": "true"}
        ElementTree.SubElement(root, "boolean").text = "true" if truth else "false"
    else:
        for name in result.variables:
            ElementTree.SubElement(head, "variable", name=name)
        results = ElementTree.SubElement(root, "results")
        for row in result.rows:
            _xml_row(ElementTree.SubElement(results, "result"), result.variables, row)
    return '<?xml version="1.0"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _xml_row(element: ElementTree.Element, names: Sequence[str], row: Sequence[Term | None]) -> None:
    for name, term in zip(names, row, strict=True):
        if term is None:
            continue
        binding = ElementTree.SubElement(element, "binding", name=name)
        kind = "literal" if term["type"] == "triple" else term["type"]
        held = ElementTree.SubElement(binding, kind)
        held.text = _NOT_XML.sub("\ufffd", term["value"])
        if "datatype" in term:
            held.set("datatype", term["datatype"])
        if "xml:lang" in term:
            held.set("xml:lang", term["xml:lang"])


WRITERS: Mapping[str, Callable[[Result], str]] = {
    "json": _json,
    "xml": _xml,
    "csv": _csv,
    "tsv": _tsv,
    "ttl": _turtle,
    "nt": _ntriples,
    "rdf": _rdfxml,
}


def write_result(result: Result, form: str) -> None:
    """Writes a result to standard output in one of FORMATS. Raises QueryError when it does not fit the query."""
    if form == "table":
        _table(result)
        return
    text = WRITERS[form](result)
    click.echo(text, nl=not text.endswith("\n"))
    if result.truncated:
        errors.print(f"tieout: stopped after {len(result.rows)} rows{_MORE[result.truncated]}", soft_wrap=True)
