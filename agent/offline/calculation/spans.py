"""Answers in words: the sentence that fits best, or the part of it that says what was not in the question."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tieout.agent.offline.calculation.reading import Reading
from tieout.agent.question.question import Question
from tieout.data.printed.pattern import later
from tieout.ontology.asked.language import language
from tieout.ontology.asked.words import FUNCTION, content, stem

WORD = later(r"[A-Za-z][A-Za-z&'’-]*|\d[\d,.]*\d|\d")
LEADING = later(
    r"^(?:[\s,;:“\"'(–—-]|\b(?:of|from|in|to|on|for|that|is|are|was|were|and|be|been|primarily|only|generally|which)\b(?!-))+",
    re.I,
)
DATED = later(
    r"(?:(?:on|in|during) )?(?:(?:the )?(?:first|second|third|fourth) quarter of )?(?:January|February|March"
    r"|April|May|June|July|August|September"
    r"|October|November|December)? ?(?:\d{1,2}, )?(?:fiscal (?:year )?)?(?:19|20)\d\d"
)
NAMED = later(r"(?:[A-Z][\w&.'’-]*(?:,? (?:Inc|Ltd|LLC|Corp)\.?| (?=[A-Z&]|of [A-Z]|and [A-Z]))?(?: of| and| &)? ?)+")
QUOTED = later(r"(?<=\.[”\"]) (?=[A-Z])")  # where a sentence that ends in a quotation is over
BEST = 3  # sentences
GAP = 5  # words between two of the question that still belong together
LEAST, MOST = 2, 600  # characters of an answer


@dataclass(frozen=True, slots=True)
class Prose:
    """The sentences of a page, with their stems and how telling each stem is."""

    sentences: tuple[str, ...]
    stems: tuple[frozenset[str], ...]
    weight: dict[str, float]


def make_prose(sentences: Sequence[str]) -> Prose:
    """The sentences prepared for matching; headings and footnote marks among them are kept."""
    kept = tuple(text for each in sentences for text in QUOTED.split(each) if WORD.search(text))
    stems = tuple(frozenset(content(text)) for text in kept)
    counts = Counter(each for one in stems for each in one)
    return Prose(kept, stems, {each: math.log(1 + len(kept) / count) for each, count in counts.items()})


def quotes(ask: Question, prose: Prose) -> Iterator[Reading]:
    """The answers that can be quoted from the sentences nearest to the question."""
    asked = ask.stems
    total = sum(prose.weight.get(each, 3.0) for each in asked) or 1.0
    scored = [
        (sum(prose.weight.get(each, 0.0) for each in asked if each in stems) / total, -number, text)
        for number, (text, stems) in enumerate(zip(prose.sentences, prose.stems, strict=True))
    ]
    best = sorted(scored, key=lambda each: each[:2], reverse=True)[:BEST]
    for rank, (cover, number, text) in enumerate(best):
        for way, span in _spans(text, ask):
            if LEAST <= len(span) <= MOST:
                yield _reading(ask, way, span, cover, rank, number == 0)


def _reading(ask: Question, way: str, span: str, cover: float, rank: int, first: bool) -> Reading:
    question = opening(ask)
    found = {
        "is words": 1.0,
        f"words {way}": 1.0,
        f"words {way}, {question}": 1.0,
        f"words, {question}": 1.0,
        f"words, asked for a {ask.kinds[0]}": 1.0,
        "words cover": cover,
        f"words cover, {question}": cover,
        f"words rank {rank}": 1.0,
        "words first sentence": float(first),
        "words, years asked": float(bool(ask.years)),
        "words length": min(len(span), 300) / 300,
        f"words length {way}": min(len(span), 300) / 300,
    }
    for sign in ask.cues:
        found[f"words, {sign}"] = 1.0
    return Reading("words", f"quote {way}", (), (span,), found)


def opening(ask: Question) -> str:
    """The word that asks: why, how, who, what does, what is, ..."""
    found = re.match(
        r"(?:in \d{4},? |and )?(why|how|who|where|when|which|what (?:do|does|did)|what (?:is|are|was|were)|what \w+)",
        ask.lower,
    )
    return found[1].replace("does", "do").replace("did", "do") if found else "other"


def _spans(text: str, ask: Question) -> Iterator[tuple[str, str]]:
    """Parts of a sentence that may be the answer, with how they were found."""
    whole = text.strip()
    yield "whole", whole
    body = whole.rstrip(". ")
    if cause := language().forms["says why"].search(body):
        yield "cause", body[cause.start() :]
        yield "cause alone", body[cause.end() :].strip()
    tokens = [(match.start(), match.end(), match[0].lower()) for match in WORD.finditer(body)]
    known = frozenset(ask.stems)
    hits = [
        index
        for index, (_, _, word) in enumerate(tokens)
        if word not in FUNCTION and stem(word.replace("'", "")) in known
    ]
    if not hits:
        return
    run = [hits[0]]
    for hit in hits[1:]:
        if stem(tokens[hit][2]) in {stem(tokens[each][2]) for each in run}:
            break  # `fees consist of fees for ...`: what is said of them begins there
        if hit - run[-1] <= GAP:
            run.append(hit)
    for way, at in (("rest", run[-1]), ("rest of all", hits[-1])):
        if way == "rest" or at != run[-1]:
            rest = body[tokens[at][1] :]
            yield way, LEADING.sub("", rest).strip()
            clause = re.split(r", (?:which|and|but|as|net|including)\b|; | \(", LEADING.sub("", rest))[0].strip(' ,”"')
            if clause and clause != rest.strip():
                yield f"{way}, clause", clause
    before = body[: tokens[hits[0]][0]].strip(" ,")
    if len(before) > 3:
        yield "before", re.sub(r"\s(?:is|are|was|were|the|our|has|have|had|a|an)$", "", before)
    for pattern, way in ((DATED, "date"), (NAMED, "name")):
        for match in list(pattern.finditer(body))[:4]:
            named = match[0].strip(" ,.")
            if named and not frozenset(content(named)) <= known:
                yield way, named
