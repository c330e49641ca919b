"""Reading is bounded: hostile documents take time in proportion to their size and little memory, or are refused.

Documents are read in another process with limits (RLIMIT_CPU for each, RLIMIT_AS for all) far above what linear reading
needs and far below what any other does: no test looks at a clock. A new reader is added to READERS by one line.
Starting that process costs more than most of the files: one reads those of all tests.
"""

from __future__ import annotations

import csv
import html
import io
import json
import math
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

import pytest
from click.testing import CliRunner
from kg_documents import TBOX
from pdf_pages import PdfPage, make_pdf

import tieout
from tieout.data.document import Document, Table
from tieout.data.limits import MOST_CELLS_OF_TABLE, SizeError, check_size
from tieout.kg.build import build
from tieout.kg.drafts.sentences.text import LONGEST_SENTENCE, read_sentences
from tieout.kg.store.facts import MOST_CONTEXT

SECONDS, BYTES = 3, 1_500_000_000
PACE = 0.06  # seconds of a processor for what `_seconds` counts, on a machine on which SECONDS are enough

READ = """
import resource, sys, time
from kg_documents import TBOX
from pathlib import Path
from tieout.data.readers.read import DataError, is_pages, read_conversations
from tieout.data.readers.report import read_report
from tieout.kg.build import build
from tieout.kg.check import find_loss
for path in map(Path, sys.argv[2:]):
    print(path, flush=True)
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + int(sys.argv[1]), resource.RLIM_INFINITY))
    try:
        pages = is_pages(path)
        for document in [each.document for each in read_conversations(path)] if pages else [read_report(path)]:
            facts = build(document, TBOX).facts()
            loss = find_loss(document, facts)
            assert not loss.wrong, loss.wrong[:3]
            print("read", len(facts))
    except DataError as error:
        print(error)
"""

Rows = list[list[str]]


def records(paragraphs: list[str], rows: Rows) -> bytes:
    """A ConvFinQA file of one report."""
    record = {"id": "report", "pre_text": paragraphs, "post_text": [], "table": rows or [["", "2009"]]}
    return json.dumps([record]).encode()


def page(paragraphs: list[str], rows: Rows) -> bytes:
    """A web page."""
    cells = ("".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in rows)
    table = "".join(f"<tr>{row}</tr>" for row in cells)
    text = "".join(f"<p>{html.escape(each)}</p>" for each in paragraphs)
    return f"<html><body>{text}<table>{table}</table></body></html>".encode()


def separated(paragraphs: list[str], rows: Rows) -> bytes:
    """Separated values; the paragraphs are rows of one cell."""
    written = io.StringIO()
    csv.writer(written).writerows([["", "2009"], *([each] for each in paragraphs), *rows])
    return written.getvalue().encode()


def markdown(paragraphs: list[str], rows: Rows) -> bytes:
    """Markdown with one table."""
    width = max(map(len, rows), default=0)
    lines = ["| " + " | ".join([*row, *[""] * (width - len(row))]) + " |" for row in rows]
    lines[1:1] = ["|" + "---|" * width] if rows else []
    return "\n\n".join(["# Report", *paragraphs, "\n".join(lines)]).encode()


def workbook(paragraphs: list[str], rows: Rows) -> bytes:
    """A workbook of one sheet; a cell holds at most 32,767 characters."""
    import openpyxl

    made = openpyxl.Workbook()
    for row in [["", "2009"], *([each] for each in paragraphs), *rows]:
        made.active.append([each[:32_767] for each in row])
    written = io.BytesIO()
    made.save(written)
    return written.getvalue()


def printed(paragraphs: list[str], rows: Rows) -> bytes:
    """A PDF of lines, columns and a rule under every row, without what does not fit on some pages."""
    lines = [[each[at : at + 90]] for each in paragraphs for at in range(0, min(len(each), 9_000), 90)]
    pages = [PdfPage()]
    for number, cells in enumerate([*lines, *rows][: 5 * 70]):
        if number and number % 70 == 0:
            pages.append(PdfPage())
        for column, cell in enumerate(cells[:60]):
            pages[-1].write(30 + column * 550 / min(len(cells), 60), 30 + number % 70 * 10, cell[:90])
        pages[-1].rules.append((30, 580, 32 + number % 70 * 10))
    return make_pdf(pages)


# A reader: the end of the name of its files, and how to write one that holds these paragraphs and one table.
READERS: dict[str, Callable[[list[str], Rows], bytes]] = {
    ".json": records,
    ".htm": page,
    ".csv": separated,
    ".md": markdown,
    ".xlsx": workbook,
    ".pdf": printed,
}


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))


def read(paths: Iterable[Path]) -> list[str]:
    """What reading files within the limits prints: of each the number of its facts, or why it is refused."""
    root = Path(__file__).parent.parent
    named = [str(path) for path in paths]
    done = subprocess.run(
        [sys.executable, "-c", READ, str(_seconds()), *named],
        cwd=root / "tests",
        preexec_fn=limited,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"{done.stdout[-500:]} ended by {done.returncode}: {done.stderr[-2000:]}"
    found = done.stdout.splitlines()
    assert found[::2] == named, found  # one line for each
    return found[1::2]


def _seconds() -> int:
    """SECONDS, or more where the processor is slower or is shared."""
    began = time.process_time()
    sum(each % 7 for each in range(1_000_000))
    return math.ceil(SECONDS * max(1.0, (time.process_time() - began) / PACE))


def label(text: str) -> tuple[list[str], Rows]:
    return [], [["", "2009", text], [text, "5", "6"], [text, "", ""], ["total", "7", text]]


# SECONDS are so few that what grows with the square is found.
SIZE = 2_500
REPEATED = ("/", "( 1 ) ", "a ( ", "1.", "2014 ", "in ", "total rate ", "( in millions ", "million ", "of which , ")
HOSTILE: tuple[tuple[list[str], Rows], ...] = (
    (["revenue was $ 5 million , " * 500], []),
    ([" ".join(f"{n}.5 in {1990 + n % 30} ," for n in range(700))], []),
    ([], [["", "2009"], ["revenue", "$ 5 million , " * 800]]),
    ([], [["", "$ 5 million , " * 800], ["revenue", "5"]]),
    ([], [["", "2009"], *([f"row {n} x", f"{n}.1"] for n in range(300))]),
    ([], [["", "2009"], *(["revenue", f"{n}.1"] for n in range(300))]),
    ([], [["", *(f"c{n} x" for n in range(250))], *([["a", *["5"] * 250]] * 4)]),
    ([], [[str(n) for n in range(200)], *([["a", "b"]] * 200)]),
    ([], [["", *["x " * 5_000] * 10], *([["y " * 5_000, *["5"] * 10]] * 10)]),
    ([f"revenue of {n} was $ {n} million in 2007 ." for n in range(200)], []),
    (["in 2007 and 2006 , " * 600], [["", "a"], ["b", "5"]]),
    (["9" * 50_000, "1," * 1_500, "0x" * 1_500, "1e" * 1_500], [["9" * 50_000], ["1e" * 1_500]]),
    *(label((text * SIZE)[:SIZE]) for text in REPEATED),
    *(([(text * SIZE)[:SIZE]], []) for text in (" ", "( 1 ) ", "2014/", "-", *REPEATED)),
    ([], [["", "2009"], ["revenue", "5 (1) , " * 3_500]]),
)


def damaged(kind: str) -> Iterator[bytes]:
    """Files of a kind that end early, or of which some bytes are others."""
    chance = random.Random(7)
    whole = READERS[kind](["revenue was $ 5 million in 2007 ."] * 20, [["", "2009"], *([["revenue", "$ 5"]] * 20)])
    for number in range(60 if kind == ".json" else 12):
        made = bytearray(whole[: chance.randrange(len(whole))] if number % 3 == 0 else whole)
        for _ in range(number % 7):
            at = chance.randrange(len(made) + 1)
            made[at : at + chance.randrange(9)] = chance.randbytes(chance.randrange(9))
        yield bytes(made)


def hostile(kind: str) -> Iterator[bytes]:
    """Hostile files of a kind: behind the readers all is one, so that one kind has them all."""
    return (READERS[kind](*each) for each in (HOSTILE if kind == ".json" else HOSTILE[::6]))


def keys_twice() -> bytes:
    """A record of many keys, the last of which stands twice."""
    keys = ",".join(f'"key {number}": 1' for number in range(60_000))
    return f'[{{"id": "x", "table": [], {keys}, "key 59999": 2}}]'.encode()


def spaced() -> Iterator[bytes]:
    """Texts whose columns are set with spaces, of so many amounts: small enough to be read in the program itself."""
    for line in ("a  5", "a  5  2013", "revenue" + "   5" * 20, "revenue" + "   5" * 60, "a  2013  2012"):
        yield "\n".join([line] * (12_500 // len(line))).encode()


@pytest.fixture(scope="module", params=[2, pytest.param(1, marks=pytest.mark.thorough)], ids=["half", "all"])
def told(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What is printed of the files that are read within the limits, of every second one or of all, by their group."""
    groups = {f"{each.__name__}{kind}": each(kind) for each in (hostile, damaged) for kind in READERS}
    groups["spaced.txt"] = spaced()
    groups["keys.json"] = iter([keys_twice()])
    groups["endless.json"] = iter([b'[{"id": "x", "pre_text": ["' + b"x" * 40_000_000])
    folder = tmp_path_factory.mktemp("bounds")
    paths = [
        (name, folder / f"{number}-{name}", each)
        for name, made in groups.items()
        for number, each in enumerate(islice(made, 0, None, request.param))
    ]
    for _, path, content in paths:
        path.write_bytes(content)
    found: dict[str, list[str]] = {}
    for (name, _, _), line in zip(paths, read(path for _, path, _ in paths), strict=True):
        found.setdefault(name, []).append(line)
    return found


def test_hostile_documents_are_read_within_the_limits(told):
    assert all(line.startswith("read ") for line in told["hostile.json"]), told  # others may refuse what is none
    for kind in READERS:
        lines = told[f"hostile{kind}"]
        assert sum(line.startswith("read ") for line in lines) > len(lines) / 2, (kind, lines)


def test_damaged_files_are_read_or_refused_within_the_limits(told):
    assert all(len(told[f"damaged{kind}"]) >= 6 for kind in READERS), told


def test_columns_set_with_spaces_are_read_within_the_limits(told):
    assert len(told["spaced.txt"]) >= 3 and all(line.startswith("read ") for line in told["spaced.txt"][:-1]), told


def test_keys_that_stand_twice_cost_no_more_than_others(told):
    assert "the key stands twice" in told["keys.json"][0]


def test_a_table_larger_than_any_of_a_report_is_refused_in_one_line(tmp_path):
    path = tmp_path / "large.json"
    path.write_bytes(records(["a ."], [["5"] * 200, *([["5"]] * 4_999)]))
    done = CliRunner().invoke(tieout.main, ["list", str(path)])
    assert done.exit_code == 1 and done.stderr.strip().count("\n") <= 1
    assert "5,000 rows of up to 200 cells" in done.stderr and "Traceback" not in done.output + done.stderr


def test_a_table_of_a_thousand_rows_and_two_hundred_columns_is_a_report():
    report = Document(id="x", paragraphs=(), before=0, tables=(Table(rows=(("5",) * 200,) * 1_000),))
    check_size(report)
    twice = Table(rows=report.tables[0].rows * (MOST_CELLS_OF_TABLE // 200_000 + 1))
    with pytest.raises(SizeError):
        check_size(report.model_copy(update={"tables": (twice,)}))


def test_what_counts_is_the_grid_a_table_spans_and_not_its_cells():
    rows = (("a",) * 1_000, *((("b",),) * (MOST_CELLS_OF_TABLE // 1_000)))
    with pytest.raises(SizeError, match="table 1 has"):
        check_size(Document(id="x", paragraphs=(), before=0, tables=(Table(rows=rows),)))


def test_a_record_that_never_ends_is_refused_before_it_fills_the_memory(told):
    assert "a record has more than" in told["endless.json"][0]


def test_the_context_of_a_fact_is_its_sentence_kept_once_and_of_a_long_cell_the_part_around_it():
    report = Document(
        id="x",
        paragraphs=("revenue was $ 5 million and $ 6 million .",),
        before=1,
        tables=(Table(rows=(("", "2009"), ("revenue", "$ 5 million , " * 1_000))),),
    )
    facts = build(report, TBOX).facts()
    text = [fact for fact in facts if fact.sentence is not None]
    assert len(text) == 2 and text[0].context is text[1].context
    cells = [fact for fact in facts if fact.column == 1 and fact.row == 1]
    assert len(cells) == 1_000 and max(len(fact.context) for fact in cells) <= MOST_CONTEXT
    for fact in cells:
        before, behind = fact.around()
        assert before + fact.raw + behind == fact.context


def test_a_sentence_without_end_is_cut_at_spaces_and_loses_nothing():
    paragraph = " ".join(f"{number}.5" for number in range(3_000))
    sentences = list(read_sentences([paragraph]))
    assert "".join(sentence.text for sentence in sentences) == paragraph
    assert max(len(sentence.text) for sentence in sentences) <= LONGEST_SENTENCE
    assert sum(len(sentence.mentions) for sentence in sentences) == 3_000
