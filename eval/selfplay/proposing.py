"""What might mend what is misread: further names of line items, and line items that are not known yet.

They come from some companies' filings alone: the tags of these say which labels print one concept.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tieout.eval.analyst import checksum, some
from tieout.eval.selfplay.conversations import Conversation, Wording, measure_of, probe, said
from tieout.eval.selfplay.truth import Truth, plain
from tieout.ontology.labels.label import words_of_tag
from tieout.ontology.metrics.line_item import find_line_item

EACH = 3  # labels that are proposed for one line item
MOST_LABELS = 6  # of a new line item
LEAST_COMPANIES = 3  # that state a concept for which a line item is proposed
FIRST, OTHERS = 3, 6  # filings of either part of the companies that are asked for a proposal


@dataclass(frozen=True, slots=True)
class Proposal:
    """Labels of a line item. concept: by which it was found; table: of a new item, what it says beside its labels."""

    name: str
    labels: tuple[str, ...]
    concept: str
    table: tuple[tuple[str, object], ...] = ()

    @property
    def key(self) -> str:
        return f"{self.name}: {self.labels[0]}"

    @property
    def lines(self) -> str:
        """The lines for the data files, as house files have them too."""
        return _table(self.name, {"labels": [*self.labels], **dict(self.table)})


def propose(truths: Sequence[Truth], wording: Wording, most: int) -> list[Proposal]:
    """So many proposals from the filings of some companies: half of them names, half line items, those first whose
    concepts most companies state."""
    states = Counter(concept for truth in truths for concept in truth.whole if _latest(truth, concept) is not None)
    names, items = list(_names(wording, states)), list(_items(truths, wording, states))
    half = max(most // 2, most - len(items))
    return [*names[:half], *items[: most - min(half, len(names))]]


def _latest(truth: Truth, concept: str) -> object:
    return truth.amount(concept, truth.stated.years[0])


def _frequent(label: tuple[str, frozenset[str]]) -> tuple[int, str]:
    """Labels that more companies print come first."""
    return -len(label[1]), label[0]


def _names(wording: Wording, states: Counter[str]) -> Iterator[Proposal]:
    count: Counter[str] = Counter()
    for concept in sorted(wording.labels, key=lambda concept: (-states[concept], concept)):
        name = measure_of(concept)
        for label, _ in sorted(wording.labels[concept].values(), key=_frequent):
            if name != concept and count[name] < EACH and find_line_item(label) is None:
                count[name] += 1
                yield Proposal(name, (said(label),), concept)


def _items(truths: Sequence[Truth], wording: Wording, states: Counter[str]) -> Iterator[Proposal]:
    rows = {row.concept: row for truth in truths for row in truth.rows if not row.dimensions}
    for concept in sorted(wording.labels, key=lambda concept: (-states[concept], concept)):
        found = sorted(wording.labels[concept].values(), key=_frequent)
        is_standard = concept.startswith(("us-gaap:", "ifrs-full:"))
        if found and is_standard and measure_of(concept) == concept and states[concept] >= LEAST_COMPANIES:
            row = rows[concept]
            unit = {"shares": "shares", "": "percent"}.get(row.unit, "per share" if "/" in row.unit else "")
            table = {"concepts": [concept], "statement": "note", "unit": unit, "is_instant": row.start is None}
            name = words_of_tag(concept).replace(" ", "_").lower()
            labels = tuple(said(label) for label, _ in found[:MOST_LABELS])
            yield Proposal(name, labels, concept, tuple((key, value) for key, value in table.items() if value))


def probes(proposal: Proposal, truths: Sequence[Truth], most: int) -> Iterator[Conversation]:
    """A question for each of some filings that state the concept and do not print it so."""
    for truth in some([each for each in truths if _latest(each, proposal.concept)], proposal.key, "probe", most):
        own = {plain(label) for label in truth.printed.get(proposal.concept, ())}
        labels = [label for label in proposal.labels if plain(label) not in own]
        if labels:
            label = labels[checksum(truth.doc, proposal.key) % len(labels)]
            asked = replace(probe(truth, proposal.concept, label), kind="probe", measure=proposal.name)
            yield Conversation(f"{proposal.key} | {truth.doc}", (truth.doc,), (asked,))


def house_file(proposals: Sequence[Proposal]) -> str:
    """All proposals as a file that TIEOUT_MEASURES can name."""
    names: dict[str, list[str]] = defaultdict(list)
    tables: dict[str, dict[str, object]] = {}
    for each in proposals:
        names[each.name] += each.labels
        tables.setdefault(each.name, {}).update(each.table)
    return "\n".join(_table(name, {"labels": labels, **tables[name]}) for name, labels in sorted(names.items()))


def _table(name: str, table: dict[str, object]) -> str:
    # What JSON writes of texts, lists and truths is TOML too.
    return "\n".join(
        (f"[{name}]", *(f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in table.items()), "")
    )
