"""What kept reports print, by which the slips of a question are put right."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cache

from tieout.kg.index.words import Index
from tieout.ontology.labels.shortened import defined_as
from tieout.ontology.metrics.slips import Printed


def printed_of(
    index: Index,
    reports: Sequence[str],
    labels: Callable[[], Collection[str]],
    has: Callable[[str], bool],
    names: Collection[str],
) -> Printed:
    """What reports print, each thing looked for once. labels, has, names: as in `Printed`."""

    @cache
    def words_like(word: str) -> Sequence[str]:
        return sorted({each for report in reports for each in index.words_like(report, word)})

    @cache
    def defined(letters: str) -> str | None:
        if len(names) == 1 and any(index.lists_as(report, letters) for report in reports):
            return next(iter(names))
        return defined_as(letters, (text for report in reports for text in index.defining(report, letters)))

    return Printed(labels, has, names, words_like, defined)
