"""Labels of the training reports, put together where they name one line item."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tieout.ontology.labels.concept import GAAP, Key, concepts, key, strong
from tieout.ontology.labels.label import normalise, readable
from tieout.ontology.learn.survey import PrintedTable, Report, company_of

LEAST_COMPANIES = 2  # that print a line item, and use each of its words, before it belongs to reports in general
LEAST_REPORTS = 3  # of one company that make up for it; or that speak of an item of the core without a table for it
LEGAL_FORMS = frozenset(
    (
        "inc",
        "corp",
        "corporation",
        "co",
        "company",
        "ltd",
        "llc",
        "plc",
        "lp",
        "kg",
        "gmbh",
        "trust",
        "incorporated",
        "limited",
    )
)


@dataclass(slots=True)
class Cluster:
    """Labels of one line item. labels: as `readable`, each with the documents that print it. tables: where they stand.

    label, close_match: as the hand-written core has them. spoken: documents whose sentences name it.
    concepts: of US-GAAP that tags give its lines, each with the documents that do. alone: a line of the table beside it
        has the same concept, as the balances at the beginning and at the end of a year have. tagged: a standard concept
        says that it belongs to reports in general, by labels in words of several companies.
    """

    key: Key
    labels: dict[str, set[str]] = field(default_factory=dict)
    units: set[str] = field(default_factory=set)
    companies: set[str] = field(default_factory=set)
    tables: set[int] = field(default_factory=set)
    spoken: set[str] = field(default_factory=set)
    label: str = ""
    close_match: str | None = None
    concepts: dict[str, set[str]] = field(default_factory=dict)
    alone: bool = False
    tagged: bool = False

    @property
    def documents(self) -> set[str]:
        """All that print or name it."""
        return self.spoken.union(*self.labels.values())

    def readable(self) -> str:
        """What to call it: as the hand-written core does, else by the label most documents print."""
        return self.label or min(self.labels, key=lambda text: (-len(self.labels[text]), len(text), text))


def _kept_apart(tables: Iterable[PrintedTable]) -> set[Key]:
    """The strong keys of labels that one table prints side by side, as it does `total debt` and `debt`: both stay."""
    apart: set[Key] = set()
    for table in tables:
        seen: dict[tuple[str, Key], Key] = {}
        for line in table.lines:
            words = key(line.label)
            if words and seen.setdefault((line.section, strong(words)), words) != words:
                apart.add(strong(words))
    return apart


def _gather(tables: Sequence[PrintedTable]) -> dict[Key, Cluster]:
    apart = _kept_apart(tables)
    found: dict[Key, Cluster] = {}
    for index, table in enumerate(tables):
        for line in table.lines:
            words = key(line.label)
            name = words if strong(words) in apart else strong(words)
            if not name:
                continue
            cluster = found.setdefault(name, Cluster(name))
            cluster.labels.setdefault(readable(line.label), set()).add(table.document)
            cluster.companies.add(company_of(table.document))
            cluster.tables.add(index)
            cluster.units.update(line.units)
            if line.concept:
                cluster.concepts.setdefault(line.concept, set()).add(table.document)
        _mark_alone(table, found, apart)
    return found


def _mark_alone(table: PrintedTable, found: dict[Key, Cluster], apart: set[Key]) -> None:
    """Notes the line items that one table prints with one concept."""
    of_concept: dict[str, set[Key]] = defaultdict(set)
    for line in table.lines:
        words = key(line.label)
        name = words if strong(words) in apart else strong(words)
        if line.concept and name:
            of_concept[line.concept].add(name)
    for names in of_concept.values():
        for name in names if len(names) > 1 else ():
            found[name].alone = True


def _concept_of(cluster: Cluster) -> str | None:
    """The concept that tags give a line item: always the same one; a single word (`other`) is given it twice."""
    if len(cluster.concepts) != 1 or cluster.alone:
        return None
    concept, documents = next(iter(cluster.concepts.items()))
    return concept if len(cluster.key) > 1 or len(documents) >= LEAST_COMPANIES else None


def _by_tags(found: dict[Key, Cluster], houses: set[str]) -> dict[Key, Cluster]:
    """Puts line items together that tags give one concept, under that which is in the core, or is printed most.

    houses: words of a single company; labels with them are left out.
    """
    groups: dict[str, list[Cluster]] = defaultdict(list)
    for _, cluster in sorted(found.items()):
        if concept := _concept_of(cluster):
            groups[concept].append(cluster)
    kept = dict(found)
    for concept, group in sorted(groups.items()):
        core = [each for each in group if each.label]
        if len(core) > 1 or any(each.close_match not in (None, GAAP + concept) for each in core):
            continue  # the core keeps them apart, or knows better
        first = core[0] if core else min(group, key=lambda each: (-len(each.documents), each.key))
        first.close_match = GAAP + concept
        if not first.label:
            own = _of_reports(first, houses)
            first.tagged, first.labels = bool(own), own or first.labels
        for other in group:
            if other is not first:
                _take_in(first, other, houses)
                del kept[other.key]
    return kept


def _take_in(first: Cluster, other: Cluster, houses: set[str]) -> None:
    for label, documents in _of_reports(other, houses).items():
        first.labels.setdefault(label, set()).update(documents)
    first.units |= other.units
    first.companies |= other.companies
    first.tables |= other.tables
    first.spoken |= other.spoken


def _names_of_houses(reports: Sequence[Report]) -> set[str]:
    """The words that the reports of a single company use."""
    users: dict[str, set[str]] = defaultdict(set)
    for report in reports:
        printed = " ".join(normalise(label) for table in report.tables for label in table.labels)
        for word in {*report.text.split(), *printed.split()}:
            users[word].add(report.company)
    return {word for word, companies in users.items() if len(companies) < LEAST_COMPANIES}


def _of_reports(cluster: Cluster, houses: set[str]) -> dict[str, set[str]]:
    """The labels of a line item that are in words of reports in general."""
    return {
        label: documents
        for label, documents in cluster.labels.items()
        if not any(word in houses or word in LEGAL_FORMS for word in normalise(label).split())
    }


def clusters(reports: Sequence[Report], tables: Sequence[PrintedTable]) -> list[Cluster]:
    """The line items that belong to reports in general, sorted by key.

    They are printed by several companies or in several reports, in words that several companies use; or they are in the
    hand-written core, and the reports print them at all.
    """
    found = _gather(tables)
    texts = [(report, set(report.text.split())) for report in reports]
    for name, concept in concepts().items():
        phrase = f" {normalise(concept.label)} "
        named = phrase.count(" ") > 2  # one word alone, as `current`, is in most sentences without naming a line item
        words = set(phrase.split())
        speaking = {report.id for report, held in texts if words <= held and phrase in report.text} if named else set()
        if name in found or len(speaking) >= LEAST_REPORTS:
            cluster = found.setdefault(name, Cluster(name))
            cluster.label, cluster.close_match = concept.label, concept.close_match
            cluster.spoken = speaking
    houses = _names_of_houses(reports)
    found = _by_tags(found, houses)
    return [
        cluster
        for name, cluster in sorted(found.items())
        if cluster.label
        or cluster.tagged
        or (
            (len(cluster.companies) >= LEAST_COMPANIES or len(cluster.documents) >= LEAST_REPORTS)
            and not any(
                word in houses or word in LEGAL_FORMS for label in cluster.labels for word in normalise(label).split()
            )
        )
    ]
