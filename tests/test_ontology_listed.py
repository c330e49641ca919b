"""Questions for the names of several, and the sentences that name them."""

import pytest

from tieout.ontology.asked.listed import likeliest, names_alone, names_asked, names_in


@pytest.mark.parametrize(
    ("question", "called", "many"),
    [
        ("what are hazel's operating segments", "segments", 0),
        ("name the five divisions it had in 2018", "divisions", 5),
        ("which three countries made most of its shoes", "countries", 3),
        ("in which product categories did sales fall", "categories", 0),
        ("give the group's four lines of business", "lines", 4),
        ("who are its largest customers", "customers", 0),
        ("name the 12 mills", "mills", 12),
        ("which 2023 mills closed", "mills", 0),
        ("which 120 mills closed", "mills", 0),
    ],
)
def test_who_asks_for_names_says_of_what_and_how_many(question: str, called: str, many: int) -> None:
    listed = names_asked(question)
    assert listed is not None and (listed.called, listed.many) == (called, many)


@pytest.mark.parametrize(
    "question",
    [
        "what were net sales in 2024",
        "what were restructuring charges in 2024",
        "what is the name of the auditor",
        "list net sales by year",
        "give me the berth fees for 2024",
        "which years were the best",
        "what percentages of sales came from abroad",
        "how many segments are there",
    ],
)
def test_amounts_and_times_are_no_names(question: str) -> None:
    assert names_asked(question) is None


def test_names_that_are_asked_for_with_a_figure_are_not_told_alone() -> None:
    assert names_alone("list the customers with their shares of revenue") is None
    assert names_alone("list the customers above 10% of revenue") is not None


@pytest.mark.parametrize(
    ("question", "sentence", "names"),
    [
        ("what are its segments", "We have two segments: Paper; Board.", ("Paper", "Board")),
        ("what are its segments", "We have two segments: Paper, Board; both grew.", ("Paper", "Board")),
        (
            "what are its segments",
            "Segments: (1) Paper, (2) Board Mills and (3) Wire.",
            ("Paper", "Board Mills", "Wire"),
        ),
        ("what are its segments", "The segments Paper, Board and Wire grew.", ("Paper", "Board", "Wire")),
        (
            "what are its segments",
            "We have four operating segments: Paper, Board Mills, Bulk Goods and Services.",
            ("Paper", "Board Mills", "Bulk Goods", "Services"),
        ),
        (
            "what are its segments",
            "The segments are Industrial, Safety and Labels, Health, Wire and Energy, and Home.",
            ("Industrial", "Safety and Labels", "Health", "Wire and Energy", "Home"),
        ),
        (
            "which departments grew",
            "In 2023, two of our 14 departments—Paint and Lumber & Tools—posted higher sales.",
            ("Paint", "Lumber & Tools"),
        ),
        (
            "what markets does it sell into",
            "We sell into three end markets: industrial, personal electronics, and other.",
            ("industrial", "personal electronics", "other"),
        ),
        (
            "what are the four segments",
            "We manage four segments: U.S. Cards (USC); Loans (LN); Cards Abroad; and Trade and Custody.",
            ("U.S. Cards", "Loans", "Cards Abroad", "Trade and Custody"),
        ),
        (
            "what segments are there",
            "We have two segments that we manage as units of their own, Consumer Group and Business Group.",
            ("Consumer Group", "Business Group"),
        ),
        (
            "which banks lend to it",
            "We sold notes to Chase, HSBC and Bank of Ulm, our banks.",
            ("Chase", "HSBC", "Bank of Ulm"),
        ),
        (
            "which three countries make its shoes",
            "Factories in Peru, Norway and Spain made 49%, 23% and 21% of our shoes.",
            ("Peru", "Norway", "Spain"),
        ),
    ],
)
def test_a_sentence_names_what_is_asked_for_one_by_one(question: str, sentence: str, names: tuple[str, ...]) -> None:
    listed = names_asked(question)
    assert listed is not None
    found = names_in(listed, sentence)
    assert found is not None and found.names == names


@pytest.mark.parametrize(
    ("question", "sentence", "is_counted"),
    [
        ("which banks lend to it", "Chase and HSBC, our two banks, were paid.", True),
        ("which banks lend to it", "Chase and HSBC, our banks, were paid.", False),
        ("which two banks lend to it", "Chase and HSBC, our banks, were paid.", True),
        ("which banks lend to it", "Of our two banks, one of which is small, Chase and HSBC lent most.", True),
        ("which banks lend to it", "Of our three banks, one of which is small, Chase and HSBC lent most.", None),
        (
            "which banks lend to it",
            "We have two banks that we deal with in all of the places that we sell in, and Chase and HSBC are big.",
            None,
        ),
        ("which banks lend to it", "Chase and HSBC, with whom we had dealt for years, are two banks.", None),
        ("what are its segments", "We have two segments: Paper; Board; and Wire.", False),
        ("what are its segments", "Our segments are Paper, board goods and 4 others.", None),
        (
            "what are its segments",
            "Our segments are paper, goods that we make for people in all of the world, and wire.",
            None,
        ),
        ("which countries make its shoes", "We make shoes in Peru, Norway and Spain.", False),
        ("which three countries make its shoes", "We make shoes in Peru, Norway and Spain.", True),
        ("which countries make its shoes", "We make shoes for Dell, HP and Lenovo.", None),
    ],
)
def test_names_are_counted_where_the_question_or_what_stands_near_them_says_how_many(question, sentence, is_counted):
    listed = names_asked(question)
    assert listed is not None
    found = names_in(listed, sentence)
    assert (found and found.is_counted) == is_counted


@pytest.mark.parametrize(
    "sentence",
    [
        "The segments are managed separately, and have their own staff.",
        "Sales of all segments rose, as Paper did.",
        "We have four segments: Paper, Board and Services.",
    ],
)
def test_a_sentence_that_names_others_or_not_as_many_is_left(sentence: str) -> None:
    listed = names_asked("what are its four segments")
    assert listed is not None and names_in(listed, sentence) is None


def test_the_sentence_that_says_how_many_there_are_comes_before_one_that_names_some() -> None:
    listed = names_asked("what are its segments")
    assert listed is not None
    some, all_ = "Segments include Paper and Board.", "It has three segments: Paper, Board and Wire."
    found = likeliest(listed, [(1, some, 1.0), (2, all_, 0.95)])
    assert found is not None and found[1] == all_ and found[0].is_counted
    assert names_in(listed, some).is_open  # type: ignore[union-attr]
