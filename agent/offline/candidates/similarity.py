"""How alike a question and the labels and sentences of a report are, as they are written."""

from __future__ import annotations

from functools import lru_cache

from tieout.agent.question.words import stems
from tieout.ontology.labels.alike import longest_run, spelled

MOST = 8  # words in a row: more of them tell no more
MOST_TEXTS = 20_000  # labels and sentences that stay prepared


@lru_cache(maxsize=MOST_TEXTS)
def _stems_of(text: str) -> tuple[str, ...]:
    return tuple(stems(text))


class Alike:
    """How much of one question stands letter by letter, and word by word, in labels and sentences of a report; each
    worked out once."""

    def __init__(self, question: str) -> None:
        self._lower = " ".join(question.lower().split())
        self._asked = _stems_of(self._lower)
        self._runs: dict[str, int] = {}

    def run(self, sentence: str) -> dict[str, float]:
        """The longest run that a sentence shares with the question, as such and as a share of the question, both from
        0 to 1. Small words and numbers do not count, and do not break a run."""
        if not self._asked:
            return {}
        run = self._runs.get(sentence)
        if run is None:
            run = self._runs[sentence] = longest_run(self._asked, _stems_of(sentence))
        return {"run": min(run, MOST) / MOST, "run of all": run / len(self._asked)} if run > 1 else {}

    def spelled(self, label: str) -> float:
        """How much of a label stands in the question letter by letter, from 0 to 1."""
        return spelled(label, self._lower)
