"""What a question spells out for what it names, which is no part of it: `free cash flow (operating cash flow less
capex)`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

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


@lru_cache(maxsize=1024)
def without_calculation(asking: str) -> tuple[str, bool, Mapping[str, Formula], Sequence[Named]]:
    """A question without the calculation, or the other name of a part, that it spells out for what it names; whether
    that is another one than the metric of the name is, and what it is then, by the name, with what that is made of: one
    that is told in measures alone takes the place of the name. One that has no average in it is of closing balances."""
    spelled = spelled_out(asking)
    if spelled is None and (spelled := spelled_out(asking := _without_basis(asking))) is None:
        return asking, False, {}, ()
    rest, said = spelled[0], spelled[1].lower()
    named, parts = find_measures(rest.lower()), find_measures(said)
    metrics_named = [each for each in named if each.name in metrics()]
    known = {item for each in named for item in items_of(each)} | {each.name for each in named}
    known |= {part.name for each in metrics_named for part in operands(metrics()[each.name].formula)}
    is_own = any(each.name not in known for each in parts)
    tree, joined = join(said, parts)
    is_whole = isinstance(tree, Apply) and not names_something(beside(said, parts, joined))
    is_named = [each.is_metric for each in parts] == [True] and not names_something(beside(said, parts, ()))
    if is_named and len(named) > 1:
        return rest, False, {}, ()  # `claims as % of premiums (loss ratio)`
    is_title = not named and len(rest.split()) < SHORT_TITLE
    if is_own and is_whole and not metrics_named and (is_title or language().forms["rate"].search(rest.lower())):
        return dated_as(said, rest, read_when(rest, language().cues_of(rest.lower()))), False, {}, ()
    if not metrics_named:
        return asking, False, {}, ()
    plain = re.sub(r"\b36[056](?: days)?\b", "", said)  # of a year
    for cue in ("opening", "closing"):
        plain = language().cues[cue].sub("", plain)
    is_list = len(parts) > 1 or not is_own
    is_name = (
        bool(parts)
        and is_list
        and not (re.search(r"\d", plain) or names_something(beside(plain, find_measures(plain), ())))
    )
    if not (OPERATES.search(said) or is_name):
        return asking, False, {}, ()
    if len(years_in(said)) < 2:
        rest = dated_as(rest, said, read_when(said, language().cues_of(said)))
    if len(metrics_named) == 1 and (
        own := read_own(name := metrics_named[0].name, said, max(years_in(rest), default=0))
    ):
        return rest, True, {name: own}, parts
    formulas = [metrics()[each.name].formula for each in metrics_named]
    is_closing = language().cues_of(said).isdisjoint(("average", "opening")) and any(
        at_closing(each) != each for each in formulas
    )
    is_told = OPERATES.search(said) or "closing" in language().cues_of(beside(said, parts, ()))
    is_own = is_own or ("average" in language().cues_of(said) and all(at_closing(each) == each for each in formulas))
    return (f"{rest} on closing balances" if is_closing and is_told else rest), is_own, {}, ()


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
