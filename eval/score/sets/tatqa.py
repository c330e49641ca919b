"""The exact match and F1 of TAT-QA, with scale, and our own rules for its answers in words and lists.

Written from the rules as published: Zhu et al. (2021), TAT-QA: A Question Answering Benchmark on a Hybrid of Tabular
and Textual Content in Finance, ACL, section 5.2, with the normalisation of Dua et al. (2019), DROP, NAACL, that it
takes over.
A number is brought to full units by the scale stated for it (a percentage to its decimal), rounded to two decimals
before and to four after that; texts lose case, articles and punctuation; of several texts the order does not count.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

from tieout.agent.ledger.form import read_form
from tieout.agent.ledger.ledger import Entry, FromFact, Words
from tieout.agent.log.turn import Turn
from tieout.agent.question.read import read_question
from tieout.data.arithmetic.units import RATE, RATE_CHANGE
from tieout.data.document import Gold
from tieout.data.printed.amount import Unit
from tieout.eval.score.score import Rule, correct
from tieout.ontology.asked.language import language

SCALES = {"": Decimal(1), "thousand": Decimal(10) ** 3, "million": Decimal(10) ** 6, "billion": Decimal(10) ** 9}
NAMES = {10**3: "thousand", 10**6: "million", 10**9: "billion"}
PERCENT = Decimal("0.01")
_STRIPPED = "'\"\\$€£¥%(),[]`’‘−"
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)")
_FIGURE = re.compile(r"[-(]{0,2}(?:[A-Z]{0,3}[$€£¥₹₩]|[A-Z]{3} )?[0-9.]")  # as one is shown
_OF_UNIT = re.compile(r"^[A-Z]{2,3}(?=[$£€]?\d)|(?<=\d)p$")  # a code of a currency, pence
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_PUNCTUATION = frozenset(string.punctuation) | set("‘’´`_“”–—−•")
Said = tuple[tuple[str, ...], str]  # the texts of an answer, and the scale of their numbers


def said(turn: Turn) -> Said | None:
    """What a turn says, as TAT-QA takes it: the texts of the answer, and its scale; None where there is no answer."""
    if turn.text is None:
        return None
    if turn.answer is not None:
        return _number(turn.answer, turn)
    if turn.kind == "name with value":
        return (turn.items[0].text,), ""  # those behind it are the values of others
    figures = [None if item.entry is None else turn.ledger[item.entry] for item in turn.items]
    are_figures = all(_FIGURE.match(item.text) for item in turn.items) or bool(read_question(turn.question).several)
    if turn.kind in ("list", "table") and all(figures) and are_figures:
        numbers = [_number(figure, turn) for figure in figures if figure is not None]
        scales = Counter(scale for _, scale in numbers)
        return tuple(text for texts, _ in numbers for text in texts), scales.most_common(1)[0][0]
    return tuple(item.text for item in turn.items if not item.under), ""


def _number(entry: Entry, turn: Turn) -> Said:
    if isinstance(entry.value, bool):
        return ("yes" if entry.value else "no",), ""
    if isinstance(entry.value, Words):
        return (entry.value.text,), ""
    if isinstance(entry.source, FromFact) and number_of(entry.source.raw) is None:
        return (entry.source.raw,), ""  # `£59.1m`: a span is what is printed
    if entry.unit in (Unit.PERCENT, Unit.PERCENTAGE_POINTS):
        return (f"{entry.value:f}",), "percent"
    is_ratio = entry.unit in (Unit.RATIO, None) and read_form(turn.format or "").kind in ("percent", "points")
    if is_ratio or entry.unit in (RATE, RATE_CHANGE):
        return (f"{entry.value.scaleb(2):f}",), "percent"
    return (f"{entry.value:f}",), NAMES.get(entry.scale, "")


def number_of(text: str) -> Decimal | None:
    """The number that a text is, at full units where it says its scale; None for a text that is none."""
    words = " ".join("".join(char for char in word if char not in _STRIPPED) for word in text.split()).split()
    if not words or not _NUMBER.fullmatch(words[0]):
        return None
    scale = SCALES.get(words[1].lower().rstrip("s")) if len(words) > 1 else Decimal(1)
    if scale is None:
        return None
    try:
        value = Decimal(words[0]) * scale
    except InvalidOperation:
        return None
    bracketed = re.search(r"\([\d.,\s$€£]+\)?", text) is not None and "(" in text
    negative = bracketed or text.strip().startswith(("−", "-−"))
    value = value.copy_negate() if negative and value > 0 else value
    return value * PERCENT if "%" in text else value


def normalised(answer: Said) -> str:
    """The texts of an answer as one, sorted, numbers at full units."""
    texts, scale = answer
    factor = PERCENT if scale == "percent" else SCALES.get(scale, Decimal(1))
    found = []
    for text in sorted(texts):
        number = number_of(text)
        if number is None:
            found.append(f"{text} {scale}".strip())
        elif "%" in text:
            found.append(f"{number:.4f}")
        else:
            found.append(f"{round(number, 2) * factor:.4f}")
    return " ".join(found)


def tokens(text: str) -> list[str]:
    """The words of a normalised text: no case, articles or punctuation, numbers brought to one form."""
    found = []
    for part in _parts(text.lower()):
        plain = part if _is_number(part) else "".join(char for char in part if char not in _PUNCTUATION)
        plain = _ARTICLES.sub(" ", plain)
        plain = f"{float(plain)}" if _is_number(plain) else plain
        found += plain.split()
    return found


def _parts(text: str) -> list[str]:
    """Words, also those joined by hyphens apart; the sign of a number stays with it."""
    return [part for word in text.split() for part in ([word] if _is_number(word) else word.split("-"))]


def _is_number(text: str) -> bool:
    try:
        return Decimal(text).is_finite()
    except InvalidOperation:
        return False


def exact_and_f1(answer: Said | None, gold: Gold) -> tuple[bool, float]:
    """Exact match and F1 of an answer. For calculations and counts F1 is the exact match."""
    if answer is None or not answer[0]:
        return False, 0.0
    wanted = tokens(normalised((gold.spans, gold.scale)))
    given = [tokens(normalised(answer))]
    texts, scale = answer
    if len(texts) == 1 and not scale and "%" not in texts[0] and (number := number_of(texts[0])) is not None:
        given.append(tokens(f"{number:.4f}"))  # 0.2342 for 23.42 percent
    exact = any(sorted(each) == sorted(wanted) for each in given)
    if gold.kind in ("arithmetic", "count"):
        return exact, float(exact)
    return exact, max(_f1(each, wanted) for each in given)


def _f1(given: Sequence[str], wanted: Sequence[str]) -> float:
    numbers = {token for token in wanted if _is_number(token)}
    if numbers and not numbers & set(given):
        return 0.0
    shared = sum((Counter(set(given)) & Counter(set(wanted))).values())
    precision, recall = shared / max(len(set(given)), 1), shared / max(len(set(wanted)), 1)
    return 2 * precision * recall / (precision + recall) if shared else 0.0


def judged(answer: Said | None, gold: Gold) -> dict[Rule, bool]:
    """Our rules. STRICT: the exact match of TAT-QA. MAIN: every number within 0.5%, as printed or in full units,
    percent and decimal the same, with or without a unit written to it (`RMB77 million`, `445.0p`), in digits or in
    words; every word the same but for case, articles and punctuation; of several the order does not count. LENIENT: the
    same within 1%, whatever the sign."""
    return {
        Rule.STRICT: exact_and_f1(answer, gold)[0],
        Rule.MAIN: _all_right(answer, gold, Rule.MAIN),
        Rule.LENIENT: _all_right(answer, gold, Rule.LENIENT),
    }


def _all_right(answer: Said | None, gold: Gold, rule: Rule) -> bool:
    if answer is None or len(answer[0]) != len(gold.spans):
        return False
    open_ = list(gold.spans)
    for text in answer[0]:
        match = next((each for each in open_ if _one_right(text, answer[1], each, gold, rule)), None)
        if match is None:
            return False
        open_.remove(match)
    return True


def _says_scale(text: str) -> bool:
    """Whether a number says its scale itself, which the label repeats: `$3.0 million`."""
    return any(word.rstrip("s") in SCALES for word in text.lower().split())


def _plain(text: str) -> str:
    """A number without the unit that is written to it, one in words in digits."""
    number = language().numbers.get(text.lower())
    return _OF_UNIT.sub("", text) if number is None else f"{number}"


def _one_right(text: str, scale: str, wanted: str, gold: Gold, rule: Rule) -> bool:
    value, target = number_of(_plain(text)), number_of(_plain(wanted))
    if value is None or target is None:
        return tokens(text) == tokens(wanted)
    in_full = target if _says_scale(wanted) else target * SCALES.get(gold.scale, Decimal(1))
    if correct(rule, value, target) or correct(rule, value, in_full):
        return True
    if correct(rule, value * SCALES.get(scale, Decimal(1)), in_full):
        return True
    places = Decimal("0.006") if gold.kind == "arithmetic" else Decimal(0)  # golds are rounded to two decimals
    return abs(value - target) <= places
