"""What a sentence says its amounts measure: the words in front of each amount and behind it that name it.

>>> sentence = "total interest expense was $ 80 million in 2007 , including $ 3 million of penalties ."
>>> namer = Namer(blank(sentence, [(43, 47)]))
>>> namer.name(27, 39, 60).text, namer.name(60, 71, len(sentence)).text
('total interest expense', 'total interest expense … penalties')
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tieout.data.printed.pattern import later

MOST_WORDS = 24  # in front of an amount; a label is not a sentence
MOST_WORDS_BEHIND = 10
MOST_READ = 80  # words in front of an amount among which what it measures is looked for
GAP = " … "  # stands where an amount was


@dataclass(frozen=True, slots=True)
class Phrase:
    """text: what is measured, in words of the sentence. subject: its core, which is matched with the ontology."""

    text: str
    subject: str


EMPTY = Phrase("", "")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ARTICLES = "the a an our its their this these those such"
# Words between what is measured and its amount.
_LINKS = _words(
    "was were is are be been being of to at by for in from with a an the and or than as well about approximately "
    "nearly roughly almost approximated over under around only up equal equals equaled equalled amounted "
    "amounting amounts totaled totalled totaling totals aggregated aggregating averaged averaging represented "
    "representing represents comprised consisted consisting remained reached reaching valued estimated expected "
    "least most more less us between ranging ranged ranges primarily both also each had has have having would "
    "will may could additional another respectively including into through per every next that , : ; ( | - – —"
)
# Words in front of what is measured.
_LEADS = _words(
    f"{_ARTICLES} and or but while whereas which that who however also as well additionally addition furthermore "
    "further therefore thus consequently accordingly then respectively compared versus in during for at on of to "
    "from by with under we us there it including was were is are has had have been will would , : ; ) . | -"
)
_PRONOUNS = _words("we it they there company corporation registrant")
# Where another clause begins, and where a part of a clause does not stand alone.
_BOUNDARIES = _words("; : | . fffd which while whereas although because since whose compared versus but")
_DEPENDENT = _words(
    "net including excluding inclusive exclusive before after and or less plus of for in on with as if which that "
    "primarily principally respectively"
)
_REFERS = _words("the this these such that those comparable corresponding related")  # to the sentence before
_UNIT_WORDS = _words("shares share years year months month days day options units times basis points per dollars")
_AUXILIARIES = (
    "was were is are be been has have had will would may which that who and or but as at by compared while if until"
)
_NO_BEHIND = _words(f"{_AUXILIARIES} during because due respectively than upon when since so")
_BEHIND_STOPS = _words(
    f"{_AUXILIARIES} on through during because due resulting respectively than upon when , ; : ( | . $"
)
_LEADS_BEHIND = _words(f"of {_ARTICLES} aggregate")
_EMPTY_WORDS = _words(
    "the an of to in for and or at by from with as was were is are we our its it us be been has had have that "
    "which this these those there total approximately about per each respectively million billion thousand "
    "compared versus during year years ended ending fiscal quarter period up down than also other such aggregate "
    "amount amounts including over under"
)
_PERIOD_LEADS = _words(
    "in for during as of at on since through by until within ended ending beginning the each year years fiscal "
    "calendar month months three six nine twelve quarter quarters period periods first second third fourth end "
    "dated and , - ("
)
_AFTER_AMOUNT = later(
    r"\s*(?:%|\))?(?:\s*, respectively ,)?(?:\s*-?(?:years?|months?|days?)\b(?: periods?| terms?)?|\s*per "
    r"(?:[a-z]+ )?share\b)?"
)
_TOKEN = later(r"\S+")
_OBJECT = later(r"\s(?:a|an|the)\s\S+$")
_WORD = later(r"[a-z][a-z'&/.-]+")


def blank(sentence: str, spans: Iterable[tuple[int, int]]) -> str:
    """The sentence with its periods, and the words that lead to them, blanked; every other character stays in its
    place."""
    text = sentence
    for start, end in spans:
        begin = start
        while begin:
            cut = text.rfind(" ", 0, begin - 1) + 1
            if text[cut:begin].strip() not in _PERIOD_LEADS:
                break
            begin = cut
        text = text[:begin] + " " * (end - begin) + text[end:]
    return text


def has_content(text: str) -> bool:
    """Whether a stretch of a sentence names anything, or only connects."""
    return any(word not in _EMPTY_WORDS for word in _WORD.findall(text))


def _content(text: str) -> int:
    return sum(word not in _EMPTY_WORDS for word in _WORD.findall(text))


class Namer:
    """Names the amounts of one sentence, from left to right.

    blanked: the sentence, from `blank`. before: what the sentence in front of it is about.
    """

    def __init__(self, blanked: str, before: str = "") -> None:
        self._text = blanked
        self._before = before
        self._low = 0  # up to where words belong to the amounts before
        self._first = ""  # the subject of the sentence
        self._front = ""
        self._last = EMPTY

    def name(self, start: int, end: int, high: int, is_row: bool = False) -> Phrase:
        """What the amount, or the list of amounts, at start to end measures. high: where the next one begins.

        An amount whose words name nothing measures what the one before does: `grew to $ 5 from $ 4`. is_row: the
        amounts
        are a row of a table printed as text, and what stands behind them is the label of the next.
        """
        between = self._text[self._low : start].split()
        own = _front(between)
        behind, self._low = ("", end) if is_row else self._behind(end, high)
        if own:
            if own in self._first:
                own = self._first
            elif _content(own) < 3 <= _content(self._first):
                own = f"{_without_object(self._first)}{GAP}{own}"
            elif self._before and not self._first and _content(own) < 2 and between[0] in _REFERS:
                own = f"{_short(self._before)}{GAP}{own}"
            self._front = own
            self._first = self._first or own
        elif not behind or "including" in between or between[-2:] == ["of", "which"]:
            self._front = self._last.text
        front = self._front
        if not behind and (not front or between[-1:] == ["that"]):
            behind = self._predicate(end, high)
        text = f"{front}{GAP}{behind}" if front and behind else front or behind
        subject = own if _content(own) > 1 or not behind else behind
        self._last = Phrase(text, subject.rpartition(GAP)[2] or self._last.subject)
        return self._last

    def _behind(self, end: int, high: int) -> tuple[str, int]:
        """The words behind an amount that say what it is an amount of, and where they end."""
        after = _AFTER_AMOUNT.match(self._text, end, high)
        begin = last = after.end() if after else end
        words: list[str] = []
        for token in _TOKEN.finditer(self._text, begin, high):
            word = token[0]
            stops = _BEHIND_STOPS if words else _NO_BEHIND
            # Three blanks or more are where a period was.
            if word in stops or word[0].isdigit() or (words and token.start() - last > 2):
                break
            if not words and not "a" <= word[0] <= "z":
                break
            last = token.end()
            words.append(word)
        found = _stripped(words[:MOST_WORDS_BEHIND], _LEADS_BEHIND)
        if any(word not in _EMPTY_WORDS and word not in _UNIT_WORDS for word in found if len(word) > 1):
            return " ".join(found).rstrip(",;:"), last
        return "", last if found else begin

    def _predicate(self, end: int, high: int) -> str:
        """What is said of an amount that nothing else names: `$ 100 was invested in common stock`."""
        rest = re.split(r"\s[,;:.|](?=\s|$)|\s{3}", self._text[end:high], maxsplit=1)[0]
        return " ".join(rest.split()[:MOST_WORDS_BEHIND])


def _stripped(words: Sequence[str], leads: frozenset[str]) -> Sequence[str]:
    """Words without those at both ends that name nothing."""
    first, last = 0, len(words)
    while last and words[last - 1] in _LINKS:
        last -= 1
    while first < last:
        if words[first] in leads:
            first += 1
        elif words[first] == "(" and ")" in words[first : first + 6]:
            first += words[first:].index(")") + 1  # a footnote mark, a unit, a short form
        else:
            break
    return words[first:last]


def _short(phrase: str) -> str:
    return " ".join(phrase.partition(GAP)[0].split()[:MOST_WORDS_BEHIND])


def _without_object(text: str) -> str:
    """A phrase without what it ends in: `the changes resulted in a gain` is `the changes resulted`."""
    shorter = " ".join(_stripped(_OBJECT.sub("", text).split(), frozenset()))
    return shorter if has_content(shorter) else text


def _names(words: Sequence[str]) -> bool:
    return any(word not in _EMPTY_WORDS and _WORD.match(word) for word in words)


def _front(between: Sequence[str]) -> str:
    """The last clause of the words in front of an amount, without what it begins and ends with."""
    words = _stripped(between[-MOST_READ:], frozenset())
    if not words or (words[-1] in _PRONOUNS and (len(words) == 1 or words[-2] in (",", "the", "|", ":", ";"))):
        return ""
    for at in range(len(words) - 1, -1, -1):
        if words[at] in _BOUNDARIES and _names(words[at + 1 :]):
            words = words[at + 1 :]
            break
    begin = len(words)
    while begin > 0:
        begin = max((at for at in range(begin - 1) if words[at] == ","), default=-1) + 1
        is_net_of = words[begin] != "net" or words[begin + 1 : begin + 2] in ([], [","], ["of"])
        if not (words[begin] in _DEPENDENT and is_net_of) and _names(words[begin:]):
            break
    words = _stripped(words[begin:], _LEADS)
    if len(words) > MOST_WORDS:
        words = _stripped(words[-MOST_WORDS:], _LEADS)
    for size in range(len(words) // 2, 1, -1):
        if words[:size] == words[size : 2 * size]:  # a heading, and the sentence that begins with its words
            words = words[size:]
            break
    return " ".join(words) if _names(words) else ""
