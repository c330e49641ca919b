"""Which figure of a table of years ahead a question asks for, by the row or column that is headed by the year."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date

from tieout.data.printed.unit import is_currency
from tieout.kg.fact import Fact, FactKind
from tieout.kg.figure import amount_of, is_instant, not_among, report_of, table_of, words_of, year_of
from tieout.ontology.asked.schedules import scheduled_words, without_bare

TOTAL = "total"
EARLY = 3  # the month up to which a fiscal year may be called by the year before
_HEADED = re.compile(r"(?:^|, )(?:(?:fiscal|calendar) )?(?:years? )?(?P<year>20\d\d)$", re.IGNORECASE)


def figures_of_schedule(lower: str, open_: frozenset[str], facts: Sequence[Fact], year: int) -> tuple[list[Fact], bool]:
    """The figure of a year ahead of the reports, and whether no other may be meant; none where no table has it.
    lower: the question, in lower case; open_: its words that must stand at or above the figure."""
    left = words_of(scheduled_words(lower) or "")
    if not left:
        return [], False
    days: dict[str, Counter[date]] = {}
    for fact in facts:
        if fact.kind is FactKind.TABLE and fact.period is not None and fact.period.end and is_instant(fact):
            days.setdefault(report_of(fact), Counter())[fact.period.end] += 1
    latest = {report: counted.most_common(1)[0][0] for report, counted in days.items()}
    if not latest or year <= (last := max(latest.values())).year - (last.month <= EARLY):
        return [], False
    flows: dict[tuple[str, int], set[int]] = {}
    for fact in facts:
        if fact.kind is FactKind.TABLE and is_instant(fact) is False:
            flows.setdefault(table_of(fact), set()).add(year_of(fact) or year)
    if any(year in years and min(years) <= last.year for years in flows.values()):
        return [], False  # it is behind the company, as a table with the years before tells
    found: list[tuple[tuple[int, ...], Fact]] = []
    for fact in facts:
        is_last = fact.kind is FactKind.TABLE and latest.get(report_of(fact)) == last
        if not is_last or not is_currency(fact.unit) or year not in (_year(fact.label), _year(fact.header)):
            continue
        above = words_of(fact.caption)
        label = _HEADED.sub("", fact.label).removesuffix(fact.caption)  # that of its table where its column has none
        own = words_of(f"{label} {fact.section} {_HEADED.sub('', fact.header)}")
        missing = not_among(left, own | above)
        if not missing & open_ and len(missing) * 2 <= len(left):
            others = len(own - left - above) * (TOTAL not in own)
            found.append(((len(missing), others, len(not_among(left, above)), len(not_among(left, own))), fact))
    found.sort(key=lambda each: each[0])
    if not found:
        return [], False
    (lacking, others, _, apart), made = found[0]
    alike = [(order, fact) for order, fact in found if order[0] == lacking and amount_of(fact) != amount_of(made)]
    if any(
        order[3] == apart and (others or not order[1]) and table_of(fact) == table_of(made) for order, fact in alike
    ):
        return [], False
    named = words_of(without_bare(_HEADED.sub("", made.label).removesuffix(made.caption).lower()))
    is_other = bool(named) and not_among(named, left) == named  # than what stands over it, as far as its label says
    return [made], not lacking and not made.marks and not is_other and all(
        table_of(fact) == table_of(made) for _, fact in alike
    )


def _year(text: str) -> int | None:
    """The year that a label or header is or ends in; None where it has none."""
    headed = _HEADED.search(text)
    return int(headed["year"]) if headed else None
