"""Self-play: conversations from tags, what was misread in them, and which names are taken for it."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from click.testing import CliRunner
from filed import write

import tieout
from tieout.eval.selfplay import play
from tieout.eval.selfplay.asking import BACK, DOUBTED, RIGHT, SILENT, WRONG, Said, answers, ask
from tieout.eval.selfplay.blame import FOLLOWS, blame
from tieout.eval.selfplay.conversations import Asked, Wording, make_conversations, probe
from tieout.eval.selfplay.judging import judge
from tieout.eval.selfplay.proposing import Proposal, house_file, propose
from tieout.eval.selfplay.truth import Truth, read_truth

NET, TAXES = "us-gaap:NetIncomeLoss", "us-gaap:IncomeTaxExpenseBenefit"


@pytest.fixture(scope="module")
def truths(tmp_path_factory: pytest.TempPathFactory) -> list[Truth]:
    return [read_truth(path) for path in write(tmp_path_factory.mktemp("filings"), "brightmoor", "castellan")]


def renamed(truth: Truth, name: str, concept: str, label: str) -> Truth:
    """The same filing of another company, which prints a concept by another label."""
    rows = tuple(replace(row, label=label) if row.concept == concept else row for row in truth.rows)
    return replace(truth, company=name, path=truth.path.with_name(f"{name}.htm"), rows=rows)


def test_the_same_filings_give_the_same_conversations_with_golds_of_their_tags(truths: list[Truth]) -> None:
    made = list(make_conversations(truths, Wording.of(truths)))
    assert made == list(make_conversations(truths, Wording.of(truths)))
    turns = [turn for conversation in made for turn in conversation.turns]
    assert {turn.gold for turn in turns if turn.kind == "not there"} == {None}
    kinds = {"look-up", "slip", "other period", "other measure", "other company", "pronoun", "nested", "metric"}
    assert kinds <= {turn.kind for turn in turns}
    for beside in (each for each in made if len(each.docs) == 2):
        mine, yours, difference = (turn.gold or Decimal(0) for turn in beside.turns)
        assert abs(mine - yours) == abs(difference)


def test_a_label_that_names_two_measures_or_a_place_in_a_table_is_nobodys_wording(truths: list[Truth]) -> None:
    other = renamed(truths[1], "Other", TAXES, "Levies on our income")
    assert [label for label, _ in Wording.of([truths[0], other]).labels[TAXES].values()][-1] == "Levies on our income"
    assert Wording.of([truths[0], other]).of_others(truths[0], TAXES) == ["Levies on our income"]
    both = renamed(other, "Both", NET, "Levies on our income")
    assert not Wording.of([truths[0], other, both]).of_others(truths[0], TAXES)
    placed = renamed(other, "Placed", TAXES, "Income taxes, beginning of year")
    assert not Wording.of([truths[0], placed]).of_others(truths[0], TAXES)


def turned(truth: Truth, text: str, number: str | None, **more: object) -> Said:
    gold = truth.amount("us-gaap:OperatingIncomeLoss", 2024)
    known = {"measure": "operating_income", "said": "operating income", "year": 2024}
    asked = Asked(truth.doc, "look-up", "What was operating income?", gold, **(known | more))  # type: ignore[arg-type]
    return Said("1", 0, asked, WRONG if number else BACK, text, None if number is None else Decimal(number))


def test_what_was_misread_is_told_by_what_the_tags_say_of_the_answer(truths: list[Truth]) -> None:
    truth, gold = truths[0], truths[0].amount("us-gaap:OperatingIncomeLoss", 2024)
    assert gold is not None
    before = str(truth.amount("us-gaap:OperatingIncomeLoss", 2023))
    theirs = str(truths[1].amount("us-gaap:OperatingIncomeLoss", 2024))
    taxes = str(truth.amount(TAXES, 2024))

    def found(said: Said, *earlier: Said) -> str:
        return blame(said, earlier, truth, truths)

    assert found(turned(truth, "x", before)) == "period"
    assert found(turned(truth, "x", theirs)) == "company"
    assert found(turned(truth, "x", taxes)) == "other line of the same statement"
    assert found(turned(truth, "x", str(gold / 1000))) == "scale"
    assert found(turned(truth, "yes", None)) == "form of the question"
    assert found(turned(truth, "nothing accounts for 'operating'", None)) == "asked back: measure"
    assert found(turned(truth, "x", "-12", is_signed=True, parts=(gold,))) == "figure of a calculation"
    wrong = turned(truth, "x", before)
    later = replace(wrong, asked=replace(wrong.asked, kind="pronoun"), turn=1)
    assert found(later, wrong) == FOLLOWS
    nothing = replace(wrong, asked=replace(wrong.asked, gold=None))
    assert found(nothing) == "not there, and answered"


def test_only_names_by_which_others_gain_and_none_loses_are_kept(truths: list[Truth], tmp_path: Path) -> None:
    own = [renamed(truths[0], name, TAXES, "Levies on our income") for name in ("One", "Two")]
    helps, harms, idle = (
        Proposal("income_tax", ("levies on our income",), TAXES),
        Proposal("net_income", ("what is left at last",), NET),
        Proposal("revenue", ("all that came in",), "us-gaap:Revenues"),
    )
    conversations = list(make_conversations(truths[1:], Wording.of(truths[1:])))[:1]
    tries: list[str] = []

    def asked(wanted, house):
        names = house.read_text(encoding="utf-8") if house else ""
        tries.append(names)
        for conversation in wanted:
            (turn,) = conversation.turns
            is_named = any(label in names and label in turn.text for label in (*helps.labels, *harms.labels))
            is_worse = turn.kind != "probe" and "what is left" in names
            outcome = DOUBTED if is_named else SILENT if is_worse else BACK if turn.kind == "probe" else RIGHT
            yield Said(conversation.id, 0, turn, outcome, "", used=(("What is left at last", Decimal(1)),))

    said = list(asked(conversations, None))
    trial = judge([helps, harms, idle], [truths[0]], [truths[1]], conversations, said, asked, tmp_path / "tried.toml")
    assert [each.proposal for each in trial.kept] == [helps]
    assert {each.proposal.name: bool(each.lost) for each in trial.verdicts} == {
        "income_tax": False,
        "net_income": True,
        "revenue": False,
    }
    assert tries[-1] == house_file([helps]) and not trial.changed
    assert helps in propose(own, Wording.of(own), 40)


def test_the_command_tells_rates_what_was_misread_and_writes_all_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    truths = [read_truth(path) for path in write(tmp_path, "brightmoor", "castellan", length=28_000)]
    monkeypatch.setattr(play, "ask", lambda task, stop=None: list(answers(task)))
    first = list(make_conversations(truths, Wording.of(truths)))
    monkeypatch.setattr(play, "make_conversations", lambda *_: first[:12])
    out = tmp_path / "all.jsonl"
    arguments = ["eval", "selfplay", *(str(each.path) for each in truths), "--proposals", "0", "-o", str(out)]
    done = CliRunner().invoke(tieout.main, [*arguments, "--work", str(tmp_path / "work")], catch_exceptions=False)
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert all(len(line) <= 80 for line in lines) and "What was misread, of the turns that are not right" in lines
    assert next(line for line in lines if line.startswith("all ")).split()[1] == str(
        sum(len(c.turns) for c in first[:12])
    )
    assert b"</ix:nonFraction" not in (tmp_path / "work" / "pages" / "brightmoor.htm").read_bytes()
    assert '"outcome": "right"' in out.read_text(encoding="utf-8")


def test_a_name_of_a_house_file_is_known_in_the_process_that_is_asked(truths: list[Truth], tmp_path: Path) -> None:
    truth = truths[0]
    (page,) = write(tmp_path, "brightmoor", length=28_000)
    asked = probe(truth, "us-gaap:OperatingIncomeLoss", "mill yields")
    assert asked.gold == truth.amount("us-gaap:OperatingIncomeLoss", 2024)
    (conversation,) = [play.Conversation("1", (truth.doc,), (asked,))]
    proposal = Proposal("operating_income", ("mill yields",), "us-gaap:OperatingIncomeLoss")
    (tmp_path / "house.toml").write_text(house_file([proposal]), encoding="utf-8")
    assert tomllib.loads(proposal.lines) == {"operating_income": {"labels": ["mill yields"]}}
    task = play.Task((page,), (conversation,), tmp_path / "store", str(tmp_path / "house.toml"))
    assert [each.is_right for each in (*ask(task), *answers(replace(task, house="")))] == [True, False]
