"""What was misread where an answer is not right: by the amounts that the tags state, the answer is some other one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from tieout.eval.selfplay.asking import BACK, Said
from tieout.eval.selfplay.conversations import FORMS, Asked, Conversation, measure_of
from tieout.eval.selfplay.truth import Row, Truth, is_near, plain
from tieout.ontology.metrics.line_item import line_items
from tieout.ontology.metrics.qualifier import qualifiers_of

FOLLOWS = "follows from an earlier turn that is not right"
CALCULATED = ("metric", "nested")
POWERS = tuple(Decimal(10) ** power for power in (-9, -6, -3, -2, -1, 1, 2, 3, 6, 9))
_QUOTED = re.compile(r"'([^']+)'")


@dataclass(frozen=True, slots=True)
class Cluster:
    """Turns in which the same was misread. companies: how many they are about; example: the first."""

    name: str
    count: int
    companies: int
    example: Said


def clusters(said: Sequence[Said], truths: Mapping[str, Truth], asked: Iterable[Conversation]) -> list[Cluster]:
    """What is not right, by what was misread, the most frequent first."""
    docs = {conversation.id: conversation.docs for conversation in asked}
    found: dict[str, list[Said]] = {}
    earlier: list[Said] = []
    for each in said:
        earlier = [*earlier, each] if each.turn else [each]
        if not each.is_right:
            there = [truths[doc] for doc in docs[each.conversation]]
            found.setdefault(blame(each, earlier[:-1], truths[each.asked.doc], there), []).append(each)
    counts = Counter({name: len(turns) for name, turns in found.items()})
    return [
        Cluster(name, count, len({truths[turn.asked.doc].company for turn in found[name]}), found[name][0])
        for name, count in counts.most_common()
    ]


def blame(said: Said, earlier: Sequence[Said], truth: Truth, there: Sequence[Truth]) -> str:
    """What was misread in a turn that is not right. earlier: the turns before it; there: all filings asked."""
    asked = said.asked
    if asked.gold is None:
        return "not there, and answered"
    if asked.kind in ("pronoun", "other period", "other company") and not all(each.is_right for each in earlier):
        return FOLLOWS
    if asked.kind == "slip":
        return "mistyped word"
    if _is_form(said):
        return "form of the question"
    if said.outcome == BACK:
        return _asked_back(said, truth)
    if said.number is None:
        return "kind of answer"
    return _other_number(said, earlier, truth, there)


def _is_form(said: Said) -> bool:
    """Whether words of the form were misread: a figure is asked for and yes or no said, or one of them is not known."""
    if said.asked.kind not in CALCULATED and said.text in ("yes", "no"):
        return True
    unknown = {word.lower() for word in _QUOTED.findall(said.text)} if said.outcome == BACK else set()
    of_forms = {word for form in FORMS for word in re.findall(r"[a-z]+", form.lower())}
    return bool(unknown & of_forms - {*said.asked.said.lower().split()})


def _asked_back(said: Said, truth: Truth) -> str:
    asked = said.asked
    if said.turn:
        return "asked back: reference to an earlier turn"
    if asked.kind in CALCULATED:
        return "asked back: calculation"
    if asked.kind == "company":
        return "asked back: company"
    names = {plain(label) for concept in _concepts(asked) for label in truth.printed.get(concept, ())}
    offered = any(plain(option) in names for option in said.options)
    return "asked back: the right line is offered" if offered else "asked back: measure"


def _concepts(asked: Asked) -> Sequence[str]:
    item = line_items().get(asked.measure)
    return item.concepts if item else (asked.measure,)


def _other_number(said: Said, earlier: Sequence[Said], truth: Truth, there: Sequence[Truth]) -> str:
    asked, number = said.asked, said.number
    assert asked.gold is not None and number is not None
    if asked.is_signed and is_near(number, -asked.gold):
        return "sign"
    if any(is_near(abs(number) * power, abs(asked.gold)) for power in POWERS):
        return "scale"
    if asked.is_signed:
        used = [abs(amount) for _, amount in said.used]
        has_all = bool(asked.parts) and all(any(is_near(one, abs(part)) for one in used) for part in asked.parts)
        return "operation" if has_all else "figure of a calculation"
    if any(each.number is not None and is_near(number, each.number) for each in earlier):
        return "reference to an earlier turn"
    names = _concepts(asked)
    if any(_holds(other, names, number) for other in there if other.company != truth.company):
        return "company"
    return next(_by_row(asked, truth, names, number), "a figure without a tag")


def _holds(truth: Truth, concepts: Sequence[str], number: Decimal) -> bool:
    return any(_is_it(row, number) for row in truth.rows if row.concept in concepts)


def _is_it(row: Row, number: Decimal) -> bool:
    return is_near(abs(number), abs(row.value))


def _by_row(asked: Asked, truth: Truth, concepts: Sequence[str], number: Decimal) -> Iterator[str]:
    """What a number is by the tags, the nearest to what is asked first."""
    rows = [row for row in truth.rows if _is_it(row, number)]
    own = [row for row in rows if row.concept in concepts]
    if any(row.dimensions == () for row in own):
        yield "period"
    if own:
        yield "part of the company"
    whole = [row for row in rows if not row.dimensions]
    for row in whole:
        label = row.label or row.concept.partition(":")[2]
        if qualifiers_of(label) != qualifiers_of(asked.said) and _is_like(label, asked.said):
            yield "qualifier"
    items = line_items()
    mine = items.get(asked.measure)
    others = [items[measure_of(row.concept)] for row in whole if measure_of(row.concept) in items]
    if mine is not None and any(other.statement == mine.statement for other in others):
        yield "other line of the same statement"
    if others:
        yield "line of another statement"
    if rows:
        yield "line of a note" if whole else "part of another measure"


def _is_like(label: str, said: str) -> bool:
    """Whether most words of one are in the other."""
    one, other = {*plain(label).split()}, {*plain(said).split()}
    return 2 * len(one & other) > min(len(one), len(other))
