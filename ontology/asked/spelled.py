"""What a question spells out for what it names, which is no part of it: `free cash flow (operating cash flow less
capex)`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from tieout.data.printed.pattern import later
from tieout.ontology.asked.definition import read_own
from tieout.ontology.asked.language import language
from tieout.ontology.asked.measures import Named, beside, find_measures, items_of
from tieout.ontology.asked.several import dated_as
from tieout.ontology.asked.tree import WORDS, join, names_something
from tieout.ontology.asked.when import read_when, years_in
from tieout.ontology.asked.wish import OPERATES, spelled_out
from tieout.ontology.metrics.formula import Apply, Formula, at_closing, operands
from tieout.ontology.metrics.metric import metrics

_BASIS = later(r"[, ]*\b(?:based |calculated |computed )?(?:on|using) (?:the |its |total |average )*$", re.IGNORECASE)
SHORT_TITLE = 4  # words before a calculation that only name it: `payout: dividends over net income`


class Spelled(NamedTuple):
    """A question without what it spells out. is_own: what it spells out is another calculation than that of the metric
    that it names; formulas: what it is then, by the name of the metric, and parts: what it is made of."""

    rest: str
    is_own: bool = False
    formulas: Mapping[str, Formula] = {}
    parts: Sequence[Named] = ()


@lru_cache(maxsize=1024)
def without_calculation(asking: str) -> Spelled:
    """A question without the calculation, or the other name of a part, that it spells out for what it names: one that
    is told in measures alone takes the place of the name."""
    spelled = spelled_out(asking)
    if spelled is None and (spelled := spelled_out(asking := _without_basis(asking))) is None:
        return Spelled(asking)
    rest, said = spelled[0], spelled[1].lower()
    named, parts = find_measures(rest.lower()), find_measures(said)
    of_metrics = [each for each in named if each.name in metrics()]
    known = {item for each in named for item in items_of(each)} | {each.name for each in named}
    known |= {part.name for each in of_metrics for part in operands(metrics()[each.name].formula)}
    is_own = any(each.name not in known for each in parts)
    is_metric = [each.is_metric for each in parts] == [True] and not names_something(beside(said, parts, ()))
    if is_metric and len(named) > 1:
        return Spelled(rest)  # `claims as % of premiums (loss ratio)`
    if is_own and not of_metrics and _is_title(rest, said, parts):
        return Spelled(dated_as(said, rest, read_when(rest, language().cues_of(rest.lower()))))
    if not of_metrics or not (OPERATES.search(said) or _names_parts(said, parts, is_own=is_own)):
        return Spelled(asking)
    if len(years_in(said)) < 2:
        rest = dated_as(rest, said, read_when(said, language().cues_of(said)))
    (name, *others), year = [each.name for each in of_metrics], max(years_in(rest), default=0)
    if not others and (own := read_own(name, said, year)):
        return Spelled(rest, True, {name: own}, parts)
    return _of_metrics(rest, said, [metrics()[each.name].formula for each in of_metrics], parts, is_own=is_own)


def _is_title(rest: str, said: str, parts: Sequence[Named]) -> bool:
    """Whether a question only names what is spelled out as a whole: `payout: dividends over net income`."""
    tree, joined = join(said, parts)
    is_whole = isinstance(tree, Apply) and not names_something(beside(said, parts, joined))
    is_short = not find_measures(rest.lower()) and len(rest.split()) < SHORT_TITLE
    return is_whole and (is_short or language().forms["rate"].search(rest.lower()) is not None)


def _names_parts(said: str, parts: Sequence[Named], *, is_own: bool) -> bool:
    """Whether what is spelled out only names what a metric is made of: `(net income and equity)`."""
    plain = re.sub(r"\b36[056](?: days)?\b", "", said)  # of a year
    for cue in ("opening", "closing"):
        plain = language().cues[cue].sub("", plain)
    is_left = re.search(r"\d", plain) or names_something(beside(plain, find_measures(plain), ()))
    return bool(parts) and (len(parts) > 1 or not is_own) and not is_left


def _of_metrics(rest: str, said: str, formulas: Sequence[Formula], parts: Sequence[Named], *, is_own: bool) -> Spelled:
    """A question for metrics as their formulas have them; on closing balances where no average is spelled out."""
    cues, has_average = language().cues_of(said), any(at_closing(each) != each for each in formulas)
    is_told = OPERATES.search(said) or "closing" in language().cues_of(beside(said, parts, ()))
    is_closing = has_average and is_told and cues.isdisjoint(("average", "opening"))
    is_own = is_own or ("average" in cues and not has_average)
    return Spelled(f"{rest} on closing balances" if is_closing else rest, is_own)


def _without_basis(asking: str) -> str:
    """A question without what it says that a metric is calculated on, where that is a part of it anyway: `operating
    margin on net sales`, `days of inventory based on cost of sales`."""
    named = find_measures(asking.lower())
    for metric, basis in pairwise(named):
        said = _BASIS.search(asking[metric.end : basis.start])
        is_part = metric.is_metric and said is not None and basis.name in items_of(metric)
        formula = metrics()[metric.name].formula if metric.is_metric else WORDS
        if is_part and said is not None and ("average" not in said[0] or at_closing(formula) != formula):
            return f"{asking[: metric.end + said.start()]}{asking[basis.end :]}"
    return asking
