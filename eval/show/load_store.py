"""A run into the store on disk: its TBox, the graphs of its reports, and its events with their scores, for SPARQL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from tieout.eval.run.manifest import Manifest, read_manifest
from tieout.eval.run.run import conversations_of
from tieout.eval.score.load import ontology_of, recorded
from tieout.eval.score.result import Result, results
from tieout.eval.show.provenance import TYPE, conversation_lines, run_quads
from tieout.kg.build import build
from tieout.kg.store.store import ontology_quads, open_store, replace_graphs
from tieout.ontology.vocabulary import PREFIXES, run_graph

_A_TURN = [TYPE, f"<{PREFIXES['kg']}Turn>"]  # predicate and object of the line that makes a node a turn


def keep(folder: Path, store: Path) -> None:
    """Puts the run in place of what the store has of it.

    Raises StoreError where the store cannot be written, OSError on a full disk, LogError, RunError.
    """
    manifest = read_manifest(folder)
    ontology = ontology_of(folder)
    documents = (build(each.document, ontology) for each in conversations_of(manifest) if not each.reports)
    graphs = ((graph.iri, graph.quads) for graph in documents)
    with open_store(store) as opened:
        replace_graphs(opened, chain([ontology_quads(ontology)], graphs, _events(folder, manifest)))


def run_name(manifest: Manifest, repeat: int) -> str:
    """The name of the graph of a repeat: the first has that of the run."""
    return manifest.run if repeat == 1 else f"{manifest.run}/repeat-{repeat}"


def _events(folder: Path, manifest: Manifest) -> Iterator[tuple[str, bytes]]:
    for repeat in range(1, manifest.repeat + 1):
        yield run_quads(run_name(manifest, repeat), ())
    for conversation, repeat, told in recorded(folder, manifest):
        name = run_name(manifest, repeat)
        lines = list(conversation_lines(name, told.events))
        turns = [line.split(" ", 1)[0] for line in lines if line.split(" ", 3)[1:3] == _A_TURN]
        lines += _scores(run_graph(name), turns, results(conversation, told.turns, repeat))
        yield run_graph(name), "".join(lines).encode()


def _scores(graph: str, turns: Sequence[str], scored: Iterable[Result]) -> Iterator[str]:
    """`kg:strict`, `kg:main` and `kg:lenient` of every labelled turn: true where its answer is right."""
    for result in scored:
        for rule, right in result.right.items():
            value = f'"{str(right).lower()}"^^<{PREFIXES["xsd"]}boolean>'
            yield f"{turns[result.turn]} <{PREFIXES['kg']}{rule}> {value} <{graph}> .\n"
