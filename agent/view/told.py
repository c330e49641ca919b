"""What a report tells in words: who leads and audits the company, where it is, what it does; quoted as printed.

It stands on covers, in signatures, in lists of officers and in sentences: each is one text here, its lines or cells
joined by ` | `, and held against the patterns that the file of the language has for what is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from tieout.agent.question.language import Told, language
from tieout.agent.question.question import Question
from tieout.kg.index.words import Index

BEFORE, BEHIND = 4, 3  # lines beside one that are read with it: a signature is above the line that says whose it is
BETWEEN = " | "
LONGEST = 600  # characters of what is quoted
MOST_ALL = 20  # quotations where all count


def told_by(index: Index, question: Question, report: str) -> tuple[str, ...]:
    """What a report prints of what a question asks for in words, each to be quoted; () where it does not tell it, or
    the question asks for something else."""
    wanted = language().told.get(question.told)
    return () if wanted is None else _first(wanted, _texts(index, wanted, report))


def told_in(question: Question, sentences: Sequence[str]) -> tuple[str, ...]:
    """As `told_by`, of a page with these sentences."""
    wanted = language().told.get(question.told)
    if wanted is None:
        return ()
    near = (at for at, line in enumerate(sentences) if any(each in line for each in wanted.near))
    return _first(wanted, [_joined(sentences[max(0, at - BEFORE) : at + BEHIND + 1]) for at in near])


def _texts(index: Index, wanted: Told, report: str) -> list[str]:
    """The cells of the tables, and the sentences with those beside them, that may tell it."""
    cells = (_joined(cell.text for cell in table) for table in index.printed_tables(report))
    texts = [text for text in cells if any(each in text for each in wanted.near)]
    numbers = sorted({number for each in wanted.near for number, _ in index.sentences_with(report, each)})
    for number in numbers:
        hits = index.sentences(report, number - BEFORE, number + BEHIND)
        if wanted.under is None or any(hit.number == number and wanted.under.search(hit.heading) for hit in hits):
            texts.append(_joined(hit.text for hit in hits))
    return texts


def _joined(parts: Iterable[str]) -> str:
    plain = (" ".join(each.split()) for each in parts)
    return BETWEEN.join(each for each in plain if each)


def _first(wanted: Told, texts: Sequence[str]) -> tuple[str, ...]:
    """What the first pattern quotes that anything is printed by."""
    for pattern in map(re.compile, wanted.said):
        found = (match for text in texts for match in pattern.finditer(text))
        quoted = [tuple(_quoted(match)) for match in found]
        quoted = [each for each in dict.fromkeys(quoted) if each and all(len(part) <= LONGEST for part in each)]
        if quoted:
            return tuple(part for each in quoted[:MOST_ALL] for part in each) if wanted.is_all else quoted[0]
    return ()


def _quoted(match: re.Match[str]) -> Iterator[str]:
    """The lines and cells that the groups of a match have."""
    for said in match.groups():
        yield from (part.strip() for part in (said or "").split(BETWEEN) if len(part.strip()) > 1)
