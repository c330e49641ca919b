"""What speaks for a figure: words in a row, names of countries, and the lines that figures are read as."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tieout.agent.question.read import read_question
from tieout.data.document import Document, Table
from tieout.kg.build import build
from tieout.kg.lines import make_lines
from tieout.kg.page import Page
from tieout.ontology.asked.similarity import run
from tieout.ontology.asked.words import stems, words
from tieout.ontology.labels.alike import longest_run, spelled
from tieout.ontology.model import default_ontology

STEMS = st.lists(st.sampled_from("abcd"), max_size=12)


def lines(*rows: tuple[str, ...]):
    page = Document(id="Single_NONE/2013/page_1.pdf", paragraphs=(), before=0, tables=(Table(rows=rows),))
    return {line.name: line for line in make_lines(Page(build(page, default_ontology(None)[0]).facts()))}


@given(STEMS, STEMS)
def test_the_longest_run_is_the_same_from_both_sides_and_stands_in_both(one, other) -> None:
    longest = longest_run(one, other)
    assert longest == longest_run(other, one)
    parts = ["".join(one)[start : start + longest] for start in range(len(one))]
    assert any(part in "".join(other) and len(part) == longest for part in parts) or longest == 0


def test_small_words_and_numbers_do_not_break_a_run() -> None:
    asked = "how much compensation cost related to non-vested awards was there in 2019?"
    told = "there was $ 5 of unrecognized compensation cost that is related to the 30 non-vested awards ."
    whole, part = run(told, asked), run("cost of sales related to awards", asked)
    assert whole["run"] > part.get("run", 0.0)


def test_a_label_is_known_by_its_letters_where_words_are_run_together() -> None:
    asked = "what is the total of other current liabilities?"
    assert spelled("total othercurrent liabilities", asked) > 0.8 > spelled("interest expense", asked)


def test_the_country_is_one_word_however_it_is_written_and_the_pronoun_is_none() -> None:
    assert stems("United States") == stems("U.S.") == stems("US") == ["usa"]
    assert "usa" not in words("what does it tell us?")
    assert "usa" not in words("in U.S. dollars, under US GAAP: US$ 5")
    assert all("usa" not in words(f"cost in {money}") for money in ("US$ 5", "US dollars", "US GAAP"))
    assert words("cost in the US")[-1] == "usa"


def test_a_column_without_a_header_whose_rows_are_years_is_a_line_of_its_table() -> None:
    found = lines(("( in thousands )", ""), ("2014", "$ 503"), ("2015", "462"), ("2016", "75"))
    column = found["column", 1, 1]
    assert not column.is_dated
    assert [point.year for point in column.points] == [2014, 2015, 2016]


def test_rows_keep_their_label_beside_columns_of_percentages() -> None:
    rows = (
        ("", "Years ended", "", "", ""),
        ("", "December 31, 2019", "", "December 31, 2018", ""),
        ("", "$", "%", "$", "%"),
        ("Canada", "96,168", "6.1%", "70,774", "6.6%"),
        ("Norway", "1,079,520", "68.4%", "755,454", "70.4%"),
        ("Peru", "103,498", "6.6%", "69,596", "6.5%"),
    )
    named = {line.label for name, line in lines(*rows).items() if name[0] == "row"}
    assert {"Canada", "Norway", "Peru"} <= named


def test_a_question_says_its_month_and_may_is_no_month_alone() -> None:
    assert read_question("How many were granted in December 2019?").when.months == {12}
    assert read_question("What may have been paid?").when.months == frozenset()
    assert read_question("What was paid by May 3, 2019?").when.months == {5}
