"""Sentences that were found in several ways: ranked together, each once, and with what is printed around them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import takewhile

from tieout.data.printed.pattern import later
from tieout.kg.index.words import Index, SentenceHit
from tieout.ontology.asked.language import Told
from tieout.ontology.asked.quoted import joined

FLAT = 20  # how little the first places of one ranking count more than those behind them
MOST_AGAIN = 3  # times that a report prints a sentence; what it prints oftener stands on each page
# Of a sentence: a line that ends in a word is a title, or of a list of contents.
ENDS = (".", "?", "!", ":", ";", ")", "”")
LONGEST_LIST, FURTHEST_LEAD = 8, 12  # sentences of a list behind its lead-in, and between an entry of it and that
MOST_BARE = 20_000  # sentences that stay without their numbers
BEST = 2  # sentences that come with those beside them
_LEADS = later(r"\b(?:as follows|following tables?)\b.{0,80}\s*$", re.IGNORECASE)
_DIGITS = later(r"\d+")
_ITEM = later(r"\s*(?:[•◦▪●*–—-]|\(?(?:[a-z]|[ivx]+|\d{1,2})[).])\s")


def leads(text: str) -> bool:
    """Whether a sentence says that what it tells of comes next, as few do."""
    return text.rstrip().endswith(":") or ("follow" in text.lower() and _LEADS.search(text) is not None)


def ranked_together(rankings: Iterable[Sequence[SentenceHit]]) -> list[SentenceHit]:
    """The sentences of several rankings, each scored by its places in all of them, in the order of print.

    That is reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): scores of different rankings do not compare.
    """
    found: dict[tuple[str, int], SentenceHit] = {}
    for at, hit in ((at, hit) for ranking in rankings for at, hit in enumerate(ranking)):
        before = found.get((hit.report, hit.number))
        score = 1 / (FLAT + at) + (before.score if before else 0.0)
        found[hit.report, hit.number] = hit._replace(score=score)
    return [found[key] for key in sorted(found)]


def said_once(hits: Sequence[SentenceHit]) -> list[SentenceHit]:
    """The sentences that say something, each once, without what stands at the foot of each page."""
    bare = [(hit.report, _bare(hit.text)) for hit in hits]
    often = Counter(bare)
    firsts: dict[tuple[str, str], SentenceHit] = {}
    for hit, text in zip(hits, bare, strict=True):
        if often[text] <= MOST_AGAIN:
            firsts.setdefault(text, hit)
    return [hit for hit in firsts.values() if hit.figures or hit.text.rstrip().endswith(ENDS)]


@lru_cache(maxsize=MOST_BARE)
def _bare(text: str) -> str:
    """A sentence without its numbers."""
    return _DIGITS.sub("", text)


def in_context(index: Index, hits: Iterable[SentenceHit]) -> Iterator[SentenceHit]:
    """Sentences, the best first, each with what belongs to it: the sentence that leads to its list, the list that it
    leads to, and of the best ones those that stand beside them."""
    told: set[tuple[str, int]] = set()
    for at, hit in enumerate(hits):
        around: Sequence[SentenceHit] = ()
        if at < BEST or _ITEM.match(hit.text) or leads(hit.text):
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
    if leads(hit.text):
        yield from takewhile(lambda each: _ITEM.match(each.text) is not None, after)
    elif is_best:
        yield from (*after[:1], *before[-1:])


def printed_near(index: Index, wanted: Told, report: str, before: int, behind: int) -> list[str]:
    """The cells of the tables, and the sentences with some before and behind them, that may tell what is asked for in
    words."""
    cells = (joined(cell.text for cell in table) for table in index.printed_tables(report))
    texts = [text for text in cells if any(each in text for each in wanted.near)]
    near = index.sentences_with(report, *(("",) if wanted.what else wanted.near))
    for number in [number for number, text in near if wanted.what in text.lower()]:
        hits = index.sentences(report, number - before, number + behind)
        if wanted.under is None or any(hit.number == number and wanted.under.search(hit.heading) for hit in hits):
            texts.append(joined(hit.text for hit in hits))
    return texts
