"""What a page answers in words: why something is so, what is in it, how it is made, what a table shows; the part of the
sentence that says it, by the patterns that a language has for that."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tieout.ontology.asked.language import Answered, language
from tieout.ontology.asked.words import content, stem

LIKELY_MEANT = 0.75  # chance that what a page says that a term is answers a question for it
LEAST = 0.5  # of the words of what is asked about, by their weight, at a sentence that answers
AT_IT, AROUND = 0.7, 0.3  # what those count that stand before the answer, and all of a sentence
BEFORE, CLOSE = 0.85, 0.01  # what those of the sentence before count; what another word before the answer takes off
OTHER_VERB, OF_YEAR, LATER = 0.12, 0.1, 0.001
UNKNOWN = 3.0  # the weight of a word that the page does not have
FEW = 30  # letters before an answer that name nothing
_SENTENCE = re.compile(r"(?<=[.”]) (?=[A-Z•])|(?<=\.) ?(?=• )")
_MARK = re.compile(r"[\s•*]*(?:\((?P<mark>\d{1,2}|[a-z]|[ivx]+)\)|\d{1,2}[.)](?!\d))?[\s•*]*")
_OURS = frozenset(map(stem, ("company", "group", "corporation", "management")))  # who tells it is `we`
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


def answered_in(question: str, sentences: Sequence[str], marked: Mapping[str, str]) -> tuple[str, float] | None:
    """The part of a sentence of a page that answers a question, in lower case, and the chance that it does; None where
    it asks for something else, or none does. marked: the label of the row that a footnote is of, by its mark."""
    if meant := _defined(question, sentences):
        return meant, LIKELY_MEANT
    asked = _asked(re.sub(r"[“”\"]", "", question))
    if asked is None:
        return None
    texts = [*dict.fromkeys(part for each in sentences for part in _SENTENCE.split(" ".join(each.split())) if part)]
    known = [frozenset(content(each)) for each in texts]
    counts = Counter(each for one in known for each in one)
    weight = {each: math.log(1 + len(texts) / count) for each, count in counts.items()}

    def share(there: frozenset[str]) -> float:
        total = sum(weight.get(each, UNKNOWN) for each in asked.of)
        return sum(weight.get(each, UNKNOWN) for each in asked.of & there) / total if total else 1.0

    best, answer = LEAST, ""
    for number, text in enumerate(texts):
        mark = _MARK.match(text)
        start = mark.end() if mark else 0
        label = frozenset(content(marked.get(mark["mark"] or "", ""))) if mark else frozenset()
        for found in (match for pattern in asked.said for match in pattern.finditer(text, start)):
            at = found.start("at") if "at" in found.re.groupindex else found.start()
            head = frozenset(content(text[start:at]))
            there = known[number] | label
            told = AT_IT * share(there if asked.way.is_around else head | label) + AROUND * share(there)
            is_on = number and (at - start < FEW or language().forms["goes on"].match(text, start))
            if is_on:
                told = max(told, BEFORE * share(there | known[number - 1]))
            of_year = _YEAR.findall(text) or (_YEAR.findall(texts[number - 1]) if is_on else [])
            told += (
                OF_YEAR * (1 - 2 * asked.years.isdisjoint(of_year) if asked.years and of_year else 0) - LATER * number
            )
            told -= CLOSE * min(len(head - asked.of), 15)
            if asked.verb and not stem(found["verb"].lower()).startswith(stem(asked.verb)[:5]):
                told -= OTHER_VERB
            if told > best + 1e-9:
                is_bare = at - start < 3 and bool(label) and not asked.way.is_around  # `(1) Includes ...`
                best, answer = told, text[at:] if is_bare else found["what"]
    answer = language().forms["ends an answer"].split(answer, maxsplit=1)[0].strip(" .,;:")
    return (answer, asked.way.chance) if answer else None


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
