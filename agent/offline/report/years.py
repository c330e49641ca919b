"""What is told of figures of a part of a year where a whole year is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tieout.agent.answers.follows import is_part_of_year
from tieout.agent.offline.words import MONTHS
from tieout.agent.view.terms import years_in
from tieout.kg.fact import Fact

# What says of itself that no whole year is meant.
_PART = re.compile(
    r"\b(?:quarters?|quarterly|q[1-4]|h[12]|months?|monthly|half|weeks?|days?|daily|so far|to date|ytd"
    r"|interim|period)\b"
    rf"|\b(?:{'|'.join(MONTHS)})\b",
    re.IGNORECASE,
)


def of_part_of_year(question: str, facts: Iterable[Fact], known: Iterable[int] = ()) -> Iterator[str]:
    """What is told of figures of a part of a year that a question means which names a year and no part of it.

    known: the years that it goes on to ask about, which the conversation named.
    """
    years = {*years_in(question), *known}
    if not years or _PART.search(question):
        return
    told: set[str] = set()
    for fact in facts:
        period = fact.period
        if period is None or period.end is None or not is_part_of_year(period):
            continue
        year = period.year if period.year is not None else period.end.year
        label = period.label or period.key
        if year in years and label not in told:
            told.add(label)
            yield f"{fact.name} is of {label}, and not of the year {year}"
