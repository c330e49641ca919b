"""What is worth reading for a question: the tables and sentences about what is sought.

Beside what `ranking` weighs, a table is found by the sentences of its section, which say what it is of; and a sentence
comes with the one that leads to it, with its list, or with those beside it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import TypeVar

from tieout.agent.question.question import Question
from tieout.agent.view.ranking import (
    SURE,
    TITLE,
    Entries,
    RankedTable,
    Ranking,
    Tables,
    add_items,
    add_lines,
    add_statements,
    in_title,
    of_years,
    read_before,
    said_once,
    table_of,
)
from tieout.agent.view.sought import Sought, is_beside, is_summary, sought
from tieout.kg.index.words import Index, LineHit, SentenceHit

NEAR = 0.5  # what a word counts by which reports say what the question asks
UNDER = 2.0  # a table under the heading of the sentence that fits best
LEADS = 1.5  # times this where that sentence leads to a table
FEW_UNDER = 4  # tables under one heading, of which each may be meant
PART_THERE = 1.0  # the quarter or the day that is asked for
BESIDE = -3.0  # exhibits and the like
SUMMARY = 1.0  # the highlights of a report
POINTS_ELSEWHERE = 0.4  # a sentence that only says where to read on
WITHOUT_FIGURE = 0.6
MOST_LINES, MOST_SENTENCES = 120, 60
LONGEST_LIST, FURTHEST_LEAD = 8, 12  # sentences of a list behind its lead-in, and between an entry of it and that
BEST = 2  # sentences that come with those beside them
_ITEM = re.compile(r"\s*(?:[•◦▪●*–—-]|\(?(?:[a-z]|[ivx]+|\d{1,2})[).])\s")
_LEADS = re.compile(r"(?::|\b(?:as follows|following tables?)\b.{0,80})\s*$", re.IGNORECASE)
_ELSEWHERE = re.compile(r"\s*(?:see|refer to|for (?:further|additional|more)|\(?see)\b", re.IGNORECASE)
Hit = TypeVar("Hit", LineHit, SentenceHit)


def rank_about(
    index: Index,
    question: Question,
    reports: Tables,
    companies: Collection[str],
    used: Collection[tuple[str, int]],
) -> Ranking:
    """What to read in these reports. companies: words of the names of all. used: (report, table) of earlier turns."""
    wanted = sought(question, companies)
    ids, entries = [*reports], Entries(index, reports)
    said = _sentences(index, question, wanted, ids)
    found: dict[tuple[str, int], RankedTable] = {}
    own = (*wanted.own, *(word for phrase in wanted.phrases for word in phrase.split()))
    hits = _both(index.find_lines(own, ids, MOST_LINES), index.find_lines(wanted.near, ids, MOST_LINES))
    add_items(index, question, ids, entries, found)
    add_lines(hits, entries, found)
    add_statements(reports, found)
    _add_sections(said, reports, found)
    read_before(found, entries, used)
    for table in found.values():
        entry = table.entry
        table.score += of_years(entry, wanted.years) + TITLE * in_title(entry, wanted.asked)
        table.score += PART_THERE * bool(wanted.parts.intersection(entry.periods))
        table.score += BESIDE * is_beside(f"{entry.heading} {entry.title}", wanted.asked)
    return Ranking(tuple(sorted(found.values(), key=lambda each: (-each.score, each.report, each.entry.number))), said)


def _key(hit: LineHit | SentenceHit) -> tuple[str, int, int]:
    return (hit.report, hit.table, hit.row) if isinstance(hit, LineHit) else (hit.report, hit.number, 0)


def _both(own: Sequence[Hit], near: Sequence[Hit]) -> list[Hit]:
    """What has words of the question and what has those near to them, weighed together, the best first."""
    found = {_key(hit): hit for hit in own}
    for hit in near:
        before = found.get(_key(hit))
        score = hit.score * NEAR + (before.score if before else 0.0)
        found[_key(hit)] = replace(before or hit, score=score)
    return sorted(found.values(), key=lambda hit: (-hit.score, *_key(hit)))


def _sentences(index: Index, question: Question, wanted: Sought, reports: Sequence[str]) -> tuple[SentenceHit, ...]:
    own = (*wanted.own, *(word for phrase in wanted.phrases for word in phrase.split()))
    hits = _both(
        index.find_sentences(own, reports, MOST_SENTENCES), index.find_sentences(wanted.near, reports, MOST_SENTENCES)
    )
    is_figure = question.kinds[0] == "number" and "why" not in question.cues
    weighed = []
    for hit in said_once(hits):
        score = hit.score * (WITHOUT_FIGURE if is_figure and not hit.figures else 1.0)
        score *= POINTS_ELSEWHERE if _ELSEWHERE.match(hit.text) else 1.0
        weighed.append(replace(hit, score=score))
    return tuple(sorted(weighed, key=lambda hit: -hit.score))


def _add_sections(hits: Sequence[SentenceHit], reports: Tables, found: dict[tuple[str, int], RankedTable]) -> None:
    """The tables under the headings of the sentences that fit best, and those that sum the report up."""
    top = max((hit.score for hit in hits), default=0.0)
    worth: dict[tuple[str, str], float] = {}
    for hit in hits:
        key = hit.report, hit.heading
        if hit.heading and top > 0:
            leads = LEADS if _LEADS.search(hit.text) else 1.0
            worth[key] = max(worth.get(key, 0.0), UNDER * leads * hit.score / top)
    for report, tables in reports.items():
        headings = Counter(entry.heading.rpartition(" > ")[2] for entry in tables.values())
        for entry in tables.values():
            heading = entry.heading.rpartition(" > ")[2]
            if (score := worth.get((report, heading), 0.0)) and headings[heading] <= FEW_UNDER:
                table_of(found, report, entry).score += score
            if is_summary(f"{heading} {entry.title}"):
                table_of(found, report, entry).score += SUMMARY


def with_named_rows(index: Index, table: RankedTable) -> RankedTable:
    """A statement or a summary with the rows whose names are known everywhere, beside those that were found."""
    if table.entry.certainty < SURE and not is_summary(f"{table.entry.heading} {table.entry.title}"):
        return table
    return replace(table, rows=table.rows | set(index.named_rows(table.report, table.entry.number)))


def in_context(index: Index, hits: Iterable[SentenceHit]) -> Iterator[SentenceHit]:
    """Sentences, the best first, each with what belongs to it: the sentence that leads to its list, the list that it
    leads to, and of the best ones those that stand beside them."""
    told: set[tuple[str, int]] = set()
    for at, hit in enumerate(hits):
        around = index.sentences(hit.report, max(0, hit.number - FURTHEST_LEAD), hit.number + LONGEST_LIST)
        for each in (hit, *_belonging([one for one in around if one.heading == hit.heading], hit, at < BEST)):
            if (each.report, each.number) not in told:
                told.add((each.report, each.number))
                yield each


def _belonging(around: Sequence[SentenceHit], hit: SentenceHit, is_best: bool) -> Iterator[SentenceHit]:
    before = [each for each in around if each.number < hit.number]
    after = [each for each in around if each.number > hit.number]
    if _ITEM.match(hit.text):
        lead = next((each for each in reversed(before) if not _ITEM.match(each.text)), None)
        yield from [lead] if lead else []
    if _LEADS.search(hit.text):
        yield from takewhile(lambda each: _ITEM.match(each.text) is not None, after)
    elif is_best:
        yield from (*after[:1], *before[-1:])
