"""The TBox of real reports: what is in it, what never is, and how much of other reports it names."""

from __future__ import annotations

import random
import re

import pytest

from tieout.data.document import Document
from tieout.data.readers.read import read_conversations
from tieout.ontology.build import build
from tieout.ontology.check import check
from tieout.ontology.labels.label import normalise
from tieout.ontology.labels.lexicon import lexicon
from tieout.ontology.learn.cluster import LEGAL_FORMS
from tieout.ontology.learn.survey import company_of
from tieout.ontology.model import Ontology
from tieout.ontology.stats import measure
from tieout.ontology.tbox.classify import core


@pytest.fixture(scope="module")
def training(shared) -> tuple[Document, ...]:
    """The real training reports."""
    names = ("train_100.json", "test_inputs.json")
    return tuple(conversation.document for name in names for conversation in read_conversations(shared / name))


@pytest.fixture(scope="module")
def trained(training) -> Ontology:
    """The TBox of the real training reports."""
    return build(training)


@pytest.fixture(scope="module")
def inside(training) -> tuple[Document, ...]:
    """The training reports of every second company."""
    half = set(sorted({company_of(document.id) for document in training})[::2])
    return tuple(document for document in training if company_of(document.id) in half)


@pytest.fixture(scope="module")
def of_half(inside) -> Ontology:
    """The TBox of the reports of every second company."""
    return build(inside)


def test_no_class_or_property_lacks_label_support_domain_or_range(trained):
    assert check(trained.turtle()) == []
    unseen = {item.name for item in (*trained.classes, *trained.properties) if not item.support}
    assert unseen <= {name for name, known in core().items() if known.always}  # statements, which every report has


def test_no_amount_year_or_company_of_a_document_is_in_the_tbox(trained, training):
    concepts = re.compile(r"(?:s&p|poor) 500|russell \d+|level [123]|tier [12]|401k|\d{3}[a-z]|cet1")
    texts = [text for item in (*trained.classes, *trained.properties) for text in (item.label, *item.alternatives)]
    assert [text for text in texts if re.search(r"\d", concepts.sub("", text))] == []
    printed = {word for text in texts for word in text.split()}
    by_company: dict[str, set[str]] = {}
    for document in training:
        words = set(re.findall(r"[a-z&]+", " ".join(document.paragraphs)))
        words |= {word for table in document.tables for row in table.rows for word in re.findall(r"[a-z&]+", row[0])}
        for word in map(normalise, words & printed):
            by_company.setdefault(word, set()).add(document.id.split("/")[0].split("_")[1])
    alone = {word for word, companies in by_company.items() if len(companies) == 1}
    names = {word for text in texts for word in normalise(text).split()} & alone - lexicon().vocabulary
    assert names == set()
    assert not printed & LEGAL_FORMS


def test_the_real_tbox_is_the_same_whatever_the_order(inside, of_half):
    documents = list(inside)
    random.Random(4).shuffle(documents)
    assert build(documents).turtle() == of_half.turtle()


def test_reports_that_were_not_learned_from_are_mostly_named(shared, trained, training):
    unseen = measure(trained, [conversation.document for conversation in read_conversations(shared / "dev_open.json")])
    assert unseen.rows_mapped >= 0.60
    assert unseen.tables_classed >= 0.85
    labels = measure(trained, training).labels - {""}
    assert len(trained.properties) * 2.5 <= len(labels)


def test_reports_of_companies_that_were_not_learned_from_are_named_too(training, inside, of_half):
    learned = {company_of(document.id) for document in inside}
    stats = measure(of_half, [document for document in training if company_of(document.id) not in learned])
    assert stats.rows_mapped >= 0.55
    assert stats.tables_classed >= 0.85


def test_the_real_tbox_knows_the_kinds_of_table_that_reports_have(trained):
    often = {item.name for item in trained.classes if item.support >= 5}
    assert often >= {
        *("StockOption", "PensionPlan", "Debt", "Lease", "IncomeTax", "Segment", "SharePerformance", "CashFlow"),
        *("IncomeStatement", "BusinessCombination", "ShareRepurchase", "ContractualObligation"),
    }
