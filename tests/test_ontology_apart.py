"""A question for several things is taken apart into complete ones."""

import pytest

from tieout.ontology.asked.apart import taken_apart

TIMES = {
    "rent expense excluding executory costs: fy19 and fy17?": (
        "rent expense excluding executory costs fiscal {}",
        "2019",
        "2017",
    ),
    "what did Kestrel lose in 2023, and 2022?": ("what did Kestrel lose in {}", "2023", "2022"),
    "sales to Peru 2021, 2020 and 2019": ("sales to Peru {}", "2021", "2020", "2019"),
    "equity ratio at the end of june 2022 and one year before": ("equity ratio at the end of june {}", "2022", "2021"),
    "days of inventory at the end of 2023 vs a year earlier?": ("days of inventory at the end of {}", "2023", "2022"),
    "fair value of the notes at the end of 2017 and of 2016": (
        "fair value of the notes at the end of {}",
        "2017",
        "2016",
    ),
    "dyeing sales, three months ended june 30, 2022 and june 30, 2021?": (
        "dyeing sales three months ended june 30, {}",
        "2022",
        "2021",
    ),
    "mask sales (inside safety), 2022 vs 2021": ("mask sales {}", "2022", "2021"),
    "stores at year-end 2023 vs 2022": ("stores at year-end {}", "2023", "2022"),
    "rent in q2 2023 and in the first half": ("rent {} 2023", "in q2", "in the first half"),
    "Rent, quarter and six months": ("Rent {}", "quarter", "six months"),
    "Rent q2 and h1 2023": ("Rent {} 2023", "q2", "h1"),
    "stores at June 30 and at year end": ("stores at {}", "June 30", "the beginning of the year"),
    "gross margin in q1 and q2 2023": ("gross margin {} 2023", "in q1", "q2"),
}
PARTS = {
    "split Q2 2023 sales by region (asia, europe)": ("Q2 2023 sales of asia", "Q2 2023 sales of europe"),
    "split of 2023 sales: vans and parts, used cars, services and other": (
        "2023 sales of vans and parts",
        "2023 sales of used cars",
        "2023 sales of services and other",
    ),
    "restructuring in 2023: how much sits in cost of sales, in R&D, and in SG&A?": (
        "restructuring in 2023: how much sits in cost of sales",
        "restructuring in 2023: how much sits in R&D",
        "restructuring in 2023: how much sits in SG&A",
    ),
    "asia sales growth in fy19 as reported and excluding currency?": (
        "asia sales growth in fiscal 2019 as reported",
        "asia sales growth in fiscal 2019 excluding currency",
    ),
    "number of customers at the end of June 2025 and average revenue per customer for Q2 2025?": (
        "number of customers at the end of June 2025",
        "average revenue per customer for Q2 2025",
    ),
    "fair value of long-term debt in 2021 against its book value?": (
        "fair value of long-term debt in 2021",
        "book value of long-term debt 2021",
    ),
    "gross unfavorable adjustments in 2023, and the net figure?": (
        "gross unfavorable adjustments in 2023",
        "net adjustments in 2023",
    ),
    "which company bought the dye works and what gain did they book on it?": (
        "which company bought the dye works",
        "what gain did they book on the dye works",
    ),
    "which company bought the dye works and what gain did they book on the dye works?": (
        "which company bought the dye works",
        "what gain did they book on the dye works",
    ),
    "in 2023, how many shares did they buy and at what average price?": (
        "how many shares did they buy 2023",
        "at what average price in 2023 did they buy shares",
    ),
    "lease cost in 2023, and capex too?": ("lease cost in 2023", "capex 2023"),
    "net income in 2023 and goodwill at the end of it?": ("net income in 2023", "goodwill at the end of 2023"),
}
ONE = (
    "allowance against deferred tax assets in 2023",
    "sales through shops in fiscal 2019, whole company",
    "and in that year, what was the lease expense?",
    "total capex of 2023 and 2022 combined",
    "how much did sales grow in 2023 versus 2022?",
    "the difference between sales in 2023 and 2022",
    "cash and cash equivalents in 2023",
    "which is higher, sales of Asia and Peru or those of Europe?",
)


@pytest.mark.parametrize("question", TIMES)
def test_a_question_for_several_times_is_one_for_each(question: str) -> None:
    text, *times = TIMES[question]
    assert taken_apart(question)[0].texts == tuple(text.format(time) for time in times)


@pytest.mark.parametrize("question", PARTS)
def test_a_question_for_several_things_is_one_for_each_with_what_it_leaves_out(question: str) -> None:
    assert taken_apart(question)[0].texts == PARTS[question]


def test_each_of_several_things_is_asked_at_each_of_several_times() -> None:
    ways = taken_apart("interest paid and dividends paid, 2023 and 2022?")
    assert ways[0].texts == ("interest paid and dividends paid 2023", "interest paid and dividends paid 2022")
    assert ways[1].texts == ("interest paid 2023", "interest paid 2022", "dividends paid 2023", "dividends paid 2022")


@pytest.mark.parametrize("question", ONE)
def test_what_is_made_of_several_is_one_thing(question: str) -> None:
    assert taken_apart(question) == ()
