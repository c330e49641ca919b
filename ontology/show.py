"""A TBox for reading: the tree of its classes, or one class with its properties."""

from __future__ import annotations

from collections.abc import Iterator

from rapidfuzz import fuzz, process
from rich.box import SIMPLE
from rich.table import Table
from rich.tree import Tree

from tieout.ontology.tbox.tbox import Ontology
from tieout.ontology.tbox.term import OntologyClass, OntologyError, Property

ROOT = "Entity"


def children(ontology: Ontology, name: str) -> list[OntologyClass]:
    """The classes right below one, by name."""
    return [item for item in ontology.classes if (item.parent or ROOT) == name]


def properties_of(ontology: Ontology, name: str) -> list[Property]:
    """The properties in whose domain a class is, the most printed first."""
    found = [item for item in ontology.properties if name in item.domains]
    return sorted(found, key=lambda item: (-item.support, item.name))


def below(ontology: Ontology, name: str) -> Iterator[OntologyClass]:
    """The classes below one, each before those below it."""
    for item in children(ontology, name):
        yield item
        yield from below(ontology, item.name)


def tree(ontology: Ontology) -> Tree:
    """All classes, with the number of documents that have them and of properties."""
    root = Tree(f"{ROOT}  ({len(ontology.classes)} classes, {len(ontology.properties)} properties)")
    _grow(ontology, root, ROOT)
    return root


def _grow(ontology: Ontology, branch: Tree, name: str) -> None:
    for item in children(ontology, name):
        count = len(properties_of(ontology, item.name))
        _grow(ontology, branch.add(f"{item.name}  (support {item.support}, {count} properties)"), item.name)


def find_class(ontology: Ontology, name: str) -> OntologyClass:
    """The class of this name or label, in any case. Raises OntologyError, which names the nearest, for any other."""
    wanted = name.casefold()
    for item in ontology.classes:
        if wanted in (item.name.casefold(), item.label.casefold()):
            return item
    names = [item.name for item in ontology.classes]
    near = [text for text, _, _ in process.extract(name, names, scorer=fuzz.WRatio, limit=3, score_cutoff=60)]
    hint = f"did you mean {' or '.join(near)}?" if near else "`tieout ontology show` lists them"
    raise OntologyError(f"no class {name!r}; {hint}")


def class_table(ontology: Ontology, item: OntologyClass) -> Table:
    """One class: its properties with labels, units and support."""
    said = f"; in sentences: {', '.join(item.alternatives)}" if item.alternatives else ""
    title = f"{item.name} < {item.parent or ROOT}: {item.label}, support {item.support}{said}"
    table = Table(title=title, title_justify="left", box=SIMPLE)
    table.add_column("property", no_wrap=True)
    table.add_column("also printed as", overflow="fold", ratio=1)
    table.add_column("units", overflow="fold", max_width=16)
    table.add_column("support", justify="right")
    for found in properties_of(ontology, item.name):
        table.add_row(found.name, "; ".join(found.alternatives), ", ".join(found.units), str(found.support))
    return table


def class_json(ontology: Ontology, item: OntologyClass) -> dict[str, object]:
    """One class and its properties under plain names."""
    return {
        "name": item.name,
        "label": item.label,
        "alternatives": item.alternatives,
        "parent": item.parent or ROOT,
        "close_match": item.close_match,
        "support": item.support,
        "properties": [
            {
                "name": found.name,
                "label": found.label,
                "alternatives": found.alternatives,
                "units": found.units,
                "facets": found.facets,
                "close_match": found.close_match,
                "support": found.support,
            }
            for found in properties_of(ontology, item.name)
        ],
    }
