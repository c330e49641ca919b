"""Questions in other languages: read in English words, of reports in any language, and never mistaken for English."""

from __future__ import annotations

import tomllib
from decimal import Decimal
from pathlib import Path

import pytest
from abroad import page

import tieout
from tieout.agent.protocol.message import Reply, ToolCall
from tieout.agent.session import Session
from tieout.ontology.asked.abroad import question
from tieout.ontology.asked.abroad.question import FILES, LANGUAGES, in_english

ASKED = {
    "de": {
        "Wie hoch war der Umsatz 2024?": ("1234.5", "EUR"),
        "Um wie viel stieg der Umsatz gegenüber dem Vorjahr?": ("137.2", "EUR"),
        "Bilanzsumme Ende 2023": ("920", "EUR"),
        "Um wie viel Prozent wuchsen die Umsatzerlöse von 2023 auf 2024?": ("0.125", "ratio"),
        "Wie hoch waren die gezahlten Dividenden 2023?": ("60", "EUR"),
        "Wie hoch ist die Eigenkapitalquote am Jahresende 2024?": ("0.6", "ratio"),
        "Was war der Gewinn im Jahr 2023?": ("115", "EUR"),
    },
    "fr": {
        "Quel était le chiffre d’affaires en 2024 ?": ("1234.5", "EUR"),
        "De combien le chiffre d'affaires a augmenté par rapport à l'exercice précédent ?": ("137.2", "EUR"),
        "total de l'actif fin 2023": ("920", "EUR"),
        "Quel a été le résultat net en 2023 ?": ("115", "EUR"),
        "Quels étaient les capitaux propres à la fin de l'exercice 2024 ?": ("600", "EUR"),
    },
    "es": {
        "¿Cuáles fueron los ingresos en 2024?": ("1234.5", "EUR"),
        "¿Cuánto aumentaron los ingresos frente al año anterior?": ("137.2", "EUR"),
        "activo total a cierre de 2023": ("920", "EUR"),
        "¿Cuál fue el beneficio neto de 2023?": ("115", "EUR"),
    },
}


@pytest.fixture(
    scope="module", params=[(spoken, printed) for spoken in ASKED for printed in (spoken, "it")], ids="-".join
)
def talk(request, tmp_path_factory):
    spoken, printed = request.param
    folder = tmp_path_factory.mktemp(printed)
    path = folder / "report.html"
    path.write_text(page(printed), encoding="utf-8")
    with tieout.open(path, store=folder / "store") as opened:
        yield spoken, opened


def test_a_question_in_another_language_is_answered_from_a_report_in_any(talk):
    spoken, opened = talk
    told = {question: opened.ask(question) for question in ASKED[spoken]}
    found = {
        question: (answer.value and f"{float(answer.value):.4g}", answer.unit) for question, answer in told.items()
    }
    assert found == {question: (f"{float(amount):.4g}", unit) for question, (amount, unit) in ASKED[spoken].items()}


def test_how_it_is_read_is_told_and_a_question_behind_it_goes_on(talk):
    spoken, opened = talk
    question, goes_on = {
        "de": ("Wie hoch war der Umsatz 2024?", "und im Vorjahr?"),
        "fr": ("Quel était le chiffre d'affaires en 2024 ?", "et l'année précédente ?"),
        "es": ("¿Cuáles fueron los ingresos en 2024?", "¿y el año anterior?"),
    }[spoken]
    flags = [flag.message for flag in opened.ask(question).flags if flag.rule == "read as"]
    assert flags == [f"{question!r} is read as 'what was revenue {'' if spoken == 'de' else 'in '}2024?'"]
    assert opened.ask(goes_on).value == Decimal("1097.3")


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        ("¿Cuál fue el efectivo al 31 de marzo de 2024?", "what was cash at 31 march 2024?"),
        ("¿Cuáles fueron los ingresos en marzo de 2024?", "what was revenue in march 2024?"),
        ("Quel était le chiffre d'affaires au 31 décembre 2023 ?", "what was revenue at 31 december 2023?"),
    ],
)
def test_a_day_is_read_as_in_reports_of_the_language(asked, read):
    assert in_english(asked) == read


def test_no_question_in_english_is_read_as_one_in_another_language():
    lines = Path(__file__).with_name("snapshots").joinpath("questions.txt").read_text(encoding="utf-8").splitlines()
    asked = [line.partition("  ")[0] for line in lines]
    mixed = [
        "Banco de la Nacion revenue 2023",
        "goodwill 2023",
        "EBIT of Die Mobiliar",
        "La Quinta net income",
        "Client Division operating income",
        "total SG&A 2024",
        "total D&A",
        "capex",
    ]
    assert len(asked) > 100
    assert [text for text in (*asked, *mixed) if in_english(text) != text] == []


def test_names_in_a_question_stay_as_they_are():
    assert (
        in_english("Wie hoch war der Umsatz von Nordwind Logistik 2024?")
        == "what was revenue of Nordwind Logistik 2024?"
    )


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_word_and_way_of_asking_of_a_language_can_be_read(name):
    file = tomllib.loads((FILES / f"{name}.toml").read_text(encoding="utf-8"))
    assert {"told", "endings", "measures", "phrases", "words"} == set(file)
    assert not any(in_english(text) == text for text in ASKED.get(name, ()))


def test_a_language_is_one_more_file(tmp_path, monkeypatch):
    told = "told = 'kiom estis'\nendings = 'j n'\n[measures]\nprofitmargxeno = 'net margin'\n"
    sections = told + "[phrases]\n'kiom estis' = 'what was'\n[words]\nin = 'en'\n'' = 'la'\n"
    (tmp_path / "eo.toml").write_text(sections, encoding="utf-8")
    monkeypatch.setattr(question, "FILES", tmp_path)
    monkeypatch.setattr(question, "LANGUAGES", ("eo",))
    question.in_english.cache_clear()
    assert in_english("Kiom estis la profitmargxeno en 2024?") == "what was net margin in 2024?"
    question.in_english.cache_clear()


class Reads:
    """A language model that is told a question: it reads all languages itself."""

    name = "model"

    def reply(self, request):
        self.question = request.question
        return Reply(calls=(ToolCall(id="1", tool="answer", arguments={"text": "none"}),), model=self.name)


def test_a_language_model_gets_the_question_as_it_was_asked(tmp_path):
    path = tmp_path / "report.html"
    path.write_text(page("de"), encoding="utf-8")
    backend = Reads()
    asked = "Wie hoch war der Umsatz 2024?"
    with tieout.open(path, store=tmp_path / "store") as opened:
        Session(opened.session.graph, backend).ask(asked)
    assert backend.question == asked
