"""Why something is as it is: the sentence of a view that says so, quoted."""

from __future__ import annotations

import re
from typing import Any

from tieout.agent.offline.calculation.spans import CAUSE
from tieout.agent.question.question import Question
from tieout.ontology.labels.label import normalise

_SENTENCE = re.compile(r"^(?:[\w-]+:)?s\d+: (.+)$", re.M)
_MARK = re.compile(r" \{\d+\}(?: (?=[,.;:)%]))?")
CHANCE = 0.5  # that the sentence says why that is so: it is shown as one reading
LEAST = 0.5  # of the words of what is asked about that a sentence has to have


def why(asked: Question, text: str) -> dict[str, Any] | None:
    """The arguments of `answer` that quote the cause from a sentence of a view which is about what is asked; None where
    there is none. text: the view."""
    terms = [f" {normalise(each.said)} " for each in asked.named]
    words = {word for term in terms for word in term.split()} | asked.open
    if not words:
        return None
    best: tuple[float, str] = (0.0, "")  # how well a sentence fits, and what it says from the cause on
    for match in _SENTENCE.finditer(text):
        said = _MARK.sub("", match[1])
        plain = f" {normalise(said)} "
        cause = CAUSE.search(said)
        if cause is not None and all(term in plain for term in terms):
            cover = len(words & set(plain.split())) / len(words)
            dated = 0.1 if any(str(year) in said for year in asked.years) else 0.0
            best = max(best, (cover + dated, said[cause.start() :].rstrip(". ")), key=lambda each: each[0])
    return {"words": [best[1]], "kind": "prose"} if best[0] >= LEAST else None
