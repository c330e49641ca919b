"""Looking figures up by name: exactly, by label, nearly; a miss or a tie is told, never guessed."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tieout.agent.protocol.tool import ToolError
from tieout.agent.tools.lookup import choose, find, narrow, plain
from tieout.data.printed.periods.period import read_period
from tieout.kg.fact import Fact, FactKind
from tieout.ontology.model import MatchedBy


def fact(name: str, label: str, header: str, value: str, **more: object) -> Fact:
    fields: dict[str, object] = {
        "name": name,
        "kind": FactKind.TABLE,
        "value": Decimal(value),
        "raw": f"$ {value}",
        "unit": "USD",
        "period": read_period(header),
        "instance": f"Income_{header}",
        "entity_type": "Income",
        "property": "".join(plain(label).title().split()),
        "label": label,
        "header": header,
        "matched_by": "exact",
        "match_score": 100,
        "table": 1,
        "row": 1,
        "column": 1,
        "start": 0,
        "end": 1,
        "context": value,
    }
    return Fact(**(fields | more))  # type: ignore[arg-type]


FACTS = (
    fact("t1r1c1", "net sales", "2011", "4218.6"),
    fact("t1r1c2", "net sales", "2010", "3904.2"),
    fact("t1r2c1", "interest expense", "2011", "61.2"),
    fact("t1r3c1", "interest income", "2011", "12.5"),
    fact("t2r1c1", "net sales", "north america", "1800", section="segments", entity_type="Segment"),
    fact("t2r1c2", "net sales", "europe", "900", section="segments", entity_type="Segment"),
    fact("s1a1", "backlog", "", "250", kind=FactKind.TEXT, period=read_period("december 31 , 2011")),
)


def test_a_property_is_found_by_its_name_and_by_its_printed_label() -> None:
    for wanted in ("NetSales", "net sales", "Net Sales"):
        found = find(FACTS, None, wanted, {"year": "2010"})
        assert (found.fact.name, found.by, found.score) == ("t1r1c2", MatchedBy.EXACT, 100)


def test_a_property_is_found_by_an_alternative_label_of_the_tbox() -> None:
    found = find(FACTS, None, "turnover", {"year": "2010"}, {"NetSales": ("turnover", "revenues")})
    assert (found.fact.name, found.by) == ("t1r1c2", MatchedBy.ALTERNATIVE)


def test_a_near_name_is_found_and_said_to_be_near() -> None:
    found = find(FACTS, None, "net sale", {"year": "2010"})
    assert (found.fact.name, found.by) == ("t1r1c2", MatchedBy.FUZZY)
    assert 85 <= found.score < 100


def test_a_miss_lists_the_candidates_with_scores_and_labels() -> None:
    with pytest.raises(ToolError, match="no property fits 'goodwill'") as error:
        find(FACTS, None, "goodwill", {})
    candidates = error.value.detail["candidates"]
    assert isinstance(candidates, list)
    assert {"name", "score", "labels"} == set(candidates[0])
    assert error.value.detail["suggestion"]


def test_two_names_that_are_equally_near_are_a_tie_and_no_guess() -> None:
    choices = {"salesNorth": ("sales north",), "northSales": ("north sales",)}
    with pytest.raises(ToolError, match="fits northSales and salesNorth equally well"):
        choose("property", "sales northx", choices)


def test_several_figures_that_fit_are_listed() -> None:
    with pytest.raises(ToolError, match="4 facts fit, with different figures") as error:
        find(FACTS, None, "net sales", {})
    candidates = error.value.detail["candidates"]
    assert isinstance(candidates, list)
    assert [each["fact"] for each in candidates] == ["t1r1c1", "t1r1c2", "t2r1c1", "t2r1c2"]


def test_the_same_figure_in_table_and_text_is_taken_from_the_table() -> None:
    twice = (*FACTS, fact("s9a1", "net sales", "", "4218.6", kind=FactKind.TEXT, period=read_period("2011")))
    found = find(twice, "Income", "net sales", {"year": "2011"})
    assert (found.fact.name, found.same) == ("t1r1c1", ("s9a1",))


@pytest.mark.parametrize(
    ("filters", "name"),
    [
        ({"year": "2011"}, "t1r1c1"),
        ({"period": "2010"}, "t1r1c2"),
        ({"segment": "Europe"}, "t2r1c2"),
        ({"segment": "america"}, "t2r1c1"),
        ({"header": "north america", "section": "segments"}, "t2r1c1"),
    ],
)
def test_filters_say_which_one(filters: dict[str, str], name: str) -> None:
    assert find(FACTS, None, "net sales", filters).fact.name == name


def test_a_year_also_finds_a_date_in_it() -> None:
    assert find(FACTS, None, "backlog", {"year": "2011"}).fact.name == "s1a1"
    assert find(FACTS, None, "backlog", {"period": "12/31/2011"}).fact.name == "s1a1"


def test_a_filter_that_lets_nothing_through_says_what_there_is() -> None:
    with pytest.raises(ToolError, match="no fact with year '1999'") as error:
        find(FACTS, None, "net sales", {"year": "1999"})
    assert error.value.detail["available"] == ["2010", "2011", "europe", "north america"]


def test_an_unknown_filter_lists_the_known_ones() -> None:
    with pytest.raises(ToolError, match="there is no filter 'month'; there are: year, period"):
        narrow(FACTS, "month", "3")


def test_an_entity_type_narrows_the_search() -> None:
    with pytest.raises(ToolError, match="no property fits 'interest expense'"):
        find(FACTS, "segment", "interest expense", {})
    with pytest.raises(ToolError, match="no entity type fits 'pension plan'"):
        find(FACTS, "pension plan", "net sales", {})


def test_a_segment_is_not_found_inside_another_word() -> None:
    with pytest.raises(ToolError, match="no fact with segment 'pe'"):
        narrow(FACTS, "segment", "pe")


@given(
    st.text(max_size=60), st.dictionaries(st.sampled_from(["year", "segment", "period", "unit"]), st.text(max_size=20))
)
def test_any_question_gets_one_fact_or_one_clear_error(wanted: str, filters: dict[str, str]) -> None:
    try:
        assert find(FACTS, None, wanted, filters).fact in FACTS
    except ToolError as error:
        assert str(error)


def test_a_unit_that_is_dollars_finds_those_of_which_no_country_is_said_and_prefers_its_own():
    some = fact("t1r1c1", "net sales", "2011", "5", unit="$")
    none = fact("t1r2c1", "net sales", "2011", "7", unit=None)
    own = fact("t1r3c1", "net sales", "2011", "9", unit="USD")
    share = fact("t1r4c1", "dividends", "2011", "1", unit="$/share")
    for wanted in ("USD", "usd", "$", "dollars", "CAD"):
        assert narrow((some, none, share), "unit", wanted) == [some]
    assert narrow((some, own), "unit", "USD") == [own]
    assert narrow((some, own, none), "unit", "$") == [some, own]
    assert narrow((some, share), "unit", "USD/share") == [share]
    for wanted in ("%", "EUR"):
        with pytest.raises(ToolError):
            narrow((some, none), "unit", wanted)
