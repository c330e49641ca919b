"""What is answered where a report does not print what is asked for: each line item, asked of filings by its name.

    python -m tieout.eval.unprinted FILES... --store DIR [--untagged] [--given]

Beside each file `NAME.htm` lies `NAME.facts.jsonl`, as `tieout.eval.questions` reads them. `What was cash?` is asked as
a first question for each line item by the first two of its names. A line item is stated if a tag of the whole company
has a concept of it. The answer is right if its amount is what such a tag states for the last day of any of them. A line
item that no tag states may be printed without one, follow from others or be called otherwise: an answer is not wrong by
that alone, and `--given` lists each one that is told without a doubt, to be read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path

import click

from tieout.agent.answers.result import result
from tieout.agent.log.turn import Turn
from tieout.agent.offline.backend import OfflineBackend
from tieout.agent.opening import open_files
from tieout.agent.session import Session
from tieout.data.printed.unit import Unit
from tieout.data.readers.read import DataError
from tieout.eval.companies import NEAR
from tieout.eval.measures import read_into
from tieout.eval.questions import FactsError, read_facts
from tieout.kg.options import store_option
from tieout.ontology.metrics.line_item import line_items
from tieout.ontology.model import default_ontology

NAMES = 2  # of each line item that are asked for
IN_PERCENT = (1, 100)  # a tag states a rate as its decimal


@dataclass(frozen=True, slots=True)
class Asked:
    """A question for a line item of a filing. is_stated: whether a tag states it. outcome: `right`, `wrong`, `given` of
    what no tag states, or `back`. sure: told without a doubt."""

    file: str
    question: str
    is_stated: bool
    outcome: str
    sure: bool
    said: str


def stated(facts: Path) -> dict[str, tuple[Decimal, ...]]:
    """What the tags of a whole company state of each line item on the last day that one of them is of. Raises
    FactsError, OSError."""
    days: dict[str, dict[str, list[Decimal]]] = {}
    for fact in read_facts(facts):
        with suppress(InvalidOperation, TypeError):  # what is stated in words, or nil
            amount = abs(Decimal(fact["value"]))
            if not fact["dims"]:
                days.setdefault(fact["concept"], {}).setdefault(fact["end"], []).append(amount)
    found: dict[str, tuple[Decimal, ...]] = {}
    for item in line_items().values():
        there = [days[concept] for concept in item.concepts if concept in days]
        last = max((day for each in there for day in each), default="")
        if there:
            found[item.name] = tuple(value for each in there for value in each.get(last, ()))
    return found


def ask(path: Path, store: Path) -> Iterator[Asked]:
    """Each line item asked of one filing. Raises DataError, FactsError, OSError."""
    golds = stated(path.with_name(f"{path.stem}.facts.jsonl"))
    with open_files([path], default_ontology(None)[0], store=store) as opened:
        session = Session(opened.source, OfflineBackend(), document=opened.document)
        for item in line_items().values():
            for name in item.labels[:NAMES]:
                times = IN_PERCENT if item.unit == Unit.PERCENT else IN_PERCENT[:1]
                gold = tuple(value * each for value in golds.get(item.name, ()) for each in times)
                yield _judged(path.stem, gold, session.ask(f"What was {name}?"))
                session.undo()


def _judged(file: str, gold: tuple[Decimal, ...], turn: Turn) -> Asked:
    if turn.clarification is not None:
        return Asked(file, turn.question, bool(gold), "back", False, turn.clarification.question)
    amount, said, is_sure = result(turn)["amount"], f"{turn.text} at {turn.probability or 0:.0%}", not turn.flags
    if not gold:
        return Asked(file, turn.question, False, "given", is_sure, said)
    told = None if amount is None else abs(Decimal(str(amount)))
    is_right = told is not None and any(abs(told - one) <= NEAR * one for one in gold)
    return Asked(file, turn.question, True, "right" if is_right else "wrong", is_sure, said)


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--untagged", "without", is_flag=True, help="Read without their tags what is not kept yet.")
@click.option("--given", is_flag=True, help="Each answer without a doubt to what no tag states, or that is not right.")
@store_option
def main(files: tuple[Path, ...], without: bool, given: bool, store: Path) -> None:
    """Asks FILES for each line item, and says what came of it."""
    read_into(store, files, without)
    counts: Counter[tuple[bool, str, bool]] = Counter()
    for path in files:
        try:
            for each in ask(path, store):
                counts[each.is_stated, each.outcome, each.sure] += 1
                if given and each.sure and each.outcome != "right":
                    click.echo(f"{each.file}: {each.question} {each.said}")
        except (DataError, FactsError, OSError) as error:
            raise click.UsageError(str(error)) from error
    for is_stated, called in ((True, "stated by a tag"), (False, "stated by none")):
        total = sum(count for (each, _, _), count in counts.items() if each is is_stated)
        told = ", ".join(
            f"{count} {outcome}{' without a doubt' if sure else ' with a doubt' if outcome != 'back' else ''}"
            for (each, outcome, sure), count in sorted(counts.items())
            if each is is_stated
        )
        click.echo(f"{called}: {total} questions: {told}")


if __name__ == "__main__":
    main()
