"""Sentences say yes or no to a question by those of its words that they have, and by what denies them."""

import pytest

from tieout.ontology.asked.polarity import told_of_it

YES, NO = "yes", "no"


def said_by(question: str, words: str, *hits: tuple[str, float], years: tuple[int, ...] = (), same: str = ""):
    """What sentences say, each with the share of the words that it has together with what it stands under; same: words
    that say the same as the first of the words."""
    forms = [({word}, {*same.split()} if not at else set(), 1.0) for at, word in enumerate(words.split())]
    found = told_of_it(forms, question, years, [(number, text, around) for number, (text, around) in enumerate(hits)])
    return found and (*found[:2], round(found[2], 2))


FOUR, FIVE = "mill ulm closed strike", "mill ulm closed strike river"


@pytest.mark.parametrize(
    ("hits", "told"),
    [
        ((("The mill in Ulm was closed by a strike.", 1.0),), (YES, 0, 1.0)),
        ((("The mill in Ulm was not closed by a strike.", 1.0),), (NO, 0, 1.0)),
        ((("No strike closed the mill in Ulm.", 0.5),), (NO, 0, 1.0)),
        ((("The mill in Ulm was closed.", 0.9),), (YES, 0, 0.9)),  # the rest is in what it stands under
        ((("The mill in Ulm was closed.", 0.8),), (YES, 0, 0.49)),  # it may be another one
        ((("The mill was closed in spring.", 0.9),), None),
        ((("The mill in Ulm was not closed.", 0.1),), (NO, 0, 0.75)),
        ((("The mill was not closed.", 0.9),), (NO, 0, 0.9)),
        ((("The mill was not closed.", 0.5),), None),
        ((("The mill in Ulm may be closed by a strike.", 1.0),), None),
        ((("The mill in Ulm was reviewed when it closed by a strike.", 1.0),), None),
        ((("The strike was long, and it closed the mill in Ulm.", 1.0),), (YES, 0, 0.49)),  # by half of it alone
        ((("The mill in Ulm was closed.", 0.8), ("The mill in Ulm was closed by a strike.", 0.8)), (YES, 1, 1.0)),
        ((("The mill in Ulm was closed by a strike.", 0.8), ("The mill in Ulm was not closed.", 0.8)), (YES, 0, 1.0)),
        ((("The mill in Ulm was not closed.", 0.8), ("The mill in Ulm was closed by a strike.", 0.8)), (YES, 1, 1.0)),
    ],
)
def test_a_clause_says_so_by_its_share_of_the_words_of_a_question(hits, told) -> None:
    found = said_by("was the mill in ulm closed by a strike", FOUR, *hits)
    assert found == (told and (told[0], hits[told[1]][0], told[2]))


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("The mill was closed in 2023.", YES),
        ("The mill was closed in 2022.", None),
        ("The mill was closed.", None),  # nothing says when
        ("The mill was not closed.", NO),
        ("The mill was not closed in 2022.", None),
        ("The mill was not closed in 2022 and 2023.", NO),
        (f"The mill was closed in 2023{', as were others' * 200}.", None),
        ("There was no mill that was closed in 2023.", NO),
        ("Closed in 2023: the mill, which was not ours.", None),  # it is denied that it was theirs
    ],
)
def test_who_says_yes_says_when_and_who_says_no_need_not(sentence: str, told: str | None) -> None:
    found = said_by("was the mill closed in 2023", "mill closed", (sentence, 1.0), years=(2023,))
    assert (found and found[0]) == told


@pytest.mark.parametrize(
    ("question", "words", "sentence", "told"),
    [
        ("did exports to peru rise", "exports peru rise", "Exports to Peru rose 4%.", YES),
        ("did exports to peru rise", "exports peru rise", "Exports to Peru fell 4%.", NO),
        ("did exports to peru rise", "exports peru rise", "No exports to Peru rose.", NO),
        ("did exports to peru fall", "exports peru fall", "Exports to Peru fell 4%.", YES),
        ("did exports to peru rise", "exports peru rise", "Exports to Peru were large.", None),
        ("are the notes secured", "notes secured", "The notes are unsecured.", NO),
        ("are the notes unsecured", "notes unsecured", "The notes are not secured.", None),
        ("does it lease the docks", "lease docks", "It may lease the docks.", None),
        ("may it lease the docks", "lease docks", "It may lease the docks.", YES),
        ("has it agreed to lease docks", "agreed lease docks", "It agreed to lease the docks, which will open.", YES),
        ("were losses material", "losses material", "Losses were not material.", NO),
        ("were there losses", "losses", "Losses were not material.", None),
        ("is a union at the docks", "union docks", "There is zero union presence at the docks.", NO),
        ("is a union at the docks", "union docks", "A union is at the docks.", YES),
        ("is a union at the docks", "union docks", "A union is at the docks, not at sea.", None),
        ("is a union at the docks", "union docks", "No union is at the docks, not in any way.", NO),
        ("is a union at the docks", "union", "A union is at the docks.", None),  # one word stands in many sentences
    ],
)
def test_what_moved_the_other_way_is_denied_and_what_may_be_is_not_said(question, words, sentence, told) -> None:
    found = said_by(question, words, (sentence, 1.0))
    assert (found and found[0]) == told
