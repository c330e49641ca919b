"""How well pages are read that are pictures: statements of PDFs, rendered and recognised, against the same as text.

`python tests/bench/scans.py FILE... [--dpi 150] [--each 2]` takes of each PDF the pages that hold most of one of
the five statements, makes a picture of each, reads it, and tells of the figures in tables how many have their digits,
and how many also their row, column, unit, scale and period. What is wrong is told by a doubt on it, or it is silent.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click
import pypdfium2
from rapidfuzz.fuzz import ratio

from tieout.data.readers.pdf.report import read_pdf
from tieout.kg.build import build
from tieout.kg.fact import NUMERAL, Fact
from tieout.ontology.model import default_ontology
from tieout.ontology.tbox.classify import core

STATEMENTS = frozenset(name for name, known in core().items() if name and known.always)
SAME_LABEL = 85.0  # of 100: letters of a label that are recognised in another way leave it the same row
SURE = 0.9  # below that, the recognition of a figure is told
_NO_DIGIT = re.compile(r"[^0-9.,()-]")
_PAGE = re.compile(r"page (\d+)")


def statements(path: Path, most: int) -> Iterator[tuple[int, bytes]]:
    """The pages of a PDF with most figures of one of the five statements, each as a PDF of its own, by number."""
    told = Counter(
        (int(found[1]), fact.entity_type)
        for fact in figures(path.read_bytes())
        if fact.entity_type in STATEMENTS and (found := _PAGE.match(fact.place))
    )
    pages = list(dict.fromkeys(page for (page, _), _ in told.most_common()))[:most]
    with pypdfium2.PdfDocument(path) as document:
        for page in sorted(pages):
            with pypdfium2.PdfDocument.new() as single:
                single.import_pages(document, [page - 1])
                saved = io.BytesIO()
                single.save(saved)
                yield page, saved.getvalue()


def pictured(page: bytes, dpi: int) -> bytes:
    """A page as a PDF that holds a picture of it and no text."""
    with pypdfium2.PdfDocument(page) as document:
        saved = io.BytesIO()
        document[0].render(scale=dpi / 72).to_pil().convert("RGB").save(saved, "PDF", resolution=dpi, quality=95)
        return saved.getvalue()


def figures(pdf: bytes) -> list[Fact]:
    """The figures in tables of a PDF, in the order of print."""
    found = build(read_pdf(pdf, "pages"), default_ontology(None)[0]).facts()
    return [fact for fact in found if fact.table is not None and fact.property != NUMERAL]


def is_same(printed: Fact, read: Fact) -> bool:
    """Whether both mean the same: value, row and column, unit, scale and period."""
    meant = [(each.value, each.unit, each.scale, each.period) for each in (printed, read)]
    named = [" ".join(sorted((each.label, each.header))) for each in (printed, read)]
    return meant[0] == meant[1] and ratio(*named) >= SAME_LABEL


def _digits(raw: str) -> str:
    """The digits of a figure with what is printed among them; of a dash that stands for nothing, none."""
    kept = _NO_DIGIT.sub("", raw)
    return kept if any(map(str.isdigit, kept)) else ""


@click.command(help=__doc__)
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--dpi", default=150, show_default=True, help="Points of the picture in an inch.")
@click.option("--each", default=2, show_default=True, help="Pages of a file.")
def main(files: tuple[Path, ...], dpi: int, each: int) -> None:
    total = Counter[str]()
    for path in files:
        for number, page in statements(path, each):
            told = compared(figures(page), figures(pictured(page, dpi)))
            total.update(told)
            click.echo(f"{path.stem} page {number}: {shown(told)}")
    click.echo(f"all at {dpi} dpi: {shown(total)}")


def compared(printed: list[Fact], read: list[Fact]) -> Counter[str]:
    """How many figures are printed, read with their digits, and with what they mean; how many others are told."""
    told = Counter(printed=len(printed))
    left = list(read)
    digits = Counter(_digits(fact.raw) for fact in read)
    for fact in printed:
        raw = _digits(fact.raw)
        told["digits"] += digits[raw] > 0
        digits[raw] -= 1
        same = next((other for other in left if is_same(fact, other)), None)
        if same is not None:
            told["meant"] += 1
            left.remove(same)
    doubted = [fact for fact in read if fact.doubts or (fact.recognised is not None and fact.recognised < SURE)]
    told["wrong"] = len(left)
    told["wrong and told"] = sum(any(fact is other for other in doubted) for fact in left)
    told["right and told"] = len(doubted) - told["wrong and told"]
    for fact in left:
        if not any(fact is other for other in doubted):
            period = fact.period and fact.period.label
            click.echo(
                f"  silent: {fact.name} {fact.raw} {fact.unit} x{fact.scale} {period} {fact.label} | {fact.header}"
            )
    return told


def shown(told: Counter[str]) -> str:
    """One line of figures."""
    of = told["printed"]
    read = ", ".join(f"{name} {told[name]} ({told[name] / of:.2%})" for name in ("digits", "meant"))
    return f"{of} figures, {read}, " + ", ".join(
        f"{name} {told[name]}" for name in ("wrong", "wrong and told", "right and told")
    )


if __name__ == "__main__":
    main()
