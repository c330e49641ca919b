"""Conversations about filings, made from their tags: what is asked, in which words, and what is right.

Nothing is drawn at random: a checksum of the filing says which of its measures are asked for, and how. The words are
those of the line items, and those by which other filings print the same concept.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property

from tieout.eval.analyst import COMPOSED, LEAST_RATE, NOTHING, called, checksum, is_plain, slip, some
from tieout.eval.selfplay.truth import Truth, item_of_concept, plain
from tieout.ontology.labels.label import words_of_tag
from tieout.ontology.metrics.formula import operands, read_formula
from tieout.ontology.metrics.line_item import LineItem, find_line_item, line_items
from tieout.ontology.metrics.metric import find_metric, metrics

LONGEST, SHORTEST = 7, 2  # words of a label that somebody would say
SAYS_LITTLE = frozenset(("total", "net", "of", "and", "other", "in", "for", "from", "to"))
NESTED = (  # calculations of calculations: how they are said, and their formula
    ("the sum of operating income and depreciation and amortization, divided by revenue",
     "([operating_income] + [depreciation_amortization]) / [revenue]"),
    ("the change in net income divided by the change in revenue from the year before",
     "([net_income] - [net_income@-1]) / ([revenue] - [revenue@-1])"),
    ("operating cash flow minus capital expenditures, divided by net income",
     "([operating_cash_flow] - magnitude([capital_expenditures])) / [net_income]"),
    ("net income divided by the average of total assets at the beginning and the end of the year",
     "[net_income] / average([total_assets], [total_assets@-1])"),
    ("total current assets minus inventories, divided by total current liabilities",
     "([current_assets] - [inventory]) / [current_liabilities]"),
)  # fmt: skip
FORMS = (  # ways to ask for a figure; a label and a time are filled in
    "What was {label} {when}?", "how much was {label} {when}", "{label} {when}?", "Can you tell me the {label} {when}?",
    "what did the company report as {label} {when}?", "I need {label} {when}.",
)  # fmt: skip
_WORD = re.compile(r"[a-z]+", re.IGNORECASE)
# Words of labels that stand for a place in a table and not for a measure.
_OF_A_PLACE = re.compile(
    r"\d|^less\b|\b(?:beginning|end|ending|balances?|january|december|see|item|above|below)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A turn. gold: in full units, a rate as a decimal; None for what no filing states. measure: the line item, metric
    or concept that is asked for; said: the words for it; year: in which the fiscal year ends. is_signed: the sign
    counts. parts: the amounts that the answer is made of."""

    doc: str
    kind: str
    text: str
    gold: Decimal | None
    measure: str = ""
    said: str = ""
    year: int = 0
    is_signed: bool = False
    parts: tuple[Decimal, ...] = ()


@dataclass(frozen=True, slots=True)
class Conversation:
    """Turns over one filing, or over two companies' filings. docs: their names."""

    id: str
    docs: tuple[str, ...]
    turns: tuple[Asked, ...]


@dataclass(frozen=True)
class Wording:
    """How filings print concepts. labels: by concept and label, as compared: the label as printed, and the companies
    that print it."""

    labels: Mapping[str, Mapping[str, tuple[str, frozenset[str]]]]

    @classmethod
    def of(cls, truths: Iterable[Truth]) -> Wording:
        """What the filings print. Labels that name several measures, or none by themselves, are left out."""
        truths = list(truths)
        found: dict[str, dict[str, tuple[str, frozenset[str]]]] = defaultdict(dict)
        measures: dict[str, set[str]] = defaultdict(set)
        names = {word for truth in truths for word in truth.called.split() if len(word) > 3}
        names |= {truth.ticker.lower() for truth in truths if truth.ticker}
        for truth in truths:
            for concept, labels in truth.printed.items():
                for label in labels:
                    key = plain(label)
                    measures[key].add(measure_of(concept))
                    if can_stand(label, concept) and names.isdisjoint(map(str.lower, _WORD.findall(label))):
                        first, by = found[concept].get(key, (label, frozenset[str]()))
                        found[concept][key] = first, by | {truth.company}
        return cls(
            {
                concept: {key: each for key, each in labels.items() if len(measures[key]) == 1}
                for concept, labels in found.items()
            }
        )

    def of_others(self, truth: Truth, concept: str) -> Sequence[str]:
        """The labels by which only others print a concept."""
        own = {plain(label) for label in truth.printed.get(concept, ())}
        return [label for key, (label, _) in sorted(self.labels.get(concept, {}).items()) if key not in own]

    def own(self, truth: Truth, concept: str) -> Sequence[str]:
        """The labels by which a filing prints a concept itself."""
        return [label for label, by in self.labels.get(concept, {}).values() if truth.company in by]


def measure_of(concept: str) -> str:
    """The line item that a concept is of, else the concept."""
    return item_of_concept().get(concept, concept)


def can_stand(label: str, concept: str) -> bool:
    """Whether somebody would say a label without its table: two to seven words that name no other measure, one of them
    of the line item, or two of the concept where it is of none; none is of a place or a number."""
    words = _WORD.findall(label)
    if not SHORTEST <= len(label.split()) <= LONGEST or _OF_A_PLACE.search(label) or ":" in label:
        return False
    item = line_items().get(measure_of(concept))
    known = find_line_item(label)
    if find_metric(label) is not None or (known is not None and known != item):
        return False
    of_concept = " ".join((words_of_tag(concept), *(item.labels if item else ())))
    shared = {*plain(" ".join(words)).split()} & {*plain(of_concept).split()} - SAYS_LITTLE
    return len(shared) >= (1 if item else 2)


@dataclass(frozen=True)
class _Filing:
    """A filing that is asked about."""

    truth: Truth
    wording: Wording

    @cached_property
    def year(self) -> int:
        return self.truth.stated.years[0]

    @cached_property
    def items(self) -> list[LineItem]:
        there = (item for item in line_items().values() if (item.name, self.year) in self.truth.stated.amounts)
        return [item for item in there if is_plain(item) and self.value(item) and self.concept(item)]

    @cached_property
    def flows(self) -> list[LineItem]:
        """Amounts of money over a year, above nothing in this one and the one before."""
        found = (item for item in self.items if not item.is_instant and not item.unit)
        return [item for item in found if (self.value(item) or 0) > 0 and (self.value(item, 1) or 0) > 0]

    def value(self, item: LineItem, back: int = 0) -> Decimal | None:
        return self.truth.stated.amounts.get((item.name, self.year - back))

    def concept(self, item: LineItem) -> str:
        """The concept by which the filing states an item, "" where it states it twice and otherwise."""
        first = next((each for each in item.concepts if each in self.truth.whole), "")
        return first if self.truth.amount(first, self.year) is not None else ""

    def pick(self, of: Sequence[LineItem], kind: str, most: int) -> list[LineItem]:
        picked: list[LineItem] = some(of, self.truth.doc, kind, most)
        return picked

    def ask(self, kind: str, item: LineItem, label: str, form: str = FORMS[0]) -> Asked:
        text = form.format(label=label, when=self.truth.when(self.year, item.is_instant))
        value = self.value(item) or Decimal(0)
        return Asked(self.truth.doc, kind, text, value, item.name, label, self.year, parts=(value,))

    def form(self, item: str) -> str:
        return FORMS[checksum(self.truth.doc, f"form {item}") % len(FORMS)]

    def looked_up(self) -> Iterator[Sequence[Asked]]:
        """First questions for one figure: by known names, by the words of others, as printed, mistyped."""
        doc = self.truth.doc
        for item in self.pick(self.items, "look-up", 5):
            yield [self.ask("look-up", item, called(item, doc), self.form(item.name))]
        for kind, most, words in (("words of others", 6, self.wording.of_others), ("as printed", 3, self.wording.own)):
            able = {item.name: labels for item in self.items if (labels := words(self.truth, self.concept(item)))}
            for item in self.pick([each for each in self.items if each.name in able], kind, most):
                label = able[item.name][checksum(doc, f"{kind} {item.name}") % len(able[item.name])]
                yield [self.ask(kind, item, said(label), self.form(kind + item.name))]
        for item in self.pick(self.items, "slip", 2):
            if wrong := slip(item.labels[0]):
                yield [self.ask("slip", item, wrong)]

    def unlisted(self, most: int = 4) -> Iterator[Sequence[Asked]]:
        """What is of no line item, by the words of any filing."""
        concepts = [
            concept
            for concept, labels in sorted(self.wording.labels.items())
            if measure_of(concept) == concept and labels and self.truth.amount(concept, self.year)
        ]
        for concept in some(concepts, self.truth.doc, "unlisted", most):
            yield [probe(self.truth, concept, label) for label in list(self.labels_of(concept))[:1]]

    def labels_of(self, concept: str) -> Sequence[str]:
        labels = sorted(label for label, _ in self.wording.labels[concept].values())
        at = checksum(self.truth.doc, concept) % len(labels)
        return labels[at:] + labels[:at]

    def followed(self) -> Iterator[Sequence[Asked]]:
        """Questions that rest on those before: another period, another measure, what came before by a pronoun."""
        now, before = self.year, self.year - 1
        for item in self.pick(self.flows, "period", 2):
            last, first = self.value(item) or Decimal(0), self.value(item, 1) or Decimal(0)
            yield [
                self.ask("follow-up", item, item.labels[0]),
                self.then("other period", "And in the year before?", first, item, before),
                self.then("pronoun", "By what percentage did it change?", last / first - 1, item, now, (last, first)),
            ]
        revenue = line_items()["revenue"]
        if revenue not in self.flows:
            return
        ones = self.pick([item for item in self.flows if item.name != "revenue"], "one", 2)
        others = [item for item in self.flows if item.name != "revenue" and item not in ones]
        whole = self.value(revenue) or Decimal(1)
        for one, second in zip(ones, self.pick(others, "other", 2), strict=False):
            part = self.value(second) or Decimal(0)
            yield [
                self.ask("follow-up", one, one.labels[0]),
                self.then("other measure", f"And {second.labels[0]}?", part, second, now),
                self.then(
                    "pronoun", "What is that as a percentage of revenue?", part / whole, second, now, (part, whole)
                ),
            ]

    def then(
        self, kind: str, text: str, gold: Decimal, item: LineItem, year: int, parts: Sequence[Decimal] = ()
    ) -> Asked:
        """A later turn; one of several parts is a calculation."""
        return Asked(
            self.truth.doc, kind, text, gold, item.name, item.labels[0], year, len(parts) > 1, tuple(parts) or (gold,)
        )

    def calculated(self) -> Iterator[Sequence[Asked]]:
        """Metrics, and calculations of calculations."""
        stated, when = self.truth.stated, self.truth.when(self.year, is_instant=False)
        known = [metric for metric in metrics().values() if metric.name not in line_items()]
        able = [(each.name, find_metric_label(each.name), each.formula) for each in known]
        made = [(said, said, read_formula(written)) for said, written in (*COMPOSED, *NESTED)]
        for kind, formulas, most in (("metric", able, 2), ("nested", made, 3)):
            valued = [each for each in formulas if abs(stated.value(each[2], self.year) or Decimal(0)) > LEAST_RATE]
            for name, label, formula in some(valued, self.truth.doc, kind, most):
                parts = tuple(
                    value
                    for part in operands(formula)
                    if (value := stated.amounts.get((part.name, self.year + part.back))) is not None
                )
                gold = stated.value(formula, self.year)
                text = f"What was {label} {when}?"
                yield [Asked(self.truth.doc, kind, text, gold, name, label, self.year, True, parts)]

    def missing(self) -> Iterator[Sequence[Asked]]:
        """What is not there: as a first question, and behind one that can be answered."""
        doc, when = self.truth.doc, self.truth.when(self.year, is_instant=False)
        one, other = some(NOTHING, doc, "nothing", 2)
        yield [Asked(doc, "not there", f"What was the {one} {when}?", None, "", one, self.year)]
        for item in self.pick(self.flows, "nothing", 1):
            behind = Asked(doc, "not there", f"And the {other}?", None, "", other, self.year)
            yield [self.ask("follow-up", item, item.labels[0]), behind]

    def beside(self, other: _Filing) -> Iterator[Sequence[Asked]]:
        """Questions that go from one company to the other. Their fiscal years have to bear the same number."""
        shift = other.truth.named - self.truth.named
        theirs = replace_year(other, self.year + shift)
        if theirs is None:
            return
        there = {item.name for item in theirs.flows}
        for item in self.pick([item for item in self.flows if item.name in there], "entity", 2):
            label, year = item.labels[0], self.year - self.truth.named
            mine, yours = self.value(item) or Decimal(0), theirs.value(item) or Decimal(0)
            first = f"What was {label} of {name_of(self.truth)} in fiscal {year}?"
            behind = theirs.then("other company", f"And of {name_of(other.truth)}?", yours, item, theirs.year)
            difference = self.then(
                "pronoun", "What is the difference between the two?", mine - yours, item, self.year, (mine, yours)
            )
            yield [
                replace(self.ask("company", item, label), text=first),
                behind,
                replace(difference, is_signed=False),
            ]


def replace_year(filing: _Filing, year: int) -> _Filing | None:
    """The filing, asked in another of its years; None where it states none such."""
    if year not in filing.truth.stated.years or year - 1 not in filing.truth.stated.years:
        return None
    found = _Filing(filing.truth, filing.wording)
    found.__dict__["year"] = year
    return found


def find_metric_label(name: str) -> str:
    """A label of a metric that names no other."""
    metric = metrics()[name]
    return next((label for label in metric.labels if find_metric(label) == metric), metric.labels[0])


def name_of(truth: Truth) -> str:
    """The company as people write it."""
    return truth.called.title()


def said(label: str) -> str:
    """A printed label as somebody would type it."""
    first, _, rest = label.partition(" ")
    return " ".join(filter(None, (first.lower() if first[1:].islower() or not first[1:] else first, rest)))


def probe(truth: Truth, concept: str, label: str) -> Asked:
    """The question for a concept by a label, in the latest year."""
    year = truth.stated.years[0]
    value = truth.amount(concept, year)
    is_instant = any(row.concept == concept and row.start is None for row in truth.rows)
    text = FORMS[0].format(label=said(label), when=truth.when(year, is_instant))
    return Asked(
        truth.doc, "unlisted", text, value, measure_of(concept), said(label), year, parts=(value or Decimal(0),)
    )


def make_conversations(truths: Sequence[Truth], wording: Wording) -> Iterator[Conversation]:
    """The conversations about some filings, each of which is paired with the next of another company."""
    filings = [_Filing(truth, wording) for truth in truths]
    for at, filing in enumerate(filings):
        doc = filing.truth.doc
        ways = (filing.looked_up, filing.unlisted, filing.followed, filing.calculated, filing.missing)
        for number, turns in enumerate(turns for way in ways for turns in way()):
            yield Conversation(f"{doc}/{number + 1}", (doc,), tuple(turns))
        behind = (*filings[at + 1 :], *filings[:at])
        other = next((each for each in behind if each.truth.company != filing.truth.company), None)
        if other is not None:
            for number, turns in enumerate(filing.beside(other)):
                yield Conversation(f"{doc}/beside {number + 1}", (doc, other.truth.doc), tuple(turns))
