"""A term of the trade that is not printed is told by its definition and the figures of its parts."""

from __future__ import annotations

import pytest
from test_agent_lookup import fact

from tieout.agent.protocol.tool import ToolError
from tieout.agent.tools.lookup import find_or_define
from tieout.kg.definition import definition

FACTS = [
    fact("t1r1c1", "Net sales", "2019", "900"),
    fact("t1r2c1", "Operating income", "2019", "120"),
    fact("t1r3c1", "Depreciation and amortization", "2019", "30", row=2),
    fact("t1r4c1", "Adjusted EBITDA", "2019", "170", row=3),
]


def test_a_term_that_is_not_printed_is_told_by_its_formula_with_the_figures_of_its_parts() -> None:
    with pytest.raises(ToolError, match="'free cash flow' is not printed under this name") as caught:
        find_or_define(FACTS, None, "free cash flow", {}, {})
    meant = caught.value.detail["definition"]
    assert isinstance(meant, dict)
    assert meant["formula"] == "[operating_cash_flow] - magnitude([capital_expenditures])"
    assert meant["source"].startswith("SEC 102.07")


def test_a_name_that_is_only_near_is_told_beside_the_definition_and_not_taken() -> None:
    with pytest.raises(ToolError) as caught:
        find_or_define(FACTS, None, "EBITDA", {"year": "2019"}, {})
    assert caught.value.detail["near"] == "t1r4c1: Adjusted EBITDA"
    assert caught.value.detail["definition"]["parts"] == {  # type: ignore[index]
        "operating_income": ["t1r2c1: Operating income (2019)"],
        "depreciation_amortization": ["t1r3c1: Depreciation and amortization (2019)"],
    }


def test_a_part_that_is_defined_itself_is_told_by_its_own_formula() -> None:
    found = definition("EBITDA margin", FACTS)
    assert found is not None
    assert found["where"] == {"ebitda": "[operating_income] + magnitude([depreciation_amortization])"}
    assert set(found["parts"]) == {"ebitda", "revenue", "operating_income", "depreciation_amortization"}


def test_what_is_printed_is_looked_up_and_what_has_no_definition_is_a_miss_as_before() -> None:
    assert find_or_define(FACTS, None, "operating income", {}, {}).fact.name == "t1r2c1"
    with pytest.raises(ToolError, match="no property fits 'backlog'"):
        find_or_define(FACTS, None, "backlog", {}, {})
