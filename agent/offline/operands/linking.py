"""Which line of a view a question means: by its line item in its statement, else by the words of its label."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter

from tieout.agent.offline.operands.figures import PART, RATE, SEGMENT, Figures
from tieout.agent.question.question import Question
from tieout.data.printed.unit import Unit, is_currency
from tieout.kg.asked.part_names import PartNames, is_result, measured
from tieout.kg.fact import Fact
from tieout.kg.figure import (
    BALANCE,
    OTHER_MEASURE,
    TELLING,
    amount_of,
    called_margin,
    column_of,
    is_instant,
    is_of_odd_length,
    not_among,
    rounds_to,
    table_of,
    without_inside,
    words_around,
    words_of,
    words_of_label,
    year_of,
)
from tieout.kg.filings.eligible import across, is_in_label_of, may_be, rank_of
from tieout.kg.moves import is_moved
from tieout.kg.sense import RATE_UNITS, is_of_loss
from tieout.ontology.asked.language import language
from tieout.ontology.asked.measures import find_measures
from tieout.ontology.labels.label import normalise, with_country
from tieout.ontology.metrics.line_item import LineItem, find_line_item
from tieout.ontology.metrics.metric import Metric, metrics
from tieout.ontology.metrics.qualified import BESIDES, binds, is_qualified, names_item

_NOTE = re.compile(r"\([^)]*\)")  # in a header it says the scale
_OF_INSIDE = re.compile(r"\b(?:net of|less|including)\b(.*)$", re.IGNORECASE | re.DOTALL)
_MORE = re.compile(r",| (?:on|for|related to|including|excluding) ")  # what follows in a sentence tells of what it is
# What a report adds to the name of a metric that it prints, which mostly is of its own making.
_ASIDE = re.compile(r"\(?\bnon-gaap\)?| (?:percentage|percent|\(?%\)?)$", re.IGNORECASE)
_DUE = re.compile(
    r"\bthereafter\b|\bmaturit|\bmatur(?:e|ing)|\bdue\b|\brepayments?\b|future (?:minimum )?payments", re.IGNORECASE
)
# Words that name no part of a company by themselves.
OF_NO_PART = frozenset(("net", "gross", "total", "fair", "carrying", "book", "notional"))
RATES = frozenset(("rate", "percentage", "margin", "percent"))  # words that ask for a percentage
OWN_STATEMENT, PER_RANK = 2.0, 0.06
FARTHEST = 5  # labels behind which another one is no less telling
AS_STATEMENT = 1.6  # of a line of a summary where more than a line is asked for: nothing else there may be meant
OWN_LABEL = 1.0  # added to the score of a line that is labelled with the very words
RESULTS = ("operating_income", "ebit", "net_income")  # as which the result of a part is asked for, the likeliest first
OVER = 1.0  # of a line of a part of the company under a heading that says what is measured
OF_WHOLE, ALONE = 0.3, 0.25  # of a part of the whole company, before parts of that; of one part before several
FULL_COVER, AROUND_COVER, PER_EXTRA = 2.0, 0.8, 0.18
EXACT_LABEL = 0.6
OF_STATEMENT = 0.3  # of a line of what surely is a statement
IS_CONCEPT, MAY_BE_CONCEPT = 0.8, 0.45  # chance from which a figure is what it was read as, and may well be
MOST_ALIKE = 2  # amounts of which one may happen to be the sum of the others
PREFERRED = 0.5  # of the line that is meant where several have labels of the line item
TOLD, COUNTED = 1.4, 2.0  # scores of a figure in a sentence, and of a count of shares inside a label
NEAR, NEAR_STATEMENT, LEAST_LIKE = 0.6, 0.5, 0.7  # of labels that are only like one of the line item


Around = tuple[frozenset[str], float]  # the words around a figure, and what is taken off
# How well a figure fits, itself, the words of its label, and those around it.
Scored = tuple[float, Fact, frozenset[str], frozenset[str]]


@dataclass(frozen=True, slots=True)
class Pick:
    """A figure that a question may mean, and how well it fits. missing: words of the question that it leaves open.
    likely: what of the score is of a standard concept that it may be, which makes none certain."""

    fact: Fact
    score: float
    missing: frozenset[str] = frozenset()
    likely: float = 0.0


class Lines(Figures):
    """The lines of a view that a question may mean."""

    _weighed: tuple[Question | None, dict[str, Around]] = None, {}  # of figures by name, for one question

    def of_item(self, item: LineItem, year: int | None, report: str, asked: Question) -> list[Pick]:
        """The figures of a line item in a fiscal year, the best first."""
        picks = []
        least = MAY_BE_CONCEPT if item.statement == "note" else IS_CONCEPT  # what a statement has is no line of a note
        known = {name: sure for name, sure in self.concepts.get(item.name, {}).items() if sure >= least}
        is_composed = len(asked.named) > 1 or any(each.is_metric for each in asked.named)
        is_composed = is_composed or asked.calculation == "growth" or asked.is_held_against
        is_of_any = self.is_summary or item.unit == "count"  # highlights print how many work there under a year
        is_of_day, others = None if is_of_any else item.is_instant, across(item, self.concepts)
        found = self._in(report, year, instant=is_of_day, asked=asked)
        ranks: dict[int, int | None] = {at: None for name in known for at in found.by_name.get(name, ())}
        for places in found.by_line.values():
            rank = rank_of(item, found[places[0]])
            ranks.update(dict.fromkeys(places, rank) if rank is not None or self.of_tags else {})
        for fact, rank in ((found[at], ranks[at]) for at in sorted(ranks)):
            is_tag = self.of_tags and fact.concept in item.concepts
            rank = item.concepts.index(fact.concept) if is_tag else rank
            if fact.name in known:
                rank = rank or 0
            elif rank is None or fact.name in others or not _may_be(fact, item, self.under(fact)):
                continue
            guess = self.statements[table_of(fact)]
            own = OWN_STATEMENT * guess.score if guess.statement == item.statement else 0.0
            own = OWN_STATEMENT if is_tag else AS_STATEMENT if is_composed and self.is_summary else own
            exact = EXACT_LABEL if fact.concept in item.concepts and not fact.dimensions else 0.0
            meant = PREFERRED if item.is_preferred(fact.label) else -PER_RANK * min(rank, FARTHEST)
            rate = RATE if item.unit == Unit.PERCENT else 0.0  # which speaks against other lines alone
            sure = known.get(fact.name, 0.0)
            more = max(OWN_STATEMENT * sure - own, 0) + sure
            score = 1 + own + exact + meant + rate + more - self._off(fact, asked)
            picks.append(Pick(fact, score, asked.open - words_around(fact), more if sure < IS_CONCEPT else 0.0))
        picks = [replace(pick, score=pick.score - PREFERRED * _is_narrower(pick, picks)) for pick in picks]
        for fact in self._known_aside(item, known, year, report, asked):
            in_full = [pick for pick in picks if rounds_to(pick.fact, fact)]  # a line, of `about $4 billion`
            if not in_full and any(pick.score > OWN_STATEMENT for pick in picks):
                continue  # what a tag says of a part of the line of the statement
            pick = in_full[0] if in_full else Pick(fact, 0, asked.open - words_around(fact))
            picks.append(replace(pick, score=1 + (OWN_STATEMENT + 1) * known[fact.name]))
        return of_the_whole(_ranked(picks))

    def _known_aside(
        self, item: LineItem, known: Mapping[str, float], year: int | None, report: str, asked: Question
    ) -> Iterable[Fact]:
        """The figures in no column that are known to be a line item: `net of allowances of $20`. What is calculated
        tells more than a rate of two digits."""
        instant = None if item.statement == "note" else item.is_instant
        for fact in (*self.told, *self.in_labels) if known else ():
            is_rounded = item.name in metrics() and sum(map(str.isdigit, fact.raw)) < TELLING
            is_of_unit = fact.unit or item.unit == "count"  # `566,000 full-time and part-time employees`
            if fact.name in known and is_of_unit and not is_rounded and self._fits(fact, year, report, instant, asked):
                yield fact

    def like_item(self, item: LineItem, year: int | None, report: str, asked: Question, is_bound: bool) -> list[Pick]:
        """The figures whose labels are only like those of a line item, those in its own statement before others.

        is_bound: it is a part of a formula, for which no line that is known as another item stands, or has one: what is
        missing of its label can be added up from its parts.
        """
        best: dict[str, tuple[float, Fact]] = {}
        for words in dict.fromkeys(frozenset(normalise(label).split()) for label in item.labels):
            if len(words) < 2:
                continue  # too little to go by
            for score, fact, label, about in self._with_some_of(words, year, report, asked, item):
                if is_bound and not_among(words, label | about):
                    continue
                score = score + self._near(fact, item) - NEAR
                if fact.name not in best or score > best[fact.name][0]:
                    best[fact.name] = score, fact
        likely = sorted((each for each in best.values() if each[0] > LEAST_LIKE), key=lambda each: -each[0])
        fit = (each for each in likely if self._may_be_like(each[1], item, is_bound))
        return [Pick(fact, score, asked.open - words_around(fact)) for score, fact in fit]

    def _may_be_like(self, fact: Fact, item: LineItem, is_part: bool) -> bool:
        """Whether a figure whose label is like one of a line item may be it: `Net sales` is no cost of sales."""
        other = find_line_item(fact.label) or item
        if other != item and (is_part or other.spent != item.spent):
            return False
        is_bound = binds(item, f"{fact.label} {fact.section} {_NOTE.sub(' ', fact.header)}")
        return is_bound and _may_be(fact, item, self.under(fact))

    def of_due(self, words: frozenset[str], year: int, report: str, *, is_ahead: bool, is_after: bool) -> list[Pick]:
        """The figures of what falls due in a year, of a table whose title or headings say of what: its rows or columns
        are years. is_ahead: that is yet to come, so that nothing need say due. is_after: of what falls due after it."""
        at = self.of_report(report).by_heading
        of_year, next_year = at.get(str(year), ()), at.get(str(year + 1), ())
        ending = set(map(table_of, of_year)) - set(map(table_of, next_year))
        late = [fact for said in ("Thereafter", "thereafter", f"After {year}") for fact in at.get(said, ())]
        picks, ahead, known = [], {table_of(fact) for fact in late}, language().words
        for fact in [each for each in late if table_of(each) in ending] if is_after else of_year:
            over, title = f"{fact.section} {fact.header}", f"{fact.caption} {fact.heading.rpartition('>')[2]}"
            own = words_of(f"{over} {fact.label}")
            if not (words and is_currency(fact.unit) and words <= own | words_of(f"{title} {self.total_of(fact)}")):
                continue
            says_due = _DUE.search(f"{title} {over}") is not None
            if says_due or is_ahead or table_of(fact) in ahead:
                left = {each for each in own - words - known["of what is due"] if not each.isdigit()}
                is_other = words.isdisjoint(own) and not left.isdisjoint(words_of(fact.label))
                off = RATE * is_other + PER_RANK * len(left) * says_due  # `Lease payments` under `Debt and leases`
                picks.append(Pick(fact, OWN_STATEMENT - off))
        return _ranked(picks)

    def of_balance(self, words: frozenset[str], year: int | None, report: str, asked: Question) -> list[Pick]:
        """The balances of a table whose title or headings say of what, as in one that leads from an opening balance to
        a closing one: its lines are called `December 31` or `Balance at end of year`."""
        picks = []
        for fact in self._in(report, year, instant=True, asked=asked):
            if not words or not is_instant(fact) or not BALANCE.search(fact.label.lower()):
                continue
            label, over = words_of(fact.label), words_of(fact.caption) | words_of(fact.heading.rpartition(">")[2])
            if words <= label | over | words_of(f"{fact.section} {fact.header}"):
                score = TOLD - self._off(fact, asked) - PER_RANK * len(words_of(fact.header) - words)
                picks.append(Pick(fact, score))
        closing = max((str(pick.fact.period and pick.fact.period.end) for pick in picks), default="")
        return _ranked([pick for pick in picks if str(pick.fact.period and pick.fact.period.end) == closing])

    def of_qualified(self, item: LineItem, year: int | None, report: str, asked: Question) -> list[Pick]:
        """The figures of a line item whose qualifiers stand around them, the best first: of `current federal tax` the
        line `Federal` under `Current` in a table of income taxes."""
        picks = []
        for fact in self._in(report, year, instant=item.is_instant, asked=asked) if item.qualifiers else ():
            over = f"{fact.caption} {fact.heading.rpartition('>')[2]} {fact.section} {self.total_of(fact)}"
            around = f"{fact.section} . {fact.header}"
            if is_qualified(item, with_country(without_inside(fact.label)), around, over) and _may_be(fact, item, ""):
                picks.append(Pick(fact, OWN_STATEMENT, asked.open - words_around(fact)))
        return _ranked(picks)

    def of_words(self, words: frozenset[str], year: int | None, report: str, asked: Question) -> list[Pick]:
        """The figures of the lines whose labels have most of these words, the best first."""
        found = self._with_some_of(words, year, report, asked)
        return [Pick(fact, score, not_among(words, label | about)) for score, fact, label, about in found]

    def _near(self, fact: Fact, item: LineItem) -> float:
        """What the statement of a figure says for it, as one whose label is like those of a line item."""
        guess = self.statements[table_of(fact)]
        return NEAR_STATEMENT * guess.score if guess.statement == item.statement else -NEAR_STATEMENT

    def _with_some_of(
        self, words: frozenset[str], year: int | None, report: str, asked: Question, item: LineItem | None = None
    ) -> list[Scored]:
        """The figures of the lines whose labels have some of these words, the best first; those alone that may be like
        an item, where one is given."""
        found = self._in(report, year, instant="of a day" in asked.cues or None, asked=asked)
        said = {label: own for word in words for label, own in self.labels_with.get(word, {}).items()}
        labels = {at: said[label] for label in found.by_label.keys() & said.keys() for at in found.by_label[label]}
        rates = enumerate(found) if "margin" in words else ()
        labels |= {at: words_of_label(each, words) for at, each in rates if each.unit == Unit.PERCENT}
        if self._weighed[0] is not asked:
            self._weighed = asked, {}
        weighed, scored = self._weighed[1], []
        for at, label in sorted(labels.items(), key=itemgetter(0)):
            covered, rest, extra = FULL_COVER * len(words & label), words - label, PER_EXTRA * len(label - words)
            fact = found[at]
            statement = OF_STATEMENT * self.statements[table_of(fact)].score
            most = (covered + AROUND_COVER * len(rest)) / len(words) - extra + statement  # whatever stands around it
            if not covered or (item is not None and most + self._near(fact, item) - NEAR <= LEAST_LIKE):
                continue
            if fact.name not in weighed:
                weighed[fact.name] = self.about(fact), self._off(fact, asked)
            about, off = weighed[fact.name]
            cover = (covered + AROUND_COVER * len(rest & about)) / len(words)
            scored.append((cover - extra + statement - off, fact, label, about))
        return sorted(scored, key=lambda each: -each[0])

    def of_metric(self, metric: Metric, said: str, year: int | None, report: str, asked: Question) -> list[Pick]:
        """The figures of the lines that are labelled as a metric is called, the best first: what the report prints
        under that name is meant, however it defines it.

        said: the words that name it, "" for a part of a formula, for which any of its labels stands.
        """
        picks: dict[str, Pick] = {}
        if "closing balances" in asked.cues:
            return []  # the report may reckon with others
        is_plain = metric.unit == "percent" and language().forms["adjusted by them"].search(asked.lower) is None
        for label in {normalise(said)} if said else {normalise(each) for each in metric.labels}:
            for pick in self.of_words(frozenset(label.split()), year, report, asked):
                if is_plain and language().forms["adjusted by them"].search(pick.fact.label):
                    continue  # a margin is that of the statements
                if normalise(_ASIDE.sub("", pick.fact.label)) == label and self.is_of_unit(pick.fact, metric.unit):
                    missing = asked.open - words_around(pick.fact)
                    picks.setdefault(pick.fact.name, replace(pick, score=pick.score + OWN_LABEL, missing=missing))
        return _ranked(list(picks.values()))

    def elsewhere(self, item: LineItem, year: int | None, report: str, asked: Question) -> list[Pick]:
        """The figures of a line item that are in no column: in a sentence, or in a label, as counts of shares are."""
        picks = []
        for fact in self.told:
            rank = item.rank(fact.label)
            if rank is None and (rank := item.rank(_MORE.split(fact.label)[0])) is not None:
                rank += 1
            instant = None if item.statement == "note" else item.is_instant
            if rank is not None and self._fits(fact, year, report, instant, asked) and _may_be(fact, item, ""):
                picks.append(Pick(fact, TOLD - PER_RANK * min(rank, FARTHEST), asked.open - words_around(fact)))
        for fact in self.in_labels if item.unit == "per share" else ():  # `Dividends declared ($1.20 per share)`
            rank = item.rank(f"{without_inside(fact.around()[0]).strip(' (,')} per share")
            if rank is not None and _may_be(fact, item, "") and self._fits(fact, year, report, None, asked):
                picks.append(Pick(fact, COUNTED, asked.open - words_around(fact)))
        for fact in self.in_labels if item.unit == "shares" or item.inside else ():
            if is_in_label_of(fact, item) and self._fits(fact, year, report, True, asked):
                picks.append(Pick(fact, COUNTED, asked.open - words_around(fact)))
        return _ranked(picks)

    def inside_labels(self, words: frozenset[str], year: int | None, report: str, asked: Question) -> list[Pick]:
        """The amounts inside labels that are of all the words a question says beside what else the label names."""
        picks = []
        for fact in self.in_labels:
            found = _OF_INSIDE.search(fact.around()[0])
            own = words_of(found[1]) if found else frozenset()
            head = words_of(without_inside(fact.label))
            if not words & own - head or words - own - head or not self._fits(fact, year, report, None, asked):
                continue
            picks.append(Pick(fact, COUNTED + OVER / 2))
        return _ranked(picks)

    def told_of_words(self, words: frozenset[str], year: int | None, report: str, asked: Question) -> list[Pick]:
        """The figures in sentences whose phrases have all of these words, the best first."""
        picks = []
        for fact in self.told:
            label = words_of(fact.label)
            if not words or words - label or is_moved(fact) or not self._fits(fact, year, report, None, asked):
                continue  # by how much it rose is not how much it was
            if bool(words & RATES) == (fact.unit == Unit.PERCENT):
                picks.append(Pick(fact, TOLD + OVER / 2 - PER_EXTRA * len(label - words)))
        return _ranked(picks)

    def told_share(self, part: frozenset[str], whole: Question, year: int | None) -> list[Pick]:
        """The percentages in sentences that name a part and the whole: `Brook accounted for 11% of net sales`."""
        words = part.union(whole.open, *(words_of(each.said) for each in whole.named)) - OF_NO_PART
        return [
            Pick(fact, TOLD)
            for fact in self.told
            if fact.unit == Unit.PERCENT and part and words <= words_of(fact.context) and year_of(fact) in (year, None)
        ]

    def is_share_of(self, fact: Fact, whole: Question) -> bool:
        """Whether a percentage stands in a table of those of a whole: `Dell 19%` of `Percentage of net revenue`."""
        words = whole.open.union(*(words_of(each.said) for each in whole.named)) - OF_NO_PART
        return bool(words) and words <= self.about(fact)

    def of_part(self, item: LineItem, year: int | None, report: str, asked: Question) -> list[Pick]:
        """The figures of a line item of a part of the company that the question names, the best first: of a segment, a
        country, a product.

        Its line is labelled with the part; what is measured stands over it, or in the total below it, or its total is
        the amount of the whole company.
        """
        found, named = self._in(report, year, instant=None, asked=asked), asked.open - OF_NO_PART
        labels = [label for label in found.by_label if not named.isdisjoint(words_of(label))]
        at = [at for label in labels for at in found.by_label[label]]
        totals: dict[tuple[object, ...], int] = {}  # of all that stands under a heading: the first behind it
        for each in found.by_label.get("Total", ()):
            if not named.isdisjoint(words_of(found[each].section)):
                totals.setdefault((*column_of(found[each]), found[each].section), each)
        at += totals.values()
        if not at:
            return []
        picks, wholes = [], {amount_of(pick.fact) for pick in self.of_item(item, year, report, asked)[:1]} - {0}
        of_item = words_of(" ".join((item.labels[0], *(each.said for each in asked.named)))) - named
        for fact in map(found.__getitem__, sorted(at)):
            label = words_of(fact.label if fact.label in labels else fact.section)
            is_other = (
                bool(asked.open - label - self.about(fact)) or BESIDES.search(_NOTE.sub(" ", fact.header)) is not None
            )
            # A balance has a name of its own: `Total Alder equity` are no assets of Alder.
            is_other |= item.statement == "balance" and (find_line_item(fact.label) or item) != item
            if is_other or not _may_be(fact, item, ""):
                continue
            said = max((how for text, how in self._over(fact) if names_item(item, text)), default=None)
            if (is_next := self.adds_up_to(fact, wholes)) is not None:
                said = max(said or 0, OVER) + is_next * OF_WHOLE
            if said is None:
                continue
            label = label - of_item or label  # `Rental revenues` is as much of rental as `Rental` over its total
            said += (label <= asked.open) * ALONE
            beside = named & words_of(" ".join(fact.parts)) - label
            cover = (FULL_COVER * len(named & label) + len(beside)) / len(asked.open)
            score = cover - PER_EXTRA * len(label - asked.open) + said
            score -= PART * (is_of_odd_length(fact) and not asked.part_of_year)
            picks.append(Pick(fact, score - SEGMENT * any(named.isdisjoint(words_of(each)) for each in fact.parts)))
        headed = {pick.fact for pick in picks if names_item(item, _NOTE.sub(" ", pick.fact.header))}
        rows = {(table_of(fact), fact.row) for fact in headed}  # beside which no column of another name is meant
        meant = (each for each in picks if each.fact in headed or (table_of(each.fact), each.fact.row) not in rows)
        return _ranked([*meant])

    @cached_property
    def part_names(self) -> PartNames:
        return PartNames(self.facts)

    def of_cell(
        self, item: LineItem | None, metric: Metric | None, year: int | None, report: str, asked: Question
    ) -> list[Pick]:
        """The figures of a line item or a metric of the parts of the company that a question names, the best first,
        however their table is laid out: a part stands in the row, the column, over the lines or over all of the table,
        and what is measured in what is left."""
        parts = self.part_names.named(asked.open - OF_NO_PART)
        said = asked.open - language().words["of a part"] - OF_NO_PART
        picks, found = [], self._in(report, year, instant=None, asked=asked) if parts else ()
        wholes = (
            {amount_of(each.fact) for each in self.of_item(item, year, report, asked)[:1]} if parts and item else set()
        )
        for fact in found:
            own = [part for part in fact.parts if part in parts]
            is_of_time = asked.part_of_year or not is_of_odd_length(fact)
            if not own or not is_of_time or BESIDES.search(_NOTE.sub(" ", fact.header)):
                continue
            how = self.said_in_cell(fact, own, item, metric)
            left = not_among(said, words_of(" ".join((*own, fact.label, fact.section, fact.header))))
            if how is None or left or (item is not None and not _may_be(fact, item, "")):
                continue
            around = words_of(f"{fact.label} {fact.header} {fact.section} {fact.caption}")
            more = sum(part not in parts for part in fact.parts) + len(around & language().words["between segments"])
            more += not around & OTHER_MEASURE <= asked.open
            how += OF_WHOLE * (
                len(own) + 3 * (self.adds_up_to(fact, wholes - {0}) is not None) - ("external" in around)
            )
            picks.append(Pick(fact, OWN_STATEMENT + how - SEGMENT * more))
        return _ranked(picks)

    def said_in_cell(
        self, fact: Fact, parts: Iterable[str], item: LineItem | None, metric: Metric | None
    ) -> float | None:
        """How surely a figure of parts of the company measures a line item or a metric; None where it does not."""
        label = measured(fact.label, parts)
        if item is not None and (fact.unit == Unit.PERCENT) == (item.unit == Unit.PERCENT):
            may_be_result = RESULTS.index(item.name) + 1 if item.name in RESULTS else 0
            if not label:
                how = (
                    how - PER_EXTRA * (not names_item(item, text))
                    for text, how in self._over(fact)
                    if names_item(item, text) or (may_be_result and is_result(measured(text, ())))
                )
                return max(how, default=None)
            if (rank := item.rank(label)) is not None:
                return OVER - PER_RANK * min(rank, FARTHEST)
            return OVER / 2 - PER_RANK * may_be_result if may_be_result and is_result(label) else None
        if metric is None or not self.is_of_unit(fact, metric.unit):
            return None
        words = words_of(called_margin(label)) - language().words["function"]
        return OVER if any(words_of(each) == words for each in metric.labels) else None

    def of_each_part(
        self, item: LineItem, year: int | None, report: str, asked: Question
    ) -> Mapping[tuple[str, int], Mapping[str, Fact]]:
        """The figures of a line item of each part of the company that a table names, by table and the name of the
        part."""
        found: dict[tuple[str, int], dict[str, Fact]] = defaultdict(dict)
        for fact in self._in(report, year, instant=None, asked=asked):
            head = "" if re.search(r"\d", fact.section) else fact.section.rstrip(": ")
            part = next(iter(fact.parts), head)
            if not part or fact.unit == Unit.PERCENT or (is_of_odd_length(fact) and not asked.part_of_year):
                continue
            how = self.said_in_cell(fact, (part,), item, None)
            if how is not None and _may_be(fact, item, ""):
                found[table_of(fact)].setdefault(part, fact)
        return found

    def _over(self, fact: Fact) -> Iterable[tuple[str, float]]:
        """What may say what a line of a part measures, and how surely."""
        yield fact.section, OVER
        if find_measures(fact.section.lower()):
            return  # which says what is measured, whatever stands over it
        yield fact.header, OVER
        yield self.total_of(fact), OVER
        yield fact.caption, OVER / 2
        yield fact.heading.rpartition(">")[2], OVER / 2


def _is_narrower(pick: Pick, picks: Iterable[Pick]) -> bool:
    """Whether a line has all words of another one of its table that fits as well, and more: it is of less than that."""
    words, others = words_of(pick.fact.label), (each.fact for each in picks if each.score == pick.score)
    return any(table_of(each) == table_of(pick.fact) and words_of(each.label) < words for each in others)


def _may_be(fact: Fact, item: LineItem, under: str) -> bool:
    """Whether a figure may be of a line item. under: the sub-heading over it, in lower case."""
    return not (item.name == "revenue" and is_of_loss(fact.label)) and may_be(fact, item, under)


def of_the_whole(picks: list[Pick]) -> list[Pick]:
    """Picks with the company's first of those that fit alike in several tables, as of the company and of each of its
    parts: no part is more than the whole, which surely is what the others add up to, or more."""
    alike: dict[tuple[str, int], Pick] = {}
    for pick in picks:
        if _kin(pick) == _kin(picks[0]):
            alike.setdefault(table_of(pick.fact), pick)
    amounts = {amount_of(pick.fact) for pick in alike.values()}
    is_loss = any(pick.fact.value < 0 for pick in alike.values())  # which may be more of a part than of all
    if len(amounts) < 2 or is_loss or picks[0].fact.unit in RATE_UNITS:
        return picks
    whole = max(alike.values(), key=lambda pick: amount_of(pick.fact))
    is_sum = len(amounts) > MOST_ALIKE and sum(amounts) <= 2 * amount_of(whole.fact)
    score = picks[0].score + PREFERRED * is_sum
    return [replace(whole, score=score, likely=picks[0].likely), *(pick for pick in picks if pick is not whole)]


def _kin(pick: Pick) -> tuple[object, ...]:
    """What picks that fit alike have in common, whatever their figures were read as."""
    return round(pick.score - pick.likely, 4), pick.fact.period, pick.fact.unit, pick.missing


def _ranked(picks: list[Pick]) -> list[Pick]:
    return sorted(picks, key=lambda pick: -pick.score)
