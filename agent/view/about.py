"""What is worth reading for a question: the tables and sentences about what is sought.

Beside what `ranking` weighs, a table is found by the sentences of its section, which say what it is of; and a sentence
by the subject of a question in words, of which reports tell in words of their own, under headings that are known.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from tieout.agent.question.question import Question
from tieout.agent.view import ranking
from tieout.agent.view.ranking import RankedTable, Ranking, Tables, table_of
from tieout.agent.view.sought import is_beside, is_summary, may_be, sought, subjects_of, telling_words
from tieout.kg.index.sentences import leads, ranked_together, said_once
from tieout.kg.index.telling import Wanted
from tieout.kg.index.words import Index, LineHit, SentenceHit

NEAR = 0.5  # what a word counts by which reports say what the question asks
UNDER = 2.0  # a table under the heading of the sentence that fits best
LEADING = 1.5  # times this where that sentence leads to a table
FEW_UNDER = 4  # tables under one heading, of which each may be meant
PART_THERE = 1.0  # the quarter or the day that is asked for
BESIDE = -3.0  # exhibits and the like
SUMMARY = 1.0  # the highlights of a report
POINTS_ELSEWHERE = 0.4  # a sentence that only says where to read on
MAY_BE, WITHOUT_FIGURE = 0.5, 0.6  # one that says what may happen, and one without the figure that is asked for
MOST_LINES, MOST_SENTENCES, MOST_TOLD = 120, 60, 150
MOST_READ, UNDER_SUBJECT = 8, 1.5  # reports looked through one by one; times this in a section on what is asked
_ELSEWHERE = re.compile(r"\s*(?:see|refer to|for (?:further|additional|more)|\(?see)\b", re.IGNORECASE)
Hit = TypeVar("Hit", LineHit, SentenceHit)


def rank_about(
    index: Index, question: Question, reports: Tables, companies: Collection[str], used: Collection[tuple[str, int]]
) -> Ranking:
    """What to read in these reports. companies: words of the names of all. used: (report, table) of earlier turns."""
    wanted = sought(question, companies)
    ids, entries = [*reports], ranking.Entries(index, reports)
    found: dict[tuple[str, int], RankedTable] = {}
    own = (*wanted.own, *(word for phrase in wanted.phrases for word in phrase.split()))
    said = _sentences(index, question, own, wanted.near, ids)
    hits = _both(index.find_lines(own, ids, MOST_LINES), index.find_lines(wanted.near, ids, MOST_LINES))
    ranking.add_items(index, question, ids, entries, found)
    ranking.add_lines(hits, entries, found)
    ranking.add_statements(reports, found)
    _add_sections(said, reports, found)
    ranking.read_before(found, entries, used)
    for table in found.values():
        entry = table.entry
        table.score += ranking.of_years(entry, wanted.years) + ranking.TITLE * ranking.in_title(entry, wanted.asked)
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
        found[_key(hit)] = (before or hit)._replace(score=score)
    return sorted(found.values(), key=lambda hit: (-hit.score, *_key(hit)))


def _sentences(
    index: Index, question: Question, own: Sequence[str], near: Sequence[str], reports: Sequence[str]
) -> tuple[SentenceHit, ...]:
    found = (index.find_sentences(each, reports, MOST_SENTENCES) for each in (own, near))
    return tuple(sorted(_weighed(question, _both(*found)), key=lambda hit: -hit.score))


def _weighed(question: Question, hits: Sequence[SentenceHit]) -> Iterator[SentenceHit]:
    """Sentences that say something, those with a figure above others where a figure is asked for."""
    is_figure = question.kinds[0] == "number" and "why" not in question.cues
    for hit in said_once(hits):
        score = hit.score * (WITHOUT_FIGURE if is_figure and not hit.figures else 1.0)
        score *= POINTS_ELSEWHERE if _ELSEWHERE.match(hit.text) else 1.0
        score *= MAY_BE if not may_be(question.lower) and may_be(hit.text) else 1.0
        yield hit._replace(score=score)


def to_be_said(
    index: Index, question: Question, reports: Sequence[str], companies: Collection[str], ranked: Sequence[SentenceHit]
) -> tuple[SentenceHit, ...]:
    """The sentences that may answer a question, the best first: those that are ranked by how often they have its words,
    those that have most of them, and those in the sections on its subject, each way as good as the others."""
    subjects = subjects_of(question, companies)
    about = tuple(dict.fromkeys(word for each in subjects for word in each.words))
    words = [*telling_words(question, companies), *([Wanted(about)] if about else [])]
    few = reports if len(reports) <= MOST_READ else ()
    telling = (index.telling(words, question.years, each, MOST_TOLD) for each in few)
    found = ranked_together([ranked, *telling, index.find_sentences(about, reports, MOST_SENTENCES)])

    def worth(hit: SentenceHit) -> float:
        return hit.score * (UNDER_SUBJECT if any(each.under.search(hit.heading) for each in subjects) else 1.0)

    return tuple(sorted(_weighed(question, found), key=lambda hit: -worth(hit)))


def _add_sections(hits: Sequence[SentenceHit], reports: Tables, found: dict[tuple[str, int], RankedTable]) -> None:
    """The tables under the headings of the sentences that fit best, and those that sum the report up."""
    top = max((hit.score for hit in hits), default=0.0)
    worth: dict[tuple[str, str], float] = {}
    for hit in hits:
        key = hit.report, hit.heading
        if hit.heading and top > 0:
            leading = LEADING if leads(hit.text) else 1.0
            worth[key] = max(worth.get(key, 0.0), UNDER * leading * hit.score / top)
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
    if table.entry.certainty < ranking.SURE and not is_summary(f"{table.entry.heading} {table.entry.title}"):
        return table
    return replace(table, rows=table.rows | set(index.named_rows(table.report, table.entry.number)))
