"""Where somebody who knows, such as a language model, may name line items and say which of them are the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from tieout.ontology.labels.concept import Key
from tieout.ontology.labels.label import readable
from tieout.ontology.learn.cluster import Cluster
from tieout.ontology.learn.survey import PrintedTable

AT_ONCE = 100  # line items shown in one call


@dataclass(frozen=True, slots=True)
class Proposal:
    """A line item as it was found. label: what it would be called. support: how many documents print it."""

    label: str
    alternatives: tuple[str, ...]
    units: tuple[str, ...]
    support: int


@dataclass(frozen=True, slots=True)
class Advice:
    """names: a better label by the proposed one. same: labels of line items that are one, each group once."""

    names: Mapping[str, str] = field(default_factory=dict)
    same: tuple[tuple[str, ...], ...] = ()


Advise = Callable[[tuple[Proposal, ...]], Advice]


@dataclass(frozen=True, slots=True)
class Call:
    """One call of an adviser: what it was shown, what it said, and what of that was not followed, with the reason."""

    proposals: tuple[Proposal, ...]
    advice: Advice
    refused: tuple[str, ...]


def advised(
    found: Sequence[Cluster], tables: Sequence[PrintedTable], advise: Advise, log: Callable[[Call], None] | None
) -> list[Cluster]:
    """The line items after an adviser was asked. Advice that the reports speak against is not followed.

    A label may not hold digits or be that of another line item, and what one table prints side by side is not the same.
    """
    kept = {cluster.readable(): cluster for cluster in found}
    rivals = _side_by_side(found, tables)
    for start in range(0, len(found), AT_ONCE):
        shown = tuple(_proposal(cluster) for cluster in found[start : start + AT_ONCE])
        advice = advise(shown)
        refused = [*_merge(kept, advice.same, rivals), *_rename(kept, advice.names)]
        if log:
            log(Call(shown, advice, tuple(refused)))
    return sorted(kept.values(), key=lambda cluster: cluster.key)


def _proposal(cluster: Cluster) -> Proposal:
    label = cluster.readable()
    others = tuple(sorted(set(cluster.labels) - {label}))
    return Proposal(label, others, tuple(sorted(cluster.units)), len(cluster.documents))


def _side_by_side(found: Sequence[Cluster], tables: Sequence[PrintedTable]) -> set[frozenset[Key]]:
    of_label = {label: cluster.key for cluster in found for label in cluster.labels}
    pairs = set()
    for table in tables:
        keys = sorted({of_label[text] for line in table.lines if (text := readable(line.label)) in of_label})
        pairs |= {frozenset((one, other)) for one in keys for other in keys if one < other}
    return pairs


def _merge(kept: dict[str, Cluster], groups: Sequence[Sequence[str]], rivals: set[frozenset[Key]]) -> list[str]:
    refused = []
    for group in groups:
        first, *rest = sorted(group)
        for other in rest:
            one, two = kept.get(first), kept.get(other)
            if one is None or two is None or one is two:
                refused.append(f"same {first!r}, {other!r}: no such line items")
            elif frozenset((one.key, two.key)) in rivals:
                refused.append(f"same {first!r}, {other!r}: one table prints both")
            else:
                _absorb(one, kept.pop(other))
    return refused


def _absorb(one: Cluster, other: Cluster) -> None:
    one.label = one.readable()
    for label, documents in other.labels.items():
        one.labels.setdefault(label, set()).update(documents)
    one.labels.setdefault(other.readable(), set())
    one.units |= other.units
    one.companies |= other.companies
    one.tables |= other.tables
    one.spoken |= other.spoken


def _rename(kept: dict[str, Cluster], names: Mapping[str, str]) -> list[str]:
    refused = []
    for label, better in sorted(names.items()):
        plain = readable(better)
        if label not in kept:
            refused.append(f"name {label!r}: no such line item")
        elif not plain or any(letter.isdigit() for letter in better) or (plain in kept and plain != label):
            refused.append(f"name {label!r}, {better!r}: not a label of its own")
        else:
            cluster = kept.pop(label)
            cluster.labels.setdefault(label, set())
            cluster.label = plain
            kept[plain] = cluster
    return refused
