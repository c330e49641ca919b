"""What a page answers in words: why something is so, what is in it, how it is made, what a table shows; the part of the
sentence that says it, by the patterns that a language has for that."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tieout.ontology.asked.language import Answered, language
from tieout.ontology.asked.words import content, stem
from tieout.ontology.labels.label import normalise

LIKELY_MEANT = 0.75  # chance that what a page says that a term is answers a question for it
LEAST = 0.5  # of the words of what is asked about, by their weight, at a sentence that answers
AT_IT, AROUND = 0.7, 0.3  # what those count that stand before the answer, and all of a sentence
BEFORE, CLOSE = 0.85, 0.01  # what those of the sentence before count; what another word before the answer takes off
OTHER_VERB, OF_YEAR, LATER = 0.12, 0.1, 0.001
UNKNOWN = 3.0  # the weight of a word that the page does not have
FEW, BARE = 30, 3  # letters before an answer that name nothing, and before one that a footnote begins with
MOST_OTHERS = 15  # words before an answer that take something off
ALIKE = 5  # first letters of verbs that are the same
SAME = 1e-9  # by which what says it later is no better
_SENTENCE = re.compile(r"(?<=[.”]) (?=[A-Z•])|(?<=\.) ?(?=• )")
_MARK = re.compile(r"[\s•*]*(?:\((?P<mark>\d{1,2}|[a-z]|[ivx]+)\)|\d{1,2}[.)](?!\d))?[\s•*]*")
_OURS = frozenset(map(stem, ("company", "group", "corporation", "management")))  # who tells it is `we`
_SHOWN = re.compile(r"^(?:[\w-]+:)?s\d+: (.+)$", re.M)
_FIGURE = re.compile(r" \{\d+\}(?: (?=[,.;:)%]))?")
LEAST_TOLD = 0.5  # of the words of what is asked about that a sentence which says why has to have
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in words. of: the stems of what it is about; verb: what it says of that, "" for nothing."""

    way: Answered
    of: frozenset[str]
    verb: str
    years: frozenset[str]

    @property
    def said(self) -> Iterator[re.Pattern[str]]:
        """How a sentence says it, with the verb of the question and others that mean the same."""
        alike = next((each for each in self.way.alike if re.match(each, self.verb)), "")
        verb = "|".join(filter(None, (re.escape(stem(self.verb)) if self.verb else "", alike)))
        return (re.compile(each.replace("<verbs>", f"(?:{verb})"), re.I) for each in self.way.said)


@dataclass(frozen=True, slots=True)
class _Page:
    """The sentences of a page. starts: where each begins behind its mark; words: the stems of each, labels: those of
    the row that a footnote is of; weight: how much a word tells, by how few sentences have it."""

    texts: Sequence[str]
    starts: Sequence[int]
    words: Sequence[frozenset[str]]
    labels: Sequence[frozenset[str]]
    weight: Mapping[str, float]

    def share(self, of: frozenset[str], there: frozenset[str]) -> float:
        """The part of what is asked about that is there, by the weight of its words: 0 to 1."""
        total = sum(self.weight.get(each, UNKNOWN) for each in of)
        return sum(self.weight.get(each, UNKNOWN) for each in of & there) / total if total else 1.0


def answered_in(question: str, sentences: Sequence[str], marked: Mapping[str, str]) -> tuple[str, float] | None:
    """The part of a sentence of a page that answers a question, in lower case, and the chance that it does; None where
    it asks for something else, or none does. marked: the label of the row that a footnote is of, by its mark."""
    if meant := _defined(question, sentences):
        return meant, LIKELY_MEANT
    asked = _asked(re.sub(r"[“”\"]", "", question))
    if asked is None:
        return None
    page, best, answer = _read(sentences, marked), LEAST, ""
    for number, (text, start) in enumerate(zip(page.texts, page.starts, strict=True)):
        for found in (match for pattern in asked.said for match in pattern.finditer(text, start)):
            told = _told(page, asked, number, found)
            if told > best + SAME:
                is_bare = _begins(found) - start < BARE and page.labels[number] and not asked.way.is_around
                best, answer = told, text[_begins(found) :] if is_bare else found["what"]  # `(1) Includes ...`
    answer = language().forms["ends an answer"].split(answer, maxsplit=1)[0].strip(" .,;:")
    return (answer, asked.way.chance) if answer else None


def _read(sentences: Sequence[str], marked: Mapping[str, str]) -> _Page:
    texts = [*dict.fromkeys(part for each in sentences for part in _SENTENCE.split(" ".join(each.split())) if part)]
    words = [frozenset(content(each)) for each in texts]
    marks = [_MARK.match(each) for each in texts]
    labels = [frozenset(content(marked.get(mark["mark"] or "", ""))) if mark else frozenset[str]() for mark in marks]
    counts = Counter(each for one in words for each in one)
    weight = {each: math.log(1 + len(texts) / count) for each, count in counts.items()}
    return _Page(texts, [mark.end() if mark else 0 for mark in marks], words, labels, weight)


def _told(page: _Page, asked: Asked, number: int, found: re.Match[str]) -> float:
    """How well a sentence that says something in the way that is asked for says it of what is asked about: above the
    rest by the words before the answer, those around it and those of the sentence that it goes on from."""
    text, start, label = page.texts[number], page.starts[number], page.labels[number]
    head, there = frozenset(content(text[start : _begins(found)])), page.words[number] | label
    told = AT_IT * page.share(asked.of, there if asked.way.is_around else head | label)
    told += AROUND * page.share(asked.of, there)
    is_near = _begins(found) - start < FEW or language().forms["goes on"].match(text, start) is not None
    before = page.texts[number - 1] if number and is_near else ""
    if before:
        told = max(told, BEFORE * page.share(asked.of, there | page.words[number - 1]))
    of_year = _YEAR.findall(text) or _YEAR.findall(before)
    if asked.years and of_year:
        told += -OF_YEAR if asked.years.isdisjoint(of_year) else OF_YEAR
    if asked.verb and not stem(found["verb"].lower()).startswith(stem(asked.verb)[:ALIKE]):
        told -= OTHER_VERB
    return told - LATER * number - CLOSE * min(len(head - asked.of), MOST_OTHERS)


def _begins(found: re.Match[str]) -> int:
    """Where what says it begins."""
    return found.start("at") if "at" in found.re.groupindex else found.start()


def _asked(question: str) -> Asked | None:
    for way in language().answered:
        for pattern in way.asked:
            if (found := pattern.fullmatch(question)) is not None:
                by = found.groupdict()
                of = frozenset(content(by.get("of") or ""))
                of = of - _OURS or of
                return Asked(way, of, by.get("verb") or "", frozenset(_YEAR.findall(question)))
    return None


def _defined(question: str, sentences: Sequence[str]) -> str:
    """What the sentences of a page say that a term is, where a question, in lower case, asks for nothing else: what
    stands behind `is`, else the whole sentence; "" where none says it."""
    if (asked := language().forms["what a term is"].fullmatch(question)) is None:
        return ""
    term = re.compile(rf"(?:the |an? )?{re.escape(asked['term'])}(?: \([^()]*\))?,? ", re.I)
    for text in sentences:
        start = term.match(text)
        said = start and language().forms["says what it is"].match(text, start.end())
        if said:
            return said["what"] or text.strip()
    return ""


def cause_in(named: Sequence[str], words: Collection[str], years: Collection[int], view: str) -> str:
    """The cause that a sentence of a view says, which is about what is asked: the measures that it names, with other
    words and years of it; "" where none says why."""
    terms = [f" {normalise(each)} " for each in named]
    wanted = {word for term in terms for word in term.split()} | {*words}
    best: tuple[float, str] = (0.0, "")  # how well a sentence fits, and what it says from the cause on
    for match in _SHOWN.finditer(view) if wanted else ():
        said = _FIGURE.sub("", match[1])
        plain = f" {normalise(said)} "
        cause = language().forms["says why"].search(said)
        if cause is not None and all(term in plain for term in terms):
            cover = len(wanted & set(plain.split())) / len(wanted)
            dated = 0.1 if any(str(year) in said for year in years) else 0.0
            best = max(best, (cover + dated, said[cause.start() :].rstrip(". ")), key=lambda each: each[0])
    return best[1] if best[0] >= LEAST_TOLD else ""
