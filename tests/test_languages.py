"""Reports in other languages, asked in English: values, units, scales, periods, and statements by their lines."""

from __future__ import annotations

import tomllib
from decimal import Decimal

import pytest
from abroad import REPORTS, page

import tieout
from tieout.data.notation import language_of_document
from tieout.data.printed.amount import Unit, read_amounts
from tieout.data.printed.languages.language import LANGUAGES, gloss, in_english, language_of, reading_in
from tieout.data.printed.note import Note, read_note
from tieout.data.printed.periods.period import find_periods
from tieout.ontology.metrics.line_item import ABROAD, find_line_item, line_items

MILLION = 10**6
CURRENCIES = {"da": "DKK", "sv": "SEK"}
ASKED = {
    "What was revenue in 2024?": "1234.5",
    "net income in 2023": "115",
    "What were total assets at the end of 2023?": "920",
    "capex in 2024": "98.7",
    "operating cash flow in 2024": "227",
    "What is equity at the end of 2024?": "600",
    "dividends paid in 2023": "60",
    "income before taxes in 2024": "210",
    "What was the change in revenue from 2023 to 2024?": "137.2",
}


@pytest.fixture(scope="module", params=REPORTS)
def talk(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    path = folder / f"{request.param}.html"
    path.write_text(page(request.param), encoding="utf-8")
    with tieout.open(path, store=folder / "store") as opened:
        yield request.param, opened


def test_a_question_in_english_is_answered_from_a_report_in_another_language(talk):
    language, opened = talk
    told = {question: opened.ask(question) for question in ASKED}
    right = {
        question: (Decimal(amount), MILLION, CURRENCIES.get(language, "EUR")) for question, amount in ASKED.items()
    }
    assert {question: (each.value, each.scale, each.unit) for question, each in told.items()} == right


@pytest.fixture(scope="module", params=REPORTS)
def report(request, tmp_path_factory):
    path = tmp_path_factory.mktemp(request.param) / "report.html"
    path.write_text(page(request.param), encoding="utf-8")
    return request.param, tieout.read(path)


def test_every_figure_of_a_statement_has_its_unit_scale_and_period(report):
    language, read = report
    document = read.document
    assert (language_of_document(document), document.company) == (language, REPORTS[language].company)
    assert str(document.ended) == "2024-12-31"
    facts = [fact for fact in read.facts() if fact.table and fact.unit not in (Unit.REFERENCE, Unit.CALENDAR_YEAR)]
    facts = [fact for fact in facts if fact.unit is not Unit.DATE_PART]
    currency = CURRENCIES.get(language, "EUR")
    per_share = {fact.value for fact in facts if fact.unit == f"{currency}/share"}
    assert per_share == {Decimal("2.94"), Decimal("2.30")}
    money = [fact for fact in facts if fact.value not in per_share]
    assert {(str(fact.unit), fact.scale) for fact in money} == {(currency, MILLION)}
    periods = [sorted({fact.period.key for fact in facts if fact.table == number}) for number in (1, 2, 3)]
    assert periods == [["2023", "2024"], ["2023-12-31", "2024-12-31"], ["2023", "2024"]]
    classes = [{fact.entity_type for fact in facts if fact.table == number} for number in (1, 2, 3)]
    assert classes == [{"IncomeStatement"}, {"BalanceSheet"}, {"CashFlow"}]
    assert f'language> "{language}"' in read.graph.nquads().decode()


def test_an_amount_in_a_sentence_has_its_unit_scale_and_year(report):
    language, read = report
    facts = [fact for fact in read.facts() if fact.sentence is not None]
    found = {(str(fact.value), str(fact.unit), fact.scale, fact.period and fact.period.key) for fact in facts}
    assert ("345.6", CURRENCIES.get(language, "EUR"), MILLION, "2024") in found
    assert ("12.5", "percent", 1, "2024") in found


PERIODS = {
    ("de", "Drei Monate zum 30. Juni 2025"): ["2025-Q2"],
    ("de", "31. März 2025 und 2024"): ["2025-03-31", "2024-03-31"],
    ("de", "im Geschäftsjahr 2024"): ["2024"],
    ("de", "Dez. 2024"): ["2024-12"],
    ("de", "1. Halbjahr 2025"): ["FY2025-H1"],
    ("fr", "Exercice clos le 31 décembre 2024"): ["2024"],
    ("fr", "au 1er janvier 2024"): ["2024-01-01"],
    ("fr", "six mois clos le 30 juin 2025"): ["2025-01/2025-06"],
    ("es", "a 31 de diciembre de 2024 y 2023"): ["2024-12-31", "2023-12-31"],
    ("es", "tercer trimestre de 2025"): ["2025-Q3"],
    ("es", "3T 2025"): ["2025-Q3"],
    ("fr", "T3 2025"): ["2025-Q3"],
    ("pt", "1S 2025"): ["FY2025-H1"],
    ("it", "Esercizio chiuso al 30 giugno 2025"): ["FY2025"],
    ("nl", "boekjaar 2024"): ["2024"],
    ("nl", "31 mei 2025"): ["2025-05-31"],
    ("da", "1. januar - 31. december 2023"): ["2023"],
    ("sv", "1 januari – 31 december 2023"): ["2023"],
    ("pt", "31 de dezembro de 2024"): ["2024-12-31"],
}


@pytest.mark.parametrize(("language", "text"), PERIODS)
def test_a_period_is_read_in_the_words_of_its_language_and_shown_as_printed(language, text):
    with reading_in(language):
        found = find_periods(text)
    assert [period.key for period, _, _ in found] == PERIODS[language, text]
    assert all(period.label == text[start:end] for period, start, end in found)


NOTES = {
    ("de", "in TEUR"): ("EUR", 1_000),
    ("de", "Angaben in Tausend Euro"): ("EUR", 1_000),
    ("de", "(in Mrd. €)"): ("EUR", 10**9),
    ("fr", "en milliers d’euros"): ("EUR", 1_000),
    ("fr", "(en M€)"): ("EUR", 10**6),
    ("es", "(en miles de euros)"): ("EUR", 1_000),
    ("it", "(in migliaia di euro)"): ("EUR", 1_000),
    ("nl", "(x € 1.000)"): ("EUR", 1_000),
    ("nl", "in duizenden euro's"): ("EUR", 1_000),
    ("da", "t.kr."): ("DKK", 1_000),
    ("da", "DKK'000"): ("DKK", 1_000),
    ("sv", "Belopp i tkr"): ("SEK", 1_000),
    ("sv", "MSEK"): ("SEK", 10**6),
}


@pytest.mark.parametrize(("language", "text"), NOTES)
def test_a_note_says_unit_and_scale_in_the_words_of_its_language(language, text):
    with reading_in(language):
        note = read_note(text)
    assert (note.unit, note.scale) == NOTES[language, text]


def test_of_what_country_crowns_are_is_not_known_where_the_language_is_not():
    assert read_note("Belopp i tkr") == Note(None, 1_000, None)
    assert read_amounts("345,6 mkr")[0].unit is None


ASIAN = {
    "売上高は1,234億円": ("1234", "JPY", 10**8),
    "人民币12.3亿元": ("12.3", "CNY", 10**8),
    "△1,234百万円": ("-1234", "JPY", 10**6),
    "10万元": ("10", "CNY", 10**4),
}


@pytest.mark.parametrize("text", ASIAN)
def test_an_amount_has_the_scale_and_currency_of_the_signs_behind_it(text):
    (amount,) = read_amounts(text)
    assert (str(amount.value), amount.unit, amount.scale) == ASIAN[text]


def test_a_date_in_signs_is_a_day_and_its_numbers_are_no_amounts():
    assert [period.key for period, _, _ in find_periods("2024年3月31日現在")] == ["2024-03-31"]
    units = [amount.unit for amount in read_amounts("2024年3月31日現在")]
    assert units == [Unit.CALENDAR_YEAR, Unit.DATE_PART, Unit.DATE_PART]


def test_in_an_english_report_nothing_is_put_in_other_words():
    texts = [
        "The company paid 5 million to Mars in 2024, and the set of 3 mai tais was for us all, as of the year ended."
    ]
    assert language_of(texts) == "en"
    with reading_in("en"):
        assert gloss("bilanz zum 31. dezember 2024") is None
        assert in_english("Bilanz") == "Bilanz"


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name not in ("en", "pt")])
def test_every_label_of_a_language_names_its_line_item_and_no_other(language):
    labels = tomllib.loads((ABROAD / f"{language}.toml").read_text(encoding="utf-8"))
    assert len(labels) >= 40
    assert set(labels) <= set(line_items())
    with reading_in(language):
        for name, every in labels.items():
            named = {find_line_item(label).name for label in every}
            assert named == {name}
            assert all(line_items()[name].rank(label) is not None for label in every)
