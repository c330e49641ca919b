"""What questions and one more filing take where 100, 1,000 or 10,000 filings are kept.

`python tests/bench/lake.py STORE FOLDER --filings 1000 --add FILE` makes a lake in FOLDER of the filings that STORE
keeps: ten copies of a filing are of one company of a new name, each a year earlier than the one before; its amounts
stay. `--thin` leaves out tables that are no statement, nine of ten sentences, and graphs and documents but of the first
companies, which are asked about, for what would not fit on a disk. Then it prints what questions take, each in a
process of its own and all in one, and what FILE takes to be added.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date
from functools import lru_cache, partial
from hashlib import sha256
from pathlib import Path
from zlib import crc32

import click

from tieout.agent.backends.choose import make_backend
from tieout.agent.opening import open_store_reports
from tieout.agent.session import Session
from tieout.kg.companies.compare import compare, screen
from tieout.kg.companies.library import open_library
from tieout.kg.companies.statement import own_statement
from tieout.kg.filings.filing import Filing
from tieout.kg.filings.rows import FilingEntry, Named
from tieout.kg.index.passage import Contents
from tieout.kg.index.words import Index, Origin
from tieout.kg.store.bundle import Bundle, Ready, json_of, pack
from tieout.kg.store.bundles import Bundles, bundles_path, key_of
from tieout.kg.store.kept import mark_of
from tieout.kg.store.store import index_path, ontology_quads, open_store, replace_graphs
from tieout.ontology.model import default_ontology
from tieout.ontology.vocabulary import document_graph

OF_ONE_COMPANY = 10  # filings
WHOLE = 20  # companies whose filings have graphs and documents in a thin lake, too
SYLLABLES = ("bar", "del", "fen", "gor", "hal", "jun", "kes", "lom", "mir", "nov", "pax", "quor", "rud", "sil", "tam")
# A year, and no number of a sentence as the index has it.
YEAR = re.compile(r"(?<!\"sentence\":)(?<![\w.,])(?<!w3\.org/)(?:19|20)\d\d(?![\w.,]*\d)")
MEASURES, CONDITION = ["revenue", "gross margin"], "gross margin > 40%"


def called(number: int) -> str:
    """The name of the company of this number, which no other has: `Gorbarbarbar`."""
    parts = []
    for _ in range(4):
        number, at = divmod(number, len(SYLLABLES))
        parts.append(SYLLABLES[at])
    return "".join(parts).capitalize()


class Copy:
    """A copy of a filing. number: of its company; back: how many years it is earlier."""

    def __init__(self, filing: Filing, number: int, back: int) -> None:
        self.filing, self.number, self.back = filing, number, back
        self.id = f"{called(number).lower()}_{filing.report.partition('_')[2]}_{back}"

    def contents(self, given: Contents) -> Contents:
        """What can be found in it."""
        end = self._day(self.filing.ended)
        year = None if self.filing.fiscal_year is None else self.filing.fiscal_year - self.back
        name = f"{called(self.number)} Inc."
        filing = replace(
            self.filing,
            report=self.id,
            company=name,
            names=(),
            identifier=f"CIK {5_000_000 + self.number}",
            ticker=f"Z{self.number}",
            ended=end,
            fiscal_year=year,
        )
        return replace(
            given,
            report=replace(given.report, id=self.id, company=name, ended=end),
            filing=FilingEntry(filing, tuple(map(self._named, given.filing.observed))),
            tables=tuple(replace(each, periods=tuple(map(self._text, each.periods))) for each in given.tables),
            lines=tuple(replace(each, facts=self._facts(each.facts)) for each in given.lines),
            sentences=tuple(
                replace(each, text=self._text(each.text), facts=self._facts(each.facts)) for each in given.sentences
            ),
        )

    def quads(self, quads: bytes) -> bytes:
        """Its graph, as N-Quads."""
        moved = quads.replace(document_graph(self.filing.report).encode(), document_graph(self.id).encode())
        return self._text(moved.decode()).encode()

    def _text(self, text: str) -> str:
        return YEAR.sub(lambda found: str(int(found[0]) - self.back), text)

    def _facts(self, text: str) -> str:
        told = self._text(text[8:])
        return f"{crc32(told.encode(errors='surrogatepass')):08x}{told}" if text else ""

    def _day(self, day: date | None) -> date | None:
        return day and day.replace(year=day.year - self.back, day=min(day.day, 28))

    def _named(self, named: Named) -> Named:
        seen = named.observed
        moved = replace(seen, start=self._day(seen.start), end=self._day(seen.end) or seen.end)
        return replace(named, observed=moved, fiscal_year=named.fiscal_year - self.back)


def thin(contents: Contents) -> Contents:
    """Without tables that are no statement, and nine of ten sentences."""
    numbers = {table.number for table in contents.tables if table.statement}
    return replace(
        contents,
        tables=tuple(each for each in contents.tables if each.number in numbers),
        lines=tuple(each for each in contents.lines if each.table in numbers),
        sentences=contents.sentences[::10],
        printed={number: each for number, each in contents.printed.items() if number in numbers},
        outline="{}",
    )


def make(store: Path, folder: Path, filings: int, is_thin: bool) -> None:
    """The lake."""
    ontology = default_ontology(None)[0]
    (folder / "filings").mkdir(parents=True)
    made, bundles = folder / "store", Bundles(folder / "store")
    with closing(Index(index_path(store))) as index:
        keys = sorted(set(index.bundle_of().values()))

    @lru_cache(maxsize=2)
    def opened(key: str) -> tuple[Bundle, Contents]:
        bundle = Bundle(bundles_path(store) / key[:2] / f"{key}.zip")
        (contents,) = bundle.contents()
        return bundle, thin(contents) if is_thin else contents

    with open_store(made) as there:
        replace_graphs(there, [ontology_quads(ontology)])
    with closing(Index(index_path(made))) as index:
        for number in range(filings):
            company, back = divmod(number, OF_ONE_COMPANY)
            bundle, given = opened(keys[company % len(keys)])
            copy = Copy(given.filing.filing, company, back)
            contents, file = copy.contents(given), folder / "filings" / f"{copy.id}.htm"
            file.write_text(copy.id)
            mark = mark_of(file, ontology)
            key = key_of(mark.text, copy.id, {})
            packed = pack([] if is_thin and company >= WHOLE else [_ready(bundle, copy, contents)])
            bundles.put(key, packed)
            digest = sha256(packed).hexdigest()
            index.keep(contents, Origin(mark.text, str(file), mark.size, mark.modified, key, digest))


def _ready(bundle: Bundle, copy: Copy, contents: Contents) -> Ready:
    graph = bundle.graph(copy.filing.report)
    document = bundle.document(copy.filing.report).model_copy(update={"id": copy.id})
    return Ready(copy.quads(graph.quads), graph.terms, contents, json_of(document))


def asked_about(store: Path, year: int) -> tuple[str, str]:
    """Two companies that state most of what is asked of a year, of those whose filings are whole."""
    with open_library(store) as library:
        stated = compare(library, [*MEASURES, "net income"], None, [year])
    whole = {f"{called(number)} Inc." for number in range(WHOLE)}
    lines = Counter(each.company.name for each in stated if each.company.name in whole)
    one, two = (name.removesuffix(" Inc.") for name, _ in lines.most_common(2))
    return one, two


def commands(year: str, one: str, two: str) -> Iterator[tuple[str, list[str]]]:
    """Questions as commands, by what they are. one, two: names of companies."""
    yield "compare two companies", ["compare", *MEASURES, "--company", one, "--company", two]
    yield "compare all in a year", ["compare", MEASURES[0], "--years", year, "--format", "csv"]
    yield "screen all in a year", ["screen", CONDITION, "--years", year, "--format", "csv"]
    yield "statement", ["statement", one, "income"]
    yield "ask about one", ["ask", f"what was {one}'s net income in {year}?"]
    yield "ask across all", ["ask", f"which company had the highest revenue in {year}?"]
    yield "ask in words", ["ask", f"what does {one} say about climate risk?"]


def run(command: list[str], store: Path) -> str:
    """What a command takes, in a process of its own."""
    began = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "tieout", *command, "--store", str(store)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert process.stdout is not None
    lines = process.stdout.read().count(b"\n")
    _, _, used = os.wait4(process.pid, 0)
    took = f"{time.monotonic() - began:6.2f} s, {used.ru_utime + used.ru_stime:6.2f} of a processor"
    return f"{took}, {used.ru_maxrss / 1000:4.0f} MB; {lines} lines"


def in_one(store: Path, year: int, names: tuple[str, str]) -> Iterator[tuple[str, Callable[[], object]]]:
    """The same questions in this process, where the store is open already."""
    with open_library(store) as library, open_store_reports(store) as opened:
        two = [library.company(name) for name in names]
        yield "compare two companies", partial(compare, library, MEASURES, two)
        yield "compare all in a year", partial(compare, library, MEASURES[:1], None, [year])
        yield "screen all in a year", partial(screen, library, CONDITION, None, [year])
        yield "statement", partial(own_statement, library, two[0], "income")
        session = Session(opened.source, make_backend("offline"))
        session.ask(f"what was {names[1]}'s revenue in {year}?")
        for name, command in commands(str(year), *names):
            if command[0] == "ask":
                yield name, partial(session.ask, command[1])


@click.command()
@click.argument("store", type=click.Path(exists=True, path_type=Path))
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--filings", default=100, show_default=True, help="How many the lake has.")
@click.option("--thin", "is_thin", is_flag=True, help="Without most of what they print.")
@click.option("--year", default=2019, show_default=True, help="The fiscal year that is asked about.")
@click.option("--add", type=click.Path(exists=True, path_type=Path), help="A filing to add, and to forget again.")
def main(store: Path, folder: Path, filings: int, is_thin: bool, year: int, add: Path | None) -> None:
    """Makes a lake in FOLDER of what STORE keeps, unless it is there, and prints what is done with it takes."""
    lake = folder / "store"
    if not folder.exists():
        make(store, folder, filings, is_thin)
    adding = [("add a filing", ["index", str(add)]), ("forget it", ["index", "--forget", str(add)])] if add else []
    names = asked_about(lake, year)
    for name, command in (*commands(str(year), *names), *adding):
        click.echo(f"{name:22} {run(command, lake)}")
    for name, ask in in_one(lake, year, names):
        clock, used = time.monotonic(), time.process_time()
        ask()
        took = f"{time.monotonic() - clock:6.2f} s, {time.process_time() - used:6.2f} of a processor"
        click.echo(f"{name:22} {took}, open already")


if __name__ == "__main__":
    main()
