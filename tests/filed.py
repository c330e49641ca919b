"""Invented annual reports, read once for all tests: their documents, graphs and the files that they are."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from annual_report import BRIGHTMOOR, CASTELLAN, report
from filing_figures import Company

from tieout.agent.view.reports import BUDGET, Reports
from tieout.data.document import Document
from tieout.data.readers.read import read_files
from tieout.kg.build import build
from tieout.kg.index.passage import Contents, read_contents
from tieout.kg.index.words import Index, Origin
from tieout.kg.store.graph import Graph
from tieout.ontology.model import Ontology, default_ontology

COMPANIES = {"brightmoor": BRIGHTMOOR, "castellan": CASTELLAN}


@lru_cache(maxsize=1)
def ontology() -> Ontology:
    """The TBox of the sample."""
    return default_ontology(None)[0]


SHORT = 28_000  # characters of a report that has its statement of operations, and is no more than a page


def write(folder: Path, *names: str, length: int | None = None) -> list[Path]:
    """The reports as files of their names. length: of what is left of each, where its end is cut off."""
    paths = [folder / f"{name}.htm" for name in names]
    for path, name in zip(paths, names, strict=True):
        path.write_text(report(COMPANIES[name])[:length], encoding="utf-8")
    return paths


@lru_cache(maxsize=4)
def read(name: str) -> tuple[Document, Graph, Contents]:
    """A report by its name: its document, its graph, and what can be found in it."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        (found,) = read_files(write(Path(folder), name))
    graph = build(found.document, ontology())
    return found.document, graph, read_contents(found.document, *graph.contents())


def indexed(*names: str) -> Index:
    """Reports in an index in memory."""
    index = Index()
    for name in names:
        index.keep(read(name)[2], Origin(f"mark of {name}", f"/{name}.htm"))
    return index


def opened(*names: str, budget: int = BUDGET) -> Reports:
    """Reports of a conversation, from memory."""
    return Reports([read(name)[1] for name in names], indexed(*names), budget)


def company(name: str) -> Company:
    """The company that a report is of."""
    return COMPANIES[name]
