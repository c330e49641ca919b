"""Measures how filings without tags are read, against the tags of a later filing that prints their periods again.

    python -m tieout.eval.gold.next_filing REPORT FACTS.jsonl [REPORT FACTS.jsonl ...] [--misses N] [--same]

Of the later filing count the numbers of days up to the end of the report, where the same digits stand in its text: what
was restated since, or is another number by chance, keeps the rates below one for any reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from pathlib import Path

import click

from tieout.data.document import Document
from tieout.data.readers.report import read_report
from tieout.eval.reading import Gold, Score, lines_of, read_gold, score_report
from tieout.kg.build import build
from tieout.ontology.model import default_ontology

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_TWO_DIGITS = re.compile(r"\d{2}")


def printed_again(golds: Iterable[Gold], document: Document, ended: date | None) -> list[Gold]:
    """The numbers of a later filing that a report prints too, up to its last day: those of two digits or more."""
    texts = [*document.paragraphs, *(cell for table in document.tables for row in table.rows for cell in row)]
    said = {number for text in texts for number in _NUMBER.findall(text)}
    found: dict[tuple[object, ...], Gold] = {}
    for gold in golds:
        is_said = _TWO_DIGITS.search(gold.shown) and gold.shown.strip("()$% ") in said
        if is_said and (ended is None or gold.end <= ended):
            found.setdefault((gold.value.copy_abs(), gold.unit, gold.end), gold)
    return list(found.values())


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--same", is_flag=True, help="The facts are those of the report itself: all of them count.")
@click.option("--misses", type=int, default=0, help="Examples of each class of what is missed.")
def main(files: tuple[Path, ...], same: bool, misses: int) -> None:
    """Measure the reading of FILES, pairs of a report and the facts of a later filing of its company."""
    if len(files) % 2:
        raise click.UsageError("give pairs: a report, and the facts of a later filing of its company")
    ontology = default_ontology(None)[0]
    whole = Score()
    for path, facts in zip(files[::2], files[1::2], strict=True):
        document = read_report(path)
        golds = read_gold(facts)
        score = score_report(
            golds if same else printed_again(golds, document, document.ended),
            build(document, ontology).facts(),
            bool(document.tags),
        )
        click.echo(f"{path.name}: {next(lines_of(score, 0))}")
        whole.add(score)
    for line in lines_of(whole, misses):
        click.echo(line)


if __name__ == "__main__":
    main()
