"""Measures the parts of a company that print says, against the members that tags state of the same figures.

    python -m tieout.eval.parts FILES... [--misses N]

Each file is read twice: as filed, for its tags, and with every tag taken out, for what print says. Figures in tables
count. A part is right if it is the member of a tag on its figure, whatever the axis; a member is found if it is a
part. Names count as the same where all words of the one are in the other: `Greater China` and `GreaterChinaSegment`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import click

from tieout.data.document import Document, Tag
from tieout.data.readers.html.report import read_html
from tieout.eval.reading import untagged
from tieout.kg.build import build
from tieout.ontology.model import Ontology, default_ontology

# The axes whose members are parts of a company, and the members that are ways of adding up and no part.
PART_AXES = re.compile(r"BusinessSegments|ProductOrService|Geographical|BusinessGroup|LegalEntity|ConsolidationItems")
_NO_PART = re.compile(r"OperatingSegmentsMember|MaterialReconciling")
# Members of the axis of places are named by ISO 3166 codes.
_CODES = {"US": "United States", "CN": "China", "SG": "Singapore", "TW": "Taiwan", "IL": "Israel", "JP": "Japan"}
_CODES |= {"CA": "Canada", "MX": "Mexico", "GB": "United Kingdom", "DE": "Germany", "KR": "Korea", "IN": "India"}
_SAYS_NOTHING = frozenset("segment segments net revenue revenues sales total and of the group operations".split())
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@dataclass(slots=True)
class Score:
    """Counts of `said`, `right`, `stated`, `found`, and examples of what is wrong and what is missed."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)

    def add(self, other: Score) -> None:
        for own, more in zip(
            (self.counts, self.wrong, self.missed), (other.counts, other.wrong, other.missed), strict=True
        ):
            own.update(more)

    def __str__(self) -> str:
        said, right, stated, found = (self.counts[name] for name in ("said", "right", "stated", "found"))
        return (
            f"{right} of {said} parts right ({right / max(1, said):.3f}), "
            f"{found} of {stated} members found ({found / max(1, stated):.3f})"
        )


def _words(name: str) -> frozenset[str]:
    apart = _HUMP.sub(" ", name.replace("U.S.", "UnitedStates").replace("’", "")).lower()
    found = (word.rstrip("s") for word in re.findall(r"[a-z0-9]+", apart) if word not in _SAYS_NOTHING)
    return frozenset(word for word in found if len(word) > 1)


def same_part(part: str, member: str) -> bool:
    """Whether a part in printed words is a member of a tag (`us-gaap:GreaterChinaSegmentMember`)."""
    local = member.partition(":")[2].removesuffix("Member")
    local = _CODES.get(local, local)
    own, other = _words(part), _words(local)
    if "eliminat" in part.lower():  # `Eliminations/Reclass` is the member of eliminations between segments
        return "eliminat" in local.lower()
    if not own or not other or ("united" in own | other and ("non" in own) != ("non" in other)):
        return False
    letters = ["".join(filter(str.isalpha, name.lower())) for name in (part, local)]
    return own <= other or other <= own or letters[0] == letters[1]


def score_parts(tagged: Document, plain: Document, ontology: Ontology) -> Score:
    """Holds what print says against the tags. plain: the same report without them, with the same tables."""
    tags: dict[tuple[int, int, int], list[Tag]] = {}
    for number, table in enumerate(tagged.tables, start=1):
        for each in table.tags:
            tags.setdefault((number, each.row, each.column), []).append(each.tag)
    parts: dict[tuple[int, int, int], set[str]] = {}
    for fact in build(plain, ontology).facts():
        if fact.table is not None:
            parts.setdefault((fact.table, fact.row or 0, fact.column or 0), set()).update(fact.parts)
    score = Score()
    for at, said in parts.items():
        if at not in tags:
            continue
        members = {pair for tag in tags[at] for pair in tag.dimensions}
        for part in said:
            is_right = any(same_part(part, member) for _, member in members)
            score.counts.update(["said", *(["right"] if is_right else [])])
            if not is_right:
                score.wrong[f"table {at[0]}: {part} for {' '.join(sorted(name for _, name in members)) or 'none'}"] += 1
        for axis, member in members:
            if PART_AXES.search(axis) and not _NO_PART.search(member):
                is_found = any(same_part(part, member) for part in said)
                score.counts.update(["stated", *(["found"] if is_found else [])])
                if not is_found:
                    score.missed[f"table {at[0]}: {member}"] += 1
    return score


def _lines(score: Score, misses: int) -> Iterator[str]:
    for name, which in (("wrong", score.wrong), ("missed", score.missed)):
        for said, count in which.most_common(misses):
            yield f"  {name} {count:4} {said}"


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--misses", type=int, default=0, help="Examples of what is wrong and of what is missed.")
def main(files: tuple[Path, ...], misses: int) -> None:
    """Measure the parts that print says in tagged FILES against their tags."""
    ontology = default_ontology(None)[0]
    whole = Score()
    for path in files:
        page = path.read_bytes()
        score = score_parts(read_html(page, path.stem), read_html(untagged(page), path.stem), ontology)
        click.echo(f"{path.name}: {score}")
        for line in _lines(score, misses):
            click.echo(line)
        whole.add(score)
    click.echo(f"all: {whole}")


if __name__ == "__main__":
    main()
