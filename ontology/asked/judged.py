"""Questions for how good a measure is: what improves of a tax rate falls, and the best of it is the lowest."""

from __future__ import annotations

from collections.abc import Sequence

from tieout.ontology.asked.language import language
from tieout.ontology.asked.measures import Named
from tieout.ontology.metrics.line_item import line_items
from tieout.ontology.metrics.metric import metrics


def in_amounts(asking: str, named: Sequence[Named]) -> str:
    """A question that says better or worse of a measure of which less is better, in words of more and less. named: the
    measures that it names, of which the first is judged."""
    if not named or not is_better_lower(named[0].name):
        return asking
    for said, plain in language().judged:
        asking = said.sub(plain, asking)
    return asking


def is_better_lower(name: str) -> bool:
    """Whether the less there is of a metric or line item, the better: of what is spent for what is earned."""
    if (metric := metrics().get(name)) is not None:
        return metric.better == "lower"
    item = line_items().get(name)
    return item is not None and item.statement == "income" and item.sign == "spent"
