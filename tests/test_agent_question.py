"""What a question asks, read from its own words."""

from __future__ import annotations

import tomllib
from decimal import Decimal

import pytest
from kg_documents import facts_of

from tieout.agent.offline.answer.stated_days import timely
from tieout.agent.offline.operands.linking import Lines
from tieout.agent.question.in_full import Asked, in_full
from tieout.agent.question.read import read_question
from tieout.agent.question.sides import in_sides
from tieout.agent.question.spelling import as_printed
from tieout.ontology.asked.language import FILES, language
from tieout.ontology.asked.measures import find_measures
from tieout.ontology.asked.overview import main_figures
from tieout.ontology.asked.when import quarter_beside, times_held, years_in
from tieout.ontology.asked.wish import plainer
from tieout.ontology.asked.words import distances, is_written_otherwise, stem, stems
from tieout.ontology.metrics.slips import Printed


def sides_of(text: str) -> tuple[str, str]:
    asked = read_question(text)
    return asked.left.text, asked.right.text


def test_years_are_read_in_the_order_in_which_they_are_mentioned() -> None:
    assert read_question("what was the change in net sales from 2012 to 2011?").years == (2012, 2011)


def test_a_year_mentioned_twice_is_one_year() -> None:
    assert years_in("in 2012, and by the end of 2012") == (2012,)


@pytest.mark.parametrize(("date", "year"), [("12/31/07", 2007), ("12/31/1998", 1998), ("6/30/98", 1998)])
def test_a_short_date_names_its_year(date: str, year: int) -> None:
    assert read_question(f"what was the price on {date}?").years == (year,)


def test_a_year_is_not_one_of_the_numbers_of_a_question() -> None:
    asked = read_question("what is the 2009 value divided by 1,000?")
    assert asked.literals == (Decimal(1000),)
    assert asked.years == (2009,)


def test_the_part_of_a_share_is_left_and_the_whole_is_right() -> None:
    part, whole = sides_of("what portion of total assets is due to goodwill?")
    assert "goodwill" in part
    assert "total assets" in whole


def test_the_words_before_and_after_a_connector_are_its_two_sides() -> None:
    asked = read_question("what is interest expense as a percentage of operating income?")
    assert "interest" in asked.left.stems
    assert "operat" in asked.right.stems
    assert not {*asked.left.stems} & {*asked.right.stems}


def test_a_question_without_connector_has_no_sides() -> None:
    asked = read_question("what was net income in 2010?")
    assert not asked.left.stems
    assert not asked.right.stems


def test_a_ratio_of_two_measures_has_the_first_on_the_left() -> None:
    left, right = sides_of("what is the ratio of current assets to current liabilities?")
    assert left.strip() == "current assets"
    assert "current liabilities" in right


@pytest.mark.parametrize(
    ("question", "pointing", "called"),
    [
        ("what is the 2007 revenue divided by that net change?", "right", {"subtract"}),
        ("how much does this total represent in relation to the 2010 sales?", "left", {"add"}),
        ("what is that divided by this average?", "both", {"divide"}),
        ("what is net income over sales?", "neither", set()),
        ("what was the change in sales?", "", set()),
    ],
)
def test_where_a_question_points_back_and_at_what_kind_of_result(
    question: str, pointing: str, called: set[str]
) -> None:
    asked = read_question(question)
    assert (asked.pointing, asked.called) == (pointing, called)


def test_the_scale_that_is_asked_for_is_read() -> None:
    assert read_question("what is that in millions of dollars?").scales == (10**6,)
    assert read_question("and converted to the thousands?").scales == (1000,)


def test_counts_are_read_from_figures_and_from_words() -> None:
    assert {Decimal(3), Decimal(5)} <= read_question("the average of the three over 5 years?").counts


def test_words_that_only_ask_name_no_measure() -> None:
    asked = read_question("what was the total amount of the goodwill?")
    assert asked.topic == (stem("goodwill"),)
    assert stem("total") in asked.manner


def test_near_synonyms_and_plurals_have_one_stem() -> None:
    assert stems("revenues") == stems("sales")
    assert stem("maturities") == stem("due")
    assert stem("earnings") == stem("income")


def test_the_same_text_is_read_the_same_however_it_is_spaced_or_cased() -> None:
    one, other = read_question("What was  Net Income in 2010?"), read_question("what was net income in 2010?")
    assert (one.topic, one.years, one.words) == (other.topic, other.years, other.words)


SHARES = (
    "what share of revenue came from services in 2023?",
    "what share of revenue was services in 2023?",
    "what percentage of revenue was services in 2023?",
    "what percent of revenue was services in 2023?",
    "what proportion of revenue was services in 2023?",
    "what portion of revenue was due to services in 2023?",
    "what fraction of revenue came from services in 2023?",
    "what part of revenue was services in 2023?",
    "which share of revenue is from services in 2023?",
    "services as a percentage of revenue in 2023",
    "services as a percent of revenue in 2023",
    "services as a share of revenue in 2023",
    "services as a proportion of revenue in 2023",
    "services as a % of revenue in 2023",
    "services in percent of revenue in 2023",
    "what were services as a percentage of revenue in 2023?",
    "how much of revenue was services in 2023, in percent?",
    "what % of revenue did services represent in 2023?",
    "what percentage of revenue did services account for in 2023?",
    "What percentage of revenue is attributable to services in 2023?",
    "how large a share of revenue was services in 2023?",
    "what percentage were services of total revenue in 2023?",
)


@pytest.mark.parametrize("text", SHARES)
def test_however_a_share_is_asked_for_it_is_one_question(text: str) -> None:
    asked = read_question(text)
    assert (asked.calculation, asked.years, asked.asks_share) == ("share", (2023,), True)
    assert asked.whole is not None and [each.name for each in asked.whole.named] == ["revenue"]
    assert asked.open == {"service"} and not asked.whole.open


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        ("by how much did rent go up from fy23", "base year"),
        ("by how much did rent go up in fy23", ""),
        ("lease payments after 2027", "due after"),
        ("lease payments in 2027", ""),
        ("how much up on the prior year", "up"),
    ],
)
def test_a_time_that_something_is_held_against_or_that_all_else_lies_behind_is_read(text: str, cue: str) -> None:
    cues = read_question(text).cues
    assert cue in cues if cue else cues.isdisjoint(("base year", "due after"))


def test_a_fiscal_year_over_two_calendar_years_is_one_year() -> None:
    assert read_question("what was revenue in 2022/23?").years == (2023,)
    assert read_question("what was revenue in 2021/23?").years == (2021,)


@pytest.mark.parametrize(
    ("text", "calculation", "form", "named", "left"),
    [
        ("how much did net sales grow in 2024?", "growth", "figure", ["revenue"], set()),
        ("by how much did inventories fall?", "change", "figure", ["inventory"], set()),
        ("average capex over the last three years", "average", "figure", ["capital_expenditures"], set()),
        ("average diluted shares in 2023 and 2022", "value", "list", ["shares_diluted"], set()),
        ("capex both years", "value", "list", ["capital_expenditures"], set()),
        ("what was the growth rate of net income in 2023?", "growth", "figure", ["net_income"], set()),
        ("net income growth rate fy23", "growth", "figure", ["net_income"], set()),
        ("net income up on 2022", "change", "figure", ["net_income"], set()),
        ("did gross margin exceed 40% in 2023?", "value", "yes or no", ["gross_margin"], set()),
        ("which year had the highest net income?", "value", "year", ["net_income"], set()),
        ("net income by year", "value", "list", ["net_income"], set()),
        ("what was the net increase in cash and cash equivalents?", "value", "figure", ["change_in_cash"], set()),
        ("why did operating income decline?", "change", "why", ["operating_income"], set()),
        ("what was adjusted operating income in 2023?", "value", "figure", ["operating_income"], {"adjusted"}),
        ("what was net income in euros?", "value", "figure", ["net_income"], {"euro"}),
    ],
)
def test_what_is_calculated_what_is_named_and_what_is_left_open_are_read(
    text: str, calculation: str, form: str, named: list[str], left: set[str]
) -> None:
    asked = read_question(text)
    assert (asked.calculation, asked.form) == (calculation, form)
    assert [each.name for each in asked.named] == named
    assert asked.open == left


def test_each_word_of_a_question_is_accounted_for_or_open() -> None:
    asked = read_question("what was the wombat net income in 2023?")
    assert [(each.name, each.said) for each in asked.named] == [("net_income", "net income")]
    assert (asked.open, asked.years) == ({"wombat"}, (2023,))


def test_how_the_answer_is_wanted_is_no_part_of_what_is_asked() -> None:
    plain = read_question("what was net income in 2023?")
    told = read_question("What was net income in 2023? Answer in USD millions. Round to one decimal.")
    assert (plain.named, plain.open, plain.years) == (told.named, told.open, told.years)


def test_a_language_is_read_from_its_file_section_by_section() -> None:
    known = language("en")
    assert known.cues_of("by what percentage did it rise?") >= {"change", "up", "percent"}
    assert "of" in known.words["function"] and known.scales["million"] == 10**6
    with pytest.raises(FileNotFoundError):
        language("xx")
    read = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in FILES.glob("*.toml")}
    for name, sections in read.items():  # what is read by its name
        assert language(name).cues and sections.keys() == read["en"].keys()
        assert all(sections[each].keys() == read["en"][each].keys() for each in ("words", "forms", "sides", "told"))


def test_a_name_that_calls_itself_the_best_asks_for_no_highest() -> None:
    assert read_question("What were total inventories of Best Pots at the end of 2024?").kinds[0] == "number"
    assert "highest" in read_question("What was the best year for inventories?").cues
    assert "highest" in read_question("WHAT WAS THE BEST YEAR?").cues


def test_how_much_of_it_is_asked_of_what_is_named_before() -> None:
    several = read_question("what were sales in 2023, and how much of that came from Peru?").several
    assert [single.asked.text for single in several] == [
        "what were sales in 2023",
        "how much of sales came from Peru 2023",
    ]


@pytest.mark.parametrize(
    ("text", "open_"),
    [
        ("us revenue 2023", {"united", "state"}),
        ("what did sales from us stores come to?", {"united", "state", "store"}),
        ("can you tell us revenue in 2023", set()),
        ("sales in us dollars", set()),
    ],
)
def test_the_country_in_lower_case_is_no_pronoun(text: str, open_: set[str]) -> None:
    assert read_question(text).open == open_


@pytest.mark.parametrize(
    ("text", "calculation"),
    [
        ("capex: how much lower in 2023", "change"),
        ("interest expense higher by how much in 2023", "change"),
        ("diluted EPS - how much more in 2024", "change"),
        ("inventories up by what % during the year", "growth"),
        ("sales down by how many percent in 2023", "growth"),
        ("cash, how much of it is abroad", "value"),
        ("net sales, how much more than net income", "value"),
        ("debt: how much more than at year end", "change"),
    ],
)
def test_by_how_much_something_is_more_may_stand_behind_its_name(text: str, calculation: str) -> None:
    assert read_question(text).calculation == calculation


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("government and retail revenue growth in 2023", ["government revenue growth", "retail revenue growth"]),
        ("How fast did bulk and retail sales grow?", ["did bulk sales grow", "did retail sales grow"]),
        ("net sales in North America and Europe in 2023", ["in north america in 2023", "in europe in 2023"]),
        ("sales Peru and Chile 2023", ["sales peru 2023", "sales chile 2023"]),
        ("tolls and fares, first six months", ["tolls , first six months", "fares , first six months"]),
        ("sales in the US and outside the US in 2023", ["sales in the united states", "sales in the outside the us"]),
        ("goodwill: bulk and retail, end of 2023", ["goodwill bulk", "goodwill retail"]),
        (
            "goodwill of bulk and retail at the end of 2023",
            ["goodwill of bulk at the end", "goodwill of retail at the"],
        ),
        ("inventory split between raw materials and finished goods", ["inventory raw materials", "finished goods"]),
        ("stock comp in R&D vs SG&A 2023", ["in r&d 2023", "in sg&a 2023"]),
        ("inventories: spares vs tools", ["inventories spares", "inventories tools"]),
        ("average sales of trucks and parts", []),
        ("cost of products and services", []),
    ],
)
def test_one_measure_of_several_parts_is_asked_of_each(text: str, parts: list[str]) -> None:
    several = read_question(text).several
    assert len(several) == len(parts)
    assert all(part in single.asked.lower for part, single in zip(parts, several, strict=True))


@pytest.mark.parametrize(
    "talk",
    [
        "net sales of Acme Tools in 2023? | and Acme Paint? => what was net sales of acme paint in 2023",
        "sales of Tools in 2023? | and its operating income? => what was operating income of tools in 2023",
        "what was net income in Q2 2023? | same quarter last year? => what was net income in q2 2022",
        "net income for the nine months to July 1, 2023? | a year before? => what was net income for the nine months"
        " ended july 1, 2022",
        "diluted EPS in 2023? | basic? => what was basic eps in 2023",
        "total debt at the end of 2023? | net of cash? => what was total debt minus cash at the end of 2023",
        "operating profit in 2023? | as a % of sales => operating profit as a percentage of sales in 2023",
        "operating income of Tools in 2023? | margin? => operating income of tools as a percentage of revenue in 2023",
        "net sales in 2023? | how much of that was tools? | what share is that? => what share of net sales was tools in"
        " 2023",
        "net income in 2022? | in percent of sales? | more than in 2021? => was net income as a percentage of sales in"
        " 2022 more than net income as a percentage of sales in 2021",
        "capex in 2023? | as % of sales? | so did it go up? => did capex as a percentage of sales rise in 2023",
        "current assets in 2023? | current liabilities? | ratio? => current assets divided by current liabilities"
        " in 2023",
        "sales of Tools in 2023? | of Paint? | total of both? | what percent was Tools? => what share of sales was"
        " tools in 2023",
        "capex in 2023? | and depreciation? | did that rise more? => was depreciation in 2023 more than capex in 2023",
        "net income in 2023? | up on the year before? => did net income rise in 2023",
        "sales in 2023? | growth? | in dollars? => how much did sales change in 2023",
        "net income in 2023? | and in 2021? | average of the two? => what was the average net income in 2021, 2023",
        "net sales in 2023? | did net income fall too? => did net income fall in 2023",
        "net sales in 2023? | which segment was the largest? => which segment had the largest net sales in 2023",
        "sales of Tools in 2023? | and the company as a whole? => what was sales in 2023",
        "sales of Tools in 2023? | Paint? | total sales? => what was total sales in 2023",
        "inventory in 2023? | and in 2022? | how many dollars lower is it? => how much did inventory change in 2023",
        "inventory in 2023? | and in 2022? | how many percent less is that? => by how many percent did inventory change"
        " in 2023",
        "operating income of Tools in 2023? | did it earn more than the company as a whole in 2023? => was operating"
        " income of tools in 2023 more than operating income in 2023",
        "free cash flow in 2023? | what was that last figure in 2022? => what was free cash flow in 2022",
        "sales of Tools in 2023? | consolidated net income that year? => what was consolidated net income in 2023",
        "how much did Tools lose in 2023 on an EBIT-adjusted basis? | what revenue did it have? => what was tools"
        " revenue in 2023",
        "sales of Tools in 2023? | what was total operating income? => what was total operating income in 2023",
        "sales of Tools in 2023? | total company sales? | and 2022? => what was sales in 2022",
        "sales of Tools in 2023? | and its total sales in 2022? => what was total sales of tools in 2022",
        "total sales of Tools in 2023? | and total sales in 2022? => what was total sales of tools in 2022",
        "R&D as % of sales in 2023? | and in dollars in 2022? => what was r&d in 2022",
        "what share of sales came from Asia in 2023? | the dollar amount? => what was sales of asia in 2023",
        "Paint sales as % of sales in 2023? | and the year before, in dollars? => what was paint sales in 2022",
        "net income in 2023? | who is the auditor? => None",
        "who is the auditor? | did net sales fall? => did net sales fall",
        "cash at june 30, 2023? | at year end? => what was cash at year end",
        "inventories in 2023? | how much of it was finished goods? | raw materials? | and the total a year earlier?"
        " => what was inventories in 2022",
        "sales of Tools in 2023? | of Paint? | and the total a year earlier? => what was sales in 2022",
        "did net sales fall? | net sales for the last three years => net sales for the last three years",
        "net sales in 2023? | what was spent on buying back common stock in 2022?"
        " => what was spent on buying back common stock in 2022?",
        "what is the difference in total accrued liabilities between 2022 and 2023? | in 2023, what is the percentage"
        " constitution of warranty reserve among the total accrued liabilities? => in 2023, what is the percentage"
        " constitution of warranty reserve among the total accrued liabilities?",
        "net income in 2023? | what was revenue in 2020? => what was revenue in 2020?",
        "net income in 2023? | what drove it? => None",
        "R&D in 2023? | and SG&A? | the two together? => what was r&d plus sg&a in 2023",
        "R&D in 2023? | SG&A? | both combined | % of sales? => r&d plus sg&a as a percentage of sales in 2023",
        "sales of vans in 2023? | vans and cars together? => what was sales of vans plus sales of cars in 2023",
        "sales in 2023? | growth in % on 2022? => by how many percent did sales rise in 2023",
        "sales in 2023? | how much lower is that than in 2021? => how much less was sales in 2023 than sales in 2021",
        "sales in Q1 2023? | the quarter before? => what was sales in q4 2022",
        "EPS in fy24? | two years earlier? => what was eps in fy22",
        "inventories in 2023? | total assets? | inventories as % of that? => "
        "inventories as a percentage of total assets in 2023",
        "net income in 2023? | per diluted share? | and basic? => what was net income per basic share in 2023",
        "sales in 2023? | growth? | and what was net income? => what was net income in 2023",
        "debt in 2023? | excluding leases? => what was debt minus leases in 2023",
        "operating income in 2023? | without the impairment charges? => what was operating income plus impairment"
        " charges in 2023",
        "long-term debt in 2023? | only the current part? => what was current portion of long-term debt in 2023",
        "interest expense in 2023? | how many times does operating income cover it? => operating income divided by"
        " interest expense in 2023",
        "sales of Tools in 2023? | how much of it online? | what % is that => sales of online as a percentage of sales"
        " of tools in 2023",
        "sales of Tools in 2023? | only Europe? => what was tools sales of europe in 2023",
        "sales in 2023? | growth? | how much was capex? => what was capex in 2023",
        "sales in 2023? | growth? | and capex? => by how many percent did capex change in 2023",
        "sales in 2022? | where are they made? | how large is goodwill? => what was goodwill in 2022",
        "sales in 2023? | ok, now show me 2022 => what was sales in 2022",
        "adjusted EPS in 2023? | and GAAP diluted? => what was diluted eps in 2023",
        "sales in Q3 2023? | and for the whole year? => what was sales in 2023",
        "sales in the fourth quarter? | and for the full year? => what was sales for the full year",
        "sales in 2023? | and vans? | how fast did that grow, %? => by how many percent did sales of vans rise in 2023",
        "sales in 2023? | yoy? => by how many percent did sales rise in 2023",
        "gross profit in 2023? | inventories? | difference? => how much more was gross profit in 2023 than inventories"
        " in 2023",
        "sales in 2023? | how many times the prior year's is that? => by what factor did sales grow in 2023",
        "net sales in 2023? | where is the goodwill? => None",
        "R&D in 2023? | SG&A? | which is larger? => which was larger, r&d or sg&a in 2023",
        "net sales in 2023? | how much of that was tools? | in percent? => what share of net sales was tools in 2023",
        "sales in Q3 2023? | and in the latest quarter? => what was sales in the latest quarter",
        "sales in Q3 2023? | and the nine months? => what was sales for the nine months of 2023",
        "sales of Tools in 2023? | and gross margin? => what was gross margin in 2023",
        "EPS for the nine months of 2023? | diluted EPS for the quarter then? => diluted EPS for the quarter of 2023"
        " then?",
        "gross profit in fy25? | as percent of sales | how about the year before? => gross profit as a percentage of"
        " sales in fy24",
        "sales in 2023? | and 2021? | growth over the two years, % => by how many percent did sales change from 2021 to"
        " 2023",
        "gross margin in 2023? | and 2022? | so it moved how many points => how much did gross margin change in 2023",
        "sales in 2023? | down from the year before by how much % => by how many percent did sales change in 2023",
        "sales in 2023? | down how much % from 2022 | net income, same comparison => by how many percent did net income"
        " change in 2023",
        "sales in 2023? | cost of sales ratio to that => cost of sales as a percentage of sales in 2023",
        "operating income of vans in 2023? | its margin on net sales? => operating income of vans as a percentage of"
        " revenue in 2023",
        "operating margin of vans in 2023? | and cars? => what was operating margin of cars in 2023",
        "sales in 2023? | which segment was the biggest? => which segment had the largest sales in 2023",
        "sales in 2023? | R&D? | SG&A? | which of the three is the lowest? => which was smaller, sales, r&d or sg&a"
        " in 2023",
        "R&D in 2023? | SG&A? | which one grew faster? => which grew highest, r&d or sg&a in 2023",
        "sales in 2023? | in 2022? | which of these was lower? => in which year was sales lowest",
        "sales of cars in 2023? | vans? | bikes? | all three together? => what was sales of cars plus sales of vans"
        " plus sales of bikes in 2023",
        "sales of cars in 2023? | vans? | the average of both? => what was the average of sales of cars and sales of"
        " vans in 2023",
        "sales of cars in 2023? | vans? | is cars bigger than vans? => was sales of cars in 2023 more than sales of"
        " vans in 2023",
        "sales of cars in 2023? | and operating income? => what was operating income of cars in 2023",
        "how much of sales came from Asia in 2023? | % of total? => what share of sales was asia in 2023",
        "sales in 2023? | how much of it is tools, in %? => what share of sales was tools in 2023",
        "operating profit of Asia in 2023? | margin? | same margin for Europe? => operating profit of europe as a"
        " percentage of revenue in 2023",
        "diluted EPS in 2023? | and basic? | diluted in 2022? => what was diluted eps in 2022",
        "sales in 2023? | by how much did they rise from 2022? | and net income in 2022 => what was net income in 2022",
        "sales in 2023? | is that up or down on the prior year? => did sales rise or fall in 2023",
        "R&D in 2023? | SG&A? | did SG&A grow faster? => was sg&a in 2023 more than r&d in 2023",
        "capex in 2024? | dividends for 23? => dividends in 2023",
        "capex in 2024? | 23? => what was capex in 2023",
        "sales in the six months of 2024? | back to the quarter - what was capex => what was capex in the quarter"
        " of 2024",
        "sales in 2024? | in 2022? | back to 24: what was capex => what was capex in 24",
        "sales as % of assets in 2024? | and the one before that => sales as a percentage of assets in 2023",
        "growth of sales in 2024? | do that for net income => by how many percent did net income rise in 2024",
        "capex as % of sales in 2024? | dividends, same thing => dividends as a percentage of sales in 2024",
        "capex as % of sales in 2024? | likewise R&D => r&d as a percentage of sales in 2024",
        "sales in 2024? | 2023? | that's a drop of what % => by how many percent did sales change in 2024",
        "sales in 2024? | 2023? | how much more in % => by how many percent did sales change in 2024",
        "sales in 2024? | how much above last year, in % => by how many percent did sales change in 2024",
        "sales in 2024? | how much more in % than in 2022 => by how many percent did sales change from 2022 to 2024",
        "sales in 2024? | 2023? | how many times bigger is it now => by what factor did sales grow in 2024",
        "sales of vans in 2024? | 2023? | what share of total sales is it now => what share of total sales was vans"
        " in 2024",
        "dividends in 2024? | buybacks? | those two together as % of operating cash flow => dividends plus share"
        " repurchases as a percentage of operating cash flow in 2024",
        "sales in 2024? | the van part of that => what was sales of van in 2024",
        "sales in 2024? | thereof vans => what was sales of vans in 2024",
        "wages in 2024? | number of employees? | so cost per head => wages divided by number of employees in 2024",
        "wages in 2024? | number of employees? | so cost per head | a year earlier? => wages divided by number of"
        " employees in 2023",
        "receivables in 2024? | how many days of sales is that (365) => what was days sales outstanding on closing"
        " balances in 2024",
        "sales in 2024? | 2023? | net income in both years => what was net income in 2024",
        "sales margin thing in 2024? | i mean capex in 2024 => capex in 2024",
        "R&D in 2024? | average employees that year? => what was average employees in 2024",
        "sales in 2024? | what if you leave out leases => what was sales minus leases in 2024",
        "sales in Q2 2024? | same quarter of 2023? | net income this quarter? => what was net income in q2 2024",
        "sales in Q2 2024? | in Q2 2023? | capex in the quarter => what was capex in q2 2024",
        "sales in Q2 2023? | capex in the quarter => what was capex in q2 2023",
        "sales in Q2 2024? | capex in the third quarter => what was capex in the third quarter of 2024",
        "sales in 2024? | and in 2023? | increase in $ | capex now => what was capex in 2024",
        "inventory at the end of June 2024? | a year earlier? | long-term debt at the end of june => long-term debt at"
        " the end of june 2024",
        "sales in 2024? | 2022? | back to this year: capex => what was capex in 2024",
        "sales in 2024? | growth in 2022? => by how many percent did sales change in 2022",
        "sales in 2024? | growth on 2022? => by how many percent did sales change from 2022 to 2024",
        "change of sales in 2024? | net of capex => what was sales minus capex in 2024",
        "growth of sales in 2024? | plus capex => what was sales plus capex in 2024",
        "sales in 2024? | 2023? | so how much more, in dollars => how much did sales change in 2024",
        "sales in 2024? | growth in dollars? | and percentage-wise => by how many percent did sales change in 2024",
        "inventories in 2024? | in days of cost of sales => what was days inventory outstanding on closing balances"
        " in 2024",
        "operating income in 2024? | that plus depreciation => what was operating income plus depreciation in 2024",
        "operating income in 2024? | as a multiple of interest expense => what was operating income divided by"
        " interest expense in 2024",
        "sales in 2024? | three years before => what was sales in 2021",
        "stock compensation in 2024? | how much of it sits in R&D? => what was r&d stock compensation in 2024",
        "operating income for the six months 2023? | for the quarter, what was it a year ago => what was operating"
        " income for the quarter 2022",
        "vans sales in the six months 2023? | which segment had the most profit in that period, and how much =>"
        " which segment had the most profit in the six months 2023, and how much",
        "adjusted EBIT in 2024? | how much of that was Tools => what was adjusted ebit of tools in 2024",
        "sales of the Tools segment in 2024? | and Business => what was sales of Business segment in 2024",
        "sales of Tools in 2024? | and the Business segment's net income => what was Business segment net income in"
        " 2024",
        "Tools revenue in 2024? | of that, hoses? | and the segment's operating income => what was tools segment's"
        " operating income in 2024",
        "sales in 2024? | by what percentage was that above 2023? => by how many percent did sales rise in 2024",
        "sales in 2024? | how much was it below 2022? => how much did sales fall from 2022 to 2024",
        "sales in 2024? | by what percent did it exceed that of the prior year? => by how many percent did sales rise"
        " in 2024",
        "sales of cars in 2024? | vans? | bikes? | all three together | as % of sales => sales of cars plus sales of"
        " vans plus sales of bikes as a percentage of sales in 2024",
        "sales of cars in 2024? | growth? | and EBIT there? => what was ebit of cars in 2024",
        "sales of cars in 2024? | growth in %? | what about vans in 2023? => what was sales of vans in 2023",
        "sales of cars in 2024? | growth in %? | same for vans in 2023? => by how many percent did sales of vans rise"
        " in 2023",
        "capex in 2024? | as % of sales? | and net income in that year? => what was net income in 2024",
        "sales of cars in 2024? | as % of sales? | and EBIT of vans? => what was ebit of vans in 2024",
        "sales of cars in 2024? | vans? | EBIT of each? => what was ebit of cars in 2024",
        "sales of cars in 2024? | and gross margin % of cars? => what was gross margin of cars in 2024",
        "total backlog in 2024? | in 2023? | how much of the 2024 figure is ships? => what was total backlog of ships"
        " in 2024",
        "how much debt is due in 2025? | and after 2029? => what was debt due after 2029",
        "sales of cars in 2024? | and the company? => what was sales in 2024",
        "tools sales in 2024? | growth in %? | what gross margin does that business have, in percent? => what was"
        " tools gross margin in 2024",
    ],
)
def test_a_question_behind_others_is_written_out_in_full(talk):
    said, _, full = talk.partition(" => ")
    *before, question = said.split(" | ")
    made = in_full(question, [Asked(each) for each in before])
    assert (str(None) if made is None else made.text) == full


@pytest.mark.parametrize(
    ("talk", "other", "sides"),
    [
        ("sales of Tools in 2023? | and Paint?", "what was paint in 2023", ()),
        ("sales in 2023? | was it lower than in 2022? | by how much?", "", ("sales in 2023", "sales in 2022")),
        ("sales in 2023? | was it higher than in 2022? | by how much?", "", ("sales in 2023", "sales in 2022")),
        ("net income in 2023? | in percent of sales? | did sales fall too?", "", ("sales in 2022", "sales in 2023")),
        (
            "net income in 2023? | in percent of sales? | did it fall?",
            "",
            ("net income as a percentage of sales in 2022", "net income as a percentage of sales in 2023"),
        ),
    ],
)
def test_what_else_a_question_may_be_and_what_it_holds_against_each_other_are_asked_in_full_too(talk, other, sides):
    *before, question = talk.split(" | ")
    made = in_full(question, [Asked(each) for each in before])
    assert made is not None
    assert (made.other, tuple(each.removeprefix("what was ") for each in made.sides)) == (other, sides)


@pytest.mark.parametrize(
    ("talk", "left"),
    [
        ("goodwill in 2023? | what percent is that?", "'percent' is not in"),
        ("sales in 2023? | cost of sales? | and the highest of those?", "'highest' is not in"),
        ("sales in 2023? | where are they made? | and net income?", "what it goes back to"),
        ("sales in 2023? | where are they made? | what was net income in 2022? | and in 2021?", ""),
        ("sales in 2023? | was it higher than in 2022? | by how much? | in percent?", ""),
        ("net income in 2023? | and in 2022? | what did more for the rise: higher sales or lower capex?", "'capex' is"),
        ("net income in 2023? | and the inventory of that business?", "'that business' is"),
    ],
)
def test_what_is_asked_and_not_in_the_question_in_full_is_told(talk, left):
    *before, question = talk.split(" | ")
    made = in_full(question, [Asked(each) for each in before])
    assert made is not None
    assert made.left.startswith(left) if left else not made.left


@pytest.mark.parametrize(
    ("asked", "operation", "sides"),
    [
        ("which of the two grew faster", "percentage_points", ("vans change in 2024", "cars change in 2024")),
        ("which of the two fell in 2024?", "subtract", ("vans in 2024", "vans in 2023")),
    ],
)
def test_by_how_much_is_that_between_two_rates_or_how_the_one_moved(asked, operation, sides):
    before = [Asked("cars in 2024?"), Asked("vans?"), Asked(asked, names="vans")]
    made = in_full("by how much?", before)
    assert made is not None
    assert made.operation == operation
    assert [said.endswith(side) for said, side in zip(made.sides, sides, strict=True)] == [True, True]


@pytest.mark.parametrize(
    ("first", "period", "then", "full"),
    [
        ("sales of vans", "FY2024", "last year?", "what was sales of vans in 2023"),
        (
            "sales in the second quarter",
            "2024-04/2024-06",
            "same quarter last year",
            "what was sales for the second quarter 2023",
        ),
        ("sales this quarter", "2024-04/2024-06", "a year earlier?", "what was sales for the quarter 2023"),
        ("sales", "2024", "and dividends?", "what was dividends"),
    ],
)
def test_the_year_before_a_figure_without_a_year_is_the_one_before_that_for_which_it_was_told(
    first, period, then, full
):
    made = in_full(then, [Asked(first, period=period)])
    assert made is not None
    assert made.text == full


def test_what_was_made_of_two_amounts_is_made_of_the_same_two_at_another_time():
    before = [Asked("wages in 2024?"), Asked("number of employees?"), Asked("so cost per head")]
    made = in_full("and the year before", before)
    assert made is not None
    assert made.sides == ("what was wages in 2023", "what was number of employees in 2023")
    assert made.operation == "divide"


def test_what_an_answer_names_is_what_is_meant_next():
    before = [Asked("which segment had the highest sales in 2023?", "Tools"), Asked("how much was it?")]
    made = in_full("was that more than in 2022?", before)
    assert made is not None
    assert made.sides == ("what was sales of Tools in 2023", "what was sales of Tools in 2022")
    assert made.operation == "greater"


@pytest.mark.parametrize("text", ["how much of revenue was services in 2023?", "how much of debt was unsecured?"])
def test_how_much_of_something_asks_for_an_amount(text: str) -> None:
    assert read_question(text).calculation == "value"


@pytest.mark.parametrize(
    ("text", "operation", "one", "other"),
    [
        (
            "How many percentage points higher was the gross margin on services than the one on products in 2024?",
            "percentage_points",
            "the gross margin on services in 2024",
            "what was gross margin of products in 2024",
        ),
        (
            "By how much did net income for the first six months of 2023 exceed that of the same period last year?",
            "subtract",
            "net income for the first six months of 2023",
            "net income for the first six months of 2022",
        ),
        (
            "How much more cash did operations bring in 2023 than in 2022?",
            "subtract",
            "How much cash did operations bring in 2023",
            "how much cash did operations bring in 2022",
        ),
        ("In 2023, how much lower was capex than R&D?", "subtract", "R&D In 2023", "capex in 2023"),
        ("What multiple of net income was cash flow in 2023?", "divide", "cash flow in 2023", "net income in 2023"),
        (
            "Did costs grow faster than sales in 2023? Give both rates.",
            "greater",
            "by how many percent did costs in 2023 grow",
            "by how many percent did sales in 2023 grow",
        ),
        (
            "Out of every $100 of 2023 sales, how much went to freight?",
            "percentage",
            "freight in 2023",
            "2023 sales",
        ),
        ("Resins represent what share of inventories in 2023?", "percentage", "Resins in 2023", "inventories in 2023"),
        (
            "How much higher was rent than freight in 2023 in percent?",
            "percentage_change",
            "rent in 2023",
            "freight in 2023 in percent",
        ),
        ("How many times did cash cover debt in 2023?", "divide", "cash in 2023", "debt in 2023"),
        (
            "For each kiln run in 2023, how many dollars were spent on coal?",
            "divide",
            "coal in 2023",
            "kiln run in 2023",
        ),
        ("Sales per kiln in 2023", "divide", "Sales in 2023", "kiln in 2023"),
        ("What is the total of freight and rent in 2023?", "add", "freight in 2023", "rent in 2023"),
        ("Compare rent of 2023 with that of 2022 - both amounts", "list", "rent of 2023", "rent of 2022"),
        ("Sales in 2023 excluding those in Peru", "subtract", "Sales in 2023", "what was sales of peru in 2023"),
    ],
)
def test_two_amounts_that_are_held_against_each_other_are_two_questions(text, operation, one, other):
    full = in_sides(text)
    assert full is not None and (full.operation, full.sides) == (operation, (one, other))


@pytest.mark.parametrize(
    ("asked", "operation", "text"),
    [
        ("how much more is that than R&D?", "subtract", "how much more was net income in 2024 than r&d in 2024"),
        ("how much more is that than R&D in percent?", "percentage_change", None),
        ("how much more was it than in 2023, in percent?", "percentage_change", None),
    ],
)
def test_what_was_told_is_held_against_something_in_money_or_in_percent(asked, operation, text):
    full = in_full(asked, [Asked("what was net income in 2024?")])
    assert full is not None and full.operation == operation and full.text == (text or full.text)


def test_a_long_name_of_a_line_is_one_where_it_is_a_label_word_by_word():
    long = "cost of products sold excluding amortization of intangible assets"
    (named,) = find_measures(f"what was {long} in 2024?")
    assert (named.name, named.said) == ("cost_of_revenue", long)


def test_of_a_line_that_is_asked_for_without_a_time_the_latest_alone_is_meant():
    rows = (("", "2024", "2023"), ("Net sales", "90", "80"), ("Net income", "9", "8"))
    facts = facts_of(*rows).values()
    lines = Lines([fact for fact in facts if fact.column and fact.period])
    new, old = (next(fact for fact in lines.facts if fact.value == value) for value in (90, 80))
    is_meant = timely(read_question("what were net sales?"), lines, is_first=True)
    assert is_meant([new]) and not is_meant([old]) and is_meant([new, old])
    assert timely(read_question("what were net sales in 2023?"), lines, is_first=True)([old])


@pytest.mark.parametrize("ending", ["", " Round your answer to two decimal places."])
def test_the_years_of_a_definition_are_no_two_times_that_are_asked_for(ending):
    means = "365 * (average accounts payable between FY2023 and FY2024) / FY2024 COGS"
    assert in_sides(f"What was DPO in 2024? DPO is defined as: {means}.{ending}") is None


@pytest.mark.parametrize("text", ["what were sales in 2023?", "unit cost 2023 (cost of sales divided by sales)"])
def test_a_question_for_one_amount_has_no_sides(text):
    assert in_sides(text) is None


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Can you tell me what sales were in 2023?", "what sales were in 2023?"),
        ("I'd like to know net income in 2023", "net income in 2023"),
        ("sales 2023 vs 2022 in dollars", "sales change 2023 from 2022 in dollars"),
        ("Has debt been reduced in 2023?", "did debt fall in 2023?"),
        ("sales 23 vs 22 - how much lower in $", "sales change 2023 from 2022 in dollars"),
        ("23 less 22 sales", "sales change 2023 from 2022"),
        ("sales q2 23 vs q2 22 - $ change", "sales change q2 2023 from q2 2022 in dollars"),
        ("sales 6 months 23 minus 6 months 22", "sales change 6 months 2023 from 6 months 2022"),
        ("sales this quarter minus same quarter 2022", "sales change this quarter from 2022"),
        ("sales ytd vs prior ytd, in $", "sales ytd from the year before, in dollars"),
        ("delta in sales 22-23", "change in sales 2022 - 2023"),
        ("sales end 23", "sales at the end of 2023"),
        ("how many shops owned and how many leased in 2023", "how many owned shops and how many leased shops in 2023"),
        ("how many hourly workers and how many salaried", "how many hourly workers and how many salaried workers"),
        ("dividends paid a share 2023", "dividends per share 2023"),
        ("operating lease liabilities in total, 2023", "total operating lease liabilities, 2023"),
        ("capex: how much less than in 2022", "capex: fell by how much than in 2022"),
        ("sales change in dollars and in % 2023", "sales change 2023 in dollars and in %"),
        ("(R&D + SG&A) / sales 23", "r&d plus sg&a as a percentage of sales 2023"),
        ("margin at Birch (operating)", "operating margin at Birch"),
        ("inventory turns 2023, cost of sales over year-end inventory", "inventory turns 2023 on closing balances"),
        ("payout: dividends paid over net income, 2023", "dividends paid over net income, 2023"),
        (
            "what was the net income of harrow tools , inc . in 2023?",
            "what was the net income of harrow tools in 2023?",
        ),
        (
            "what was the value of harrow parcel service inc . in 2023?",
            "what was the value of harrow parcel service in 2023?",
        ),
        ("service inc in 2023", "service income in 2023"),
        ("goodwill acquired as part of a purchase in 2023", "goodwill acquired in a purchase in 2023"),
    ],
)
def test_polite_and_roundabout_ways_of_asking_are_read_as_the_plain_one(text, plain):
    one, other = read_question(text), read_question(plain)
    assert (one.lower, one.calculation, one.kinds) == (other.lower, other.calculation, other.kinds)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (
            "How much do customers still owe Harrow at the end of 2023?",
            "how much accounts receivable did Harrow have at the end of 2023",
        ),
        ("money owed by customers at the end of 2023", "accounts receivable at the end of 2023"),
        ("how much did Harrow owe to its suppliers in 2023", "how much accounts payable did Harrow have in 2023"),
        (
            "how much more did it owe its suppliers in 2023 than in 2022",
            "how much more accounts payable did it have in 2023 than in 2022",
        ),
        ("unpaid supplier invoices at year end 2023", "accounts payable at year end 2023"),
        ("how much does it owe in total", "how much total liabilities does it have"),
        ("assets due within one year", "current assets"),
        ("short-term liabilities in 2023", "current liabilities in 2023"),
        ("what did its borrowings cost it in interest in 2023", "what was interest expense in 2023"),
        ("how much cash went out to buy other companies in 2023", "how much was spent on acquisitions in 2023"),
        ("how much debt did Harrow pay back in 2023", "how much repayments of debt did Harrow have in 2023"),
        ("what did Harrow earn from operations in 2023", "how much operating income did Harrow have in 2023"),
        ("how much did Harrow sell per worker in 2023", "how much revenue per employee did Harrow have in 2023"),
        ("how many cents of each sales dollar went to SG&A in 2023", "what percentage of sales was SG&A in 2023"),
        ("how fast did Harrow turn over its inventory in 2023", "what was the inventory turnover of Harrow in 2023"),
        ("how long do customers take to pay in 2023", "what was days sales outstanding in 2023"),
        ("undiluted EPS in 2023", "basic EPS in 2023"),
        ("diluted profit per share in 2023", "diluted earnings per share in 2023"),
        ("shares in issue at year end 2023", "shares outstanding at year end 2023"),
        ("good will at the end of 2023", "goodwill at the end of 2023"),
        ("accumulated OCI in 2023", "accumulated other comprehensive income in 2023"),
        ("List net sales for each of Harrow's reportable segments in 2023", "net sales by segments in 2023"),
        ("Operating earnings of the four segments in 2023", "Operating earnings by segments in 2023"),
        ("sales of each of the two segments in 2023", "sales by segments in 2023"),
        ("what did each segment earn in 2023", "what was operating income of each segment in 2023"),
        ("which segment is number one by sales in 2023", "which segment had the highest sales in 2023"),
        ("both net income and operating income in 2023", "net income and operating income in 2023"),
        (
            "how many percent did sales go up or down from 2022 to 2023",
            "how many percent did sales change from 2022 to 2023",
        ),
        ("total assets averaged over 2022 and 2023", "average total assets of 2022 and 2023"),
        ("operating income > interest expense in 2023?", "was operating income higher than interest expense in 2023"),
        (
            "were current assets bigger than current liabilities in 2023",
            "were current assets higher than current liabilities in 2023",
        ),
        (
            "did current liabilities stay below current assets in 2023",
            "was current liabilities lower than current assets in 2023",
        ),
        (
            "did it earn more from operations than it paid in interest in 2023",
            "was operating income higher than interest expense in 2023",
        ),
        ("current assets without inventories in 2023", "current assets minus inventories in 2023"),
        (
            "how much cash did the operations of Alder burn in 2023",
            "how much net cash used in operating activities in 2023",
        ),
        ("free cash burn in 2023", "free cash burn in 2023"),
        ("what did the tugs of Alder sell in Q2 2023", "what were sales of the tugs of alder in q2 2023"),
        (
            "is Birch a bigger seller than Alder in 2023",
            "were sales of birch higher than sales of alder in 2023",
        ),
        (
            "was the tug side bigger than the barge side by revenue in 2023",
            "was revenue of tug higher than revenue of barge in 2023",
        ),
        ("stock on hand at year end 2023", "inventories at year end 2023"),
        ("Alder Tugs - size of the operating loss in 2023", "alder tugs - the operating loss in 2023"),
        ("what did Alder contribute to operating profit in 2023", "what was operating profit of alder in 2023"),
        ("bills that customers haven't paid yet at year end 2023", "accounts receivable at year end 2023"),
        ("AR balance at year end 2023", "accounts receivable at year end 2023"),
        ("what did taxes cost Harrow in 2023", "what was income tax expense in 2023"),
        ("number of people working for Harrow", "how many employees"),
        ("how much did a diluted share earn in 2023", "what were the diluted earnings per share in 2023"),
        ("how much profit came from operations in 2023", "what was operating income in 2023"),
        ("how many percent of total assets are inventories", "what percentage of total assets are inventories"),
        ("segments' sales in 2023", "sales by segment in 2023"),
        ("all segments and their sales in 2023", "sales by segment in 2023"),
        ("how much of the sales came from each segment in 2023", "what were sales of each segment in 2023"),
        ("which segment contributed most to sales in 2023", "which segment had the most sales in 2023"),
        ("sales up or down from 2022 to 2023?", "did sales rise or fall from 2022 to 2023"),
        (
            "by what percentage were sales up or down from 2022 to 2023",
            "by what percentage did sales change from 2022 to 2023",
        ),
        (
            "was operating income in excess of interest expense in 2023",
            "was operating income higher than interest expense in 2023",
        ),
        (
            "how much do current assets exceed current liabilities",
            "what was current assets minus current liabilities",
        ),
        ("payments related to the redemption of notes in 2023", "payments for the redemption of notes in 2023"),
        ("how much cash did they sink into acquisitions in 2023", "how much did they spend on acquisitions in 2023"),
        ("how big is the unfunded part of the Harbour backlog in 2023", "what is the unfunded Harbour backlog in 2023"),
        ("revenue share of Marine Services in 2023", "what share of revenue was Marine Services in 2023"),
        ("Marine Services sales share 2023", "Marine Services share of sales 2023"),
        ("deduct inventories from current assets in 2023", "what is current assets minus inventories in 2023"),
        (
            "what is left of current assets after taking off inventories in 2023",
            "what is current assets minus inventories in 2023",
        ),
    ],
)
def test_what_is_said_in_everyday_words_is_read_as_the_name_that_reports_print(text: str, plain: str) -> None:
    one, other = read_question(text), read_question(plain)
    assert (one.lower, one.calculation, one.kinds) == (other.lower, other.calculation, other.kinds)


@pytest.mark.parametrize(
    "text",
    [
        "finance lease liabilities due within one year in 2023",
        "other short-term assets in 2023",
        "total sales of the segments in 2023",
        "which of the segments had the highest sales in 2023",
        "debt issuance costs in 2023",
        "by how much did sales exceed 2022",
        "did earnings beat expectations in 2023",
        "average outstanding borrowings in 2023",
        "outstanding borrowings under the credit facility in 2023",
        "is the good will of its customers at risk",
        "payments related to tax withholding in 2023",
    ],
)
def test_words_that_name_another_thing_stay_as_they_are(text: str) -> None:
    assert read_question(text).lower == text


def test_an_amount_is_asked_once_in_percent():
    assert not read_question("how much is that change in relation to this 2008 amount, in percentage?").several


def test_words_that_say_nothing_and_a_clause_ahead_are_left_out():
    asked = "Bonuses were paid in spring, so how much was presumably accrued in 2023?"
    assert [*plainer(asked)] == [asked.replace(" presumably", ""), "so how much was accrued in 2023?"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("r and d in 2024", "R&D in 2024"),
        ("sg and a in 2024", "SG&A in 2024"),
        ("pp and e at year end 2024", "PP&E at year end 2024"),
        ("sales h1 2024 v h1 2023", "sales h1 2024 versus h1 2023"),
        ("what was paid for acquisitions in 2024, net of cash acquired", "what was paid for acquisitions in 2024"),
        ("acquisitions, net of cash acquired, in 2024", "cash paid for acquisitions in 2024"),
        ("income tax expense in 2024, per the income tax note", "income tax expense in 2024"),
        ("pretax income in the US part of the business", "pretax income in the US"),
        ("total lease payments, undiscounted", "total lease payments"),
        ("lease payments before taking off imputed interest", "lease payments"),
    ],
)
def test_a_way_of_typing_is_read_as_what_it_stands_for(typed: str, meant: str) -> None:
    asked, full = read_question(typed), read_question(meant)
    assert (asked.named and asked.named[0].name, asked.open) == (full.named and full.named[0].name, full.open)


def test_a_note_in_which_something_is_told_divides_nothing() -> None:
    assert in_sides("pretax income in 2024, per the income tax note") is None
    assert in_sides("pretax income in 2024, per the number of stores") is not None


def test_accents_make_no_other_word() -> None:
    assert read_question("sales of Décor in 2024").core == read_question("sales of Decor in 2024").core


@pytest.mark.parametrize(
    ("typed", "read", "is_so"),
    [
        ("WIP", "work in process", True),
        ("BP", "bank of poland", True),
        ("BOP", "bank of poland", False),
        ("RSUs", "restricted stock unit", True),
        ("unrecognised", "unrecognized", True),
        ("auto", "automotive", True),
        ("store", "stores", False),
        ("inventry", "inventory", False),
    ],
)
def test_a_short_form_and_british_spelling_are_no_slips(typed: str, read: str, is_so: bool) -> None:
    assert is_written_otherwise(typed, read) == is_so


@pytest.mark.parametrize(
    ("time", "before"),
    [
        ("q1 2023", "q4 2022"),
        ("second quarter of 2023", "q1 2023"),
        *((time, "") for time in ("q2", "q1 and q2 2023", "q2 of 2023 and 2022", "the q2 2023 ended june 2023")),
    ],
)
def test_the_quarter_before_is_that_of_one_quarter_of_one_year(time: str, before: str) -> None:
    assert quarter_beside(time, -1) == before


@pytest.mark.parametrize(
    ("time", "held"),
    [
        ("june 2023 against december 2022", ("june 2023", "december 2022")),
        ("q1 2022 vs q1 2023", ("q1 2023", "q1 2022")),
        *((time, ()) for time in ("2023 against 2022", "q1 against q2 2023", "q1 2023 against q1 of 2022 and 2021")),
    ],
)
def test_parts_of_years_that_are_held_against_each_other_are_two_times(time: str, held: tuple[str, ...]) -> None:
    assert times_held(time) == held


# What a harbour prints: the words of its labels, a few of its sentences, its name, and what it says letters stand for.
HARBOUR = Printed(
    labels=lambda: (
        *("Orders received", "Installation services", "Gross tonnage", "Average draught", "Mooring fees"),
        *("Footwear sold at the quay", "Outlets"),
    ),
    has=lambda word: word.lower() in ("orders", "tonnage", "draught", "mooring", "fees", "harbourmaster", "pilotage"),
    names=("Tarnholm Harbours Inc.",),
    words=lambda word: [each for each in ("harbourmaster", "pilotage") if each[0] == word[0]],
    defined={"GRT": "gross tonnage"}.get,
)


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("tarnhlm mooring fees", "Tarnholm Harbours Inc. mooring fees"),
        ("GRT in 2024", "gross tonnage in 2024"),
        ("AD in 2024", "average draught in 2024"),
        ("waht is GT?", "what is gross tonnage?"),
        ("gs tonnage", "gross tonnage"),
        ("instal services in 2024", "installation services in 2024"),
        ("orders recd", "orders received"),
        ("recieved orders", "received orders"),
        ("what were Moorng fees?", "what were mooring fees?"),
        ("how mnay moorings?", "how many moorings?"),
        ("pilotge in 2024", "pilotage in 2024"),
        ("the harbormaster", "the harbourmaster"),
        ("invtry in 2024", "inventory in 2024"),
        ("exp of pilotage", "expense of pilotage"),
        ("federal NOL in 2024", "federal net operating loss in 2024"),
        ("shoes at the quay", "footwear at the quay"),
        ("drinks and outlets", "drinks and outlets"),  # of which none is printed, or they are themselves
        *((each, each) for each in ("XYZ in 2024", "fees of Mooring", "tonnage", "mooring fees, tarnholm")),
    ],
)
def test_words_that_a_report_has_nowhere_are_read_by_its_labels(typed: str, read: str) -> None:
    assert as_printed(typed, HARBOUR)[0] == read


def test_several_years_before_one_are_each_of_them() -> None:
    full = in_full("and the two years before that?", [Asked("what was revenue in 2024?")])
    assert full is not None and full.text == "what was revenue in 2023 and 2022"


def test_two_measures_over_years_are_each_asked_for() -> None:
    asked = read_question("total revenue and operating income from 2022 to 2024")
    assert [single.said for single in asked.several] == ["total revenue", "operating income"]


@pytest.mark.parametrize(
    ("question", "who"),
    [
        ("how did Acme do in 2023?", "of Acme in 2023"),
        ("how did Orders Inc. do in 2023?", "of Orders Inc. in 2023"),  # a name with a word of what is measured
        ("how did acme do last year?", "of acme last year"),
        ("how is it doing", ""),
        ("how did margins do?", None),
        ("how did sales do in 2023?", None),
        ("how many orders did Acme have?", None),
    ],
)
def test_how_a_company_did_is_a_question_for_its_main_figures(question: str, who: str | None) -> None:
    asked = main_figures(question)
    assert asked == question if who is None else asked.endswith(f"{language().main_figures} {who}".strip() + "?")


def test_a_word_is_as_near_as_its_nearest_place_and_numbers_and_words_of_grammar_are_none() -> None:
    assert distances("sales in 2023 of the north were", "and 5 of the south sales") == {
        "sale": 6.0,
        "north": 1.0,
        "south": 6.0,
    }
    assert distances("sales of the north and south were", "sales")["sale"] == 2.0


LARGEST = Asked("which segment had the highest sales in 2024?", "Saws")
BEST = Asked("which year had the highest sales?", "2022")
OF_TWO = Asked("net income in 2023"), Asked("dividends in 2023")
OF_YEARS = Asked("sales in 2022"), Asked("in 2023")
HIGHER = "which was higher?"


@pytest.mark.parametrize(
    ("earlier", "question", "full"),
    [
        ((Asked("what was revenue?", period="2024"),), "and the year before?", "what was revenue in 2023"),
        (
            (Asked("what was revenue?", period="FY2024"),),
            "how much did it grow?",
            "by how many percent did revenue rise in 2024",
        ),
        (
            (Asked("what was revenue?", period="2024"),),
            "and the two years before that?",
            "what was revenue in 2023 and 2022",
        ),
        ((Asked("what was revenue?", period="2024"),), "and costs?", "what was costs"),
        ((Asked("what was revenue?"),), "and the year before?", "what was revenue for the year before"),
        ((Asked("what was revenue in 2022?", period="2024"),), "and the year before?", "what was revenue in 2021"),
        (
            (Asked("what was revenue in the second quarter?", period="Q2 2024"),),
            "and the year before?",
            "what was revenue for the second quarter 2023",
        ),
        (
            (Asked("what was revenue?", period="2024"), Asked("and costs?", period="2023")),
            "and the year before?",
            "what was costs in 2022",
        ),
        ((LARGEST,), "and in 2023?", "what was sales of Saws in 2023"),
        ((LARGEST,), "what was its operating income?", "what was operating income of Saws in 2024"),
        ((LARGEST,), "how much did it grow?", "by how many percent did sales of Saws rise in 2024"),
        ((Asked(LARGEST.question),), "and in 2023?", "which segment had the highest sales in 2023?"),
        ((BEST,), "what was net income then?", "what was net income in 2022"),
        ((BEST,), "and the year before?", "what was sales in 2021"),
        ((*OF_TWO, Asked(HIGHER, "Dividends paid")), "and in 2022?", "what was dividends in 2022"),
        ((*OF_TWO, Asked(HIGHER, "net income")), "and in 2022?", "what was net income in 2022"),
        (
            (*OF_TWO, Asked(HIGHER, "dividends")),
            "by how much?",
            "how much more was dividends in 2023 than net income in 2023",
        ),
        ((*OF_YEARS, Asked(HIGHER, "2022")), "by how much?", "how much more was sales in 2022 than sales in 2023"),
        ((*OF_YEARS, Asked(HIGHER, "2022")), "and costs that year?", "what was costs in 2022"),
    ],
)
def test_a_question_goes_on_from_what_the_answer_before_named_and_when_it_was_of(earlier, question, full) -> None:
    made = in_full(question, earlier)
    assert made is not None and made.text == full


SAME = """
pct growth of sales 2nd quarter 2024 over 2nd quarter 2023 => percent growth of sales second quarter 2024 over second quarter 2023
sales growth vs same quarter a yr ago in % => sales growth vs same quarter a year ago in %
what was gross margin, in dollars, for the three months ended June 30, 2024 => what was gross profit for the three months ended June 30, 2024
For fiscal 2024, could you tell me gross profit as a percent of sales => for fiscal 2024, what was gross profit as a percent of sales
how many more people did they employ at June 30, 2024 than a year before => how much higher was headcount at June 30, 2024 than the year before
how many video customers did the Cable division lose in 2024 => by how much did video customers of the cable division fall in 2024
cash at June 30, 2024, and total debt at that date => cash at June 30, 2024, and total debt at June 30, 2024
net income in 2024 and sales of the Cable division that year => net income in 2024 and sales of the Cable division in 2024
did inventories more than double in 2024 => did inventories grow by more than 100% in 2024
valuation allowance against deferred tax assets in 2024 => deferred tax valuation allowance in 2024
how much higher were sales in Q2 2024 than in the same period of 2023 => how much higher were sales in Q2 2024 than in the Q2 2023
"""  # noqa: E501


@pytest.mark.parametrize("pair", SAME.strip().splitlines())
def test_what_is_put_in_other_words_is_read_the_same(pair: str) -> None:
    one, other = map(read_question, pair.split(" => "))
    assert (one.lower, one.named, one.years, one.calculation) == (
        other.lower,
        other.named,
        other.years,
        other.calculation,
    )


def test_pay_in_shares_is_no_share_and_sales_of_services_are_no_list() -> None:
    assert "share" not in read_question("what share-based payment expense was booked in 2024?").cues
    assert read_question("what was net sales of services in 2024?").kinds[0] == "number"
    assert read_question("what services does it sell?").kinds[0] == "names"
