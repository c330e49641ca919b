"""A TBox extended by another: nothing in the old one is renamed or taken away, and the difference can be told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from tieout.ontology.labels.concept import key, strong
from tieout.ontology.labels.label import normalise
from tieout.ontology.tbox.tbox import Ontology
from tieout.ontology.tbox.term import OntologyClass, Property


def updated(
    old: Ontology,
    classes: Iterable[OntologyClass],
    properties: Iterable[Property],
    local_name: Callable[[str, set[str]], str],
) -> Ontology:
    """old with what is new in classes and properties. Of two supports the larger counts: reports may be the same."""
    known = {item.name: item for item in old.classes}
    for item in classes:
        before = known.get(item.name)
        known[item.name] = _joined_class(before, item) if before else item
    return Ontology(known.values(), _joined(old.properties, properties, local_name))


def _joined_class(old: OntologyClass, new: OntologyClass) -> OntologyClass:
    words = tuple(sorted({*old.alternatives, *new.alternatives}))
    return replace(old, alternatives=words, support=max(old.support, new.support))


def _joined(
    old: Sequence[Property], new: Iterable[Property], local_name: Callable[[str, set[str]], str]
) -> list[Property]:
    kept = {item.name: item for item in old}
    owner = {normalise(label): item.name for item in reversed(old) for label in (*item.alternatives, item.label)}
    words = {strong(key(item.label)): item.name for item in reversed(old)}
    taken = {name.lower() for name in kept}
    for item in new:
        name = owner.get(normalise(item.label)) or words.get(strong(key(item.label)))
        free = tuple(label for label in (item.label, *item.alternatives) if owner.get(normalise(label)) in (None, name))
        if name:
            kept[name] = _joined_property(kept[name], item, free)
        elif free:
            name = local_name(free[0], taken)
            kept[name] = replace(item, name=name, label=free[0], alternatives=tuple(sorted(free[1:])))
    return list(kept.values())


def _joined_property(old: Property, new: Property, labels: Iterable[str]) -> Property:
    return replace(
        old,
        alternatives=tuple(sorted({*old.alternatives, *labels} - {old.label})),
        domains=tuple(sorted({*old.domains, *new.domains})),
        units=tuple(sorted({*old.units, *new.units})),
        facets=tuple(sorted({*old.facets, *new.facets})),
        close_match=old.close_match or new.close_match,
        support=max(old.support, new.support),
    )


@dataclass(frozen=True, slots=True)
class Difference:
    """What a TBox has that an older one had not, by name. relabelled: properties that have more labels than before."""

    classes: tuple[str, ...]
    properties: tuple[str, ...]
    relabelled: tuple[str, ...]


def difference(old: Ontology, new: Ontology) -> Difference:
    """The difference between a TBox and what it was extended to."""
    before = {item.name: item for item in old.properties}
    classes = {item.name for item in old.classes}
    return Difference(
        tuple(item.name for item in new.classes if item.name not in classes),
        tuple(item.name for item in new.properties if item.name not in before),
        tuple(
            item.name
            for item in new.properties
            if item.name in before and set(item.alternatives) - set(before[item.name].alternatives)
        ),
    )
