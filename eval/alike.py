"""Whether a question about a company is answered alike however much stands beside what it is about.

    python -m tieout.eval.alike FILING BESIDE... [--count 60]

FILING: a filing as a web page, with `NAME.facts.jsonl` beside it, as `tieout.eval.questions` reads them; from these
follow the questions, of what its tags say that the three statements print: a number that a note prints too is no line
of theirs. They are asked three times: of a page that holds the three statements alone, of the whole filing, and of the
filing where a store keeps all of BESIDE too. Tags are taken out.
An answer is alike if its text, or that it is asked back, is the same, how sure it is, and which checks flag it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from tieout.agent.answers.checks.check import CERTAIN, SURE_ENOUGH
from tieout.agent.log.turn import Turn
from tieout.agent.offline.backend import OfflineBackend
from tieout.agent.opening import open_files
from tieout.agent.session import Session
from tieout.data.console import one_line
from tieout.data.document import Document, Table
from tieout.data.readers.read import DataError, read_files
from tieout.eval import analyst
from tieout.eval.questions import FactsError, labels_of, make_questions, read_facts, year_offset
from tieout.eval.reading import untagged
from tieout.kg.build import build
from tieout.kg.drafts.fiscal_years import ReportCalendar
from tieout.kg.drafts.introduction import introductions
from tieout.kg.index.passage import read_contents
from tieout.ontology.metrics.line_item import MAIN_STATEMENTS, line_items
from tieout.ontology.model import Ontology, default_ontology

MOST_ABOVE = 3  # paragraphs above a statement that may say of when and in which scale it is
SPANS = {"quarter": range(80, 101), "six months": range(170, 191), "nine months": range(260, 286)}  # by their days
KINDS = frozenset(("look-up", "slip", "change", "growth", "metric", "composed"))  # that need no words of the filing


def questions(
    doc: str, facts: Iterable[Mapping[str, Any]], statements: Iterable[Table], count: int, offset: int = 0
) -> list[str]:
    """So many questions about what these tables, read with their tags, print of the statements, evenly spread over all
    that the facts give. offset: as `tieout.eval.questions.year_offset` tells it."""
    concepts = {each for item in line_items().values() if item.statement in MAIN_STATEMENTS for each in item.concepts}
    tags = [each.tag for table in statements for each in table.tags]
    placed = {(tag.concept, _day(tag.start), _day(tag.end)) for tag in tags if tag.concept in concepts}
    printed = [fact for fact in facts if not fact["dims"] and (fact["concept"], fact["start"], fact["end"]) in placed]
    asked = [each["question"] for each in analyst.make_questions(doc, printed, offset) if each["kind"] in KINDS]
    of_years = chain(asked, (each["question"] for each in make_questions(doc, printed, offset)))
    found = list(dict.fromkeys(of_years)) or list(dict.fromkeys(_of_parts_of_years(printed)))
    return [found[at * len(found) // count] for at in range(count)] if len(found) > count else found


def _of_parts_of_years(facts: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The questions for what facts state of parts of a year, and of days."""
    for fact in sorted(facts, key=lambda each: (each["concept"], each["end"], each["start"] or "")):
        end = date.fromisoformat(fact["end"])
        days = 0 if fact["start"] is None else (end - date.fromisoformat(fact["start"])).days
        span = next((name for name, length in SPANS.items() if days in length), None)
        when = f"{end:%B} {end.day}, {end.year}"
        if (days and span is None) or str(fact["concept"]).startswith("dei:"):
            continue
        for label in labels_of(fact["concept"]):
            yield f"What was {label} {f'in the {span} ended' if span else 'at'} {when}?"


def _day(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def statements_of(document: Document, ontology: Ontology) -> Iterator[tuple[int, str]]:
    """The index of each table of the three statements among those of a report, and its title. Raises DataError where
    one is not found."""
    tables = read_contents(document, *build(document, ontology).contents()).tables
    for statement in MAIN_STATEMENTS:
        known = [each for each in tables if each.statement == statement]
        if not known:
            raise DataError(f"{document.id!r}: no {statement} statement is found")
        best = max(known, key=lambda each: (each.certainty, len(document.tables[each.number - 1].rows)))
        yield from ((each.number - 1, each.title) for each in known if each.title == best.title)  # it may go on


def page_of(document: Document, statements: Iterable[tuple[int, str]]) -> dict[str, Any]:
    """The statements of a report as a page in the layout of JSON files, below sentences that say what it calls
    its fiscal years: the statements of some print their last days alone."""
    calendar = ReportCalendar(document, list(introductions(document)))
    ends = {} if calendar.fiscal.is_of_calendar_years or not calendar.is_named else calendar.fiscal.ends
    named = [f"Fiscal {year} ended on {day:%B} {day.day}, {day.year}." for year, day in ends.items()]
    pages = []
    for number, title in statements:
        table = document.tables[number]
        at = table.after or 0
        above = document.paragraphs[max(0, at - MOST_ABOVE) : at]
        rows = [list(row) for row in table.rows]
        for row, column in table.repeated:  # it is printed once
            rows[row][column] = ""
        pages.append({"title": "\n".join(dict.fromkeys((title, *above))), "rows": rows})
    return {"id": f"{document.id}-page", "pre_text": named, "post_text": [], "tables": pages}


def answers(paths: Sequence[Path], asked: Sequence[str], ontology: Ontology, store: Path) -> Iterator[str]:
    """What is said to each question as a first one: its answer, how sure it is, and what flags it."""
    with open_files(paths, ontology, store=store) as opened:
        session = Session(opened.source, OfflineBackend(), document=opened.document)
        for question in asked:
            yield told(session.ask(question))
            session.undo()


def told(turn: Turn) -> str:
    """An answer in a line, without the places that differ by file."""
    if turn.clarification is not None or turn.probability is None:
        return turn.outcome
    sure = "sure" if turn.probability >= CERTAIN else "likely" if turn.probability >= SURE_ENOUGH else "doubtful"
    return " | ".join((str(turn.text), sure, *sorted({flag.rule for flag in turn.flags})))


def compare(filing: Path, beside: Sequence[Path], count: int) -> Iterator[tuple[str, str, str, str]]:
    """Each question with what is said to it of the page, of the filing, and of the filing beside others. Raises
    DataError, FactsError, OSError."""
    ontology = default_ontology(None)[0]
    facts = filing.with_name(f"{filing.stem}.facts.jsonl")
    with TemporaryDirectory() as name:
        folder = Path(name)
        plain = [folder / each.name for each in (filing, *beside)]
        for source, target in zip((filing, *beside), plain, strict=True):
            target.write_bytes(untagged(source.read_bytes()))
        read, tagged = read_files([plain[0], filing])
        statements = list(statements_of(read.document, ontology))
        page = folder / "page.json"
        page.write_text(json.dumps([page_of(read.document, statements)]), encoding="utf-8")
        printed = [tagged.document.tables[number] for number, _ in statements]
        stated = list(read_facts(facts))
        asked = questions(filing.stem, stated, printed, count, year_offset(facts, stated))
        if beside:
            with open_files(plain, ontology, store=folder / "many"):
                pass  # keeps them all
        ways = ((page, folder / "page"), (plain[0], folder / "alone"), (plain[0], folder / "many"))
        said = [list(answers([path], asked, ontology, store)) for path, store in ways]
    yield from zip(asked, *said, strict=True)


@click.command()
@click.argument("filing", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("beside", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--count", default=60, show_default=True, help="How many questions are asked.")
def main(filing: Path, beside: tuple[Path, ...], count: int) -> None:
    """Ask the same of the statements of FILING as a page, of FILING, and of FILING with BESIDE kept beside it."""
    with one_line(DataError, FactsError, OSError):
        rows = list(compare(filing, beside, count))
    for question, *said in rows:
        if len(set(said)) > 1:
            click.echo("\n    ".join((question, *said)))
    answered = sum(" | " in of_filing for _, _, of_filing, _ in rows)
    alone = sum(of_page == of_filing for _, of_page, of_filing, _ in rows)
    among = sum(of_filing == of_many for _, _, of_filing, of_many in rows)
    click.echo(f"of {len(rows)} questions {answered} have an answer in the filing")
    click.echo(f"of {len(rows)} questions {alone} are answered alike of the page and of the filing")
    click.echo(
        f"of {len(rows)} questions {among} are answered alike of the filing alone and among {len(beside)} others"
    )


if __name__ == "__main__":
    main()
