"""What runs come to: slices, summaries, calibration, comparisons, samples, errata."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from decimal import Decimal

import pytest
from conftest import SAMPLE
from eval_runs import Student, run

from tieout.agent.protocol.message import Usage
from tieout.data.document import Gold
from tieout.data.readers.read import read_conversations, read_files
from tieout.eval.gold.errata import ErrataError, read_errata
from tieout.eval.gold.program import parse
from tieout.eval.gold.slices import DIMENSIONS, LAYER, band, company, evidence
from tieout.eval.run.manifest import RunError
from tieout.eval.run.sample import Selection, read_ids, stratified
from tieout.eval.score.compare import by_slice as pairs_by_slice
from tieout.eval.score.compare import comparison, counts, flips, interval, pairs
from tieout.eval.score.paired import Paired, bootstrap, paired
from tieout.eval.score.result import Result
from tieout.eval.score.score import RULES, Rule
from tieout.eval.score.summary import (
    by_slice,
    calibration,
    calibration_error,
    changed,
    conversation_rate,
    rates,
    summary,
    turn_rate,
)

ASK = SAMPLE / "ask.json"


def result(right: bool = True, conversation: str = "a", turn: int = 0, **more) -> Result:
    base = Result(
        conversation=conversation,
        turn=turn,
        question="?",
        outcome="answer",
        answer=Decimal(1),
        text="1",
        program="1",
        gold=Gold(answer=Decimal(1 if right else 2), program="1"),
        right=dict.fromkeys(RULES, right),
        program_right=right,
        slices=dict.fromkeys(DIMENSIONS, "x"),
        check_score=None,
        ungrounded=0,
        flags=(),
        model_calls=1,
        tool_calls=2,
        usage=Usage(input=10, output=1),
        usd=Decimal("0.01"),
        seconds=0.5,
    )
    return replace(base, **more)


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    runs = tmp_path_factory.mktemp("results")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tieout.eval.run.work.make_backend", lambda name: Student(ASK))
        return run(runs, ASK)


def test_every_turn_is_in_one_slice_of_every_dimension(done):
    groups = by_slice(done.results)
    assert set(groups) == set(DIMENSIONS) - {LAYER}
    for dimension, slices in groups.items():
        assert sum(map(len, slices.values())) == len(done.results), dimension
    assert set(groups["kind"]) == {"look-up", "program"}
    assert set(groups["grounding"]) == {"grounded", "ungrounded"}
    assert {"first turn", "all right", "one wrong"} == set(groups["earlier turns"])
    assert {"table", "text"} <= set(groups["evidence"])
    assert len(groups["company"]) > 5


def test_a_conversation_is_right_when_all_its_turns_are():
    turns = [result(True, "a", 0), result(False, "a", 1), result(True, "b", 0), result(True, "b", 1)]
    assert (conversation_rate(turns, Rule.MAIN).hits, conversation_rate(turns, Rule.MAIN).n) == (1, 2)
    assert turn_rate(turns, Rule.MAIN).hits == 3


def test_a_conversation_that_was_cut_short_counts_by_its_turns_alone():
    turns = [result(True, "a"), result(True, "b", finished=False)]
    assert (conversation_rate(turns, Rule.MAIN).n, turn_rate(turns, Rule.MAIN).n) == (1, 2)


def test_no_answer_is_wrong_and_counted_as_an_outcome_of_its_own():
    refused = result(False, turn=1, outcome="refusal", answer=None, text=None, program_right=None)
    numbers = summary([result(), refused], {})
    assert numbers["strict"] == 0.5 and numbers["strict_n"] == 2
    assert numbers["outcomes"] == {"answer": 1, "refusal": 1} and numbers["answered"] == 1
    assert numbers["program_n"] == 1


def test_suspect_golds_are_scored_with_and_without():
    numbers = summary([result(True, "a", 0), result(False, "a", 1)], {("a", 1): "adds apples to pears"})
    assert numbers["suspect"] == 1
    assert (numbers["strict"], numbers["strict_n"]) == (0.5, 2)
    assert (numbers["without_errata"]["strict"], numbers["without_errata"]["strict_n"]) == (1.0, 1)


def test_unlabelled_turns_have_outcomes_and_no_rate():
    numbers = summary([result(gold=None, right={}, program_right=None)], {})
    assert numbers["n"] == 0 and numbers["strict"] is None and numbers["turns"] == 1
    assert numbers["strict_low"] is None and numbers["calibration_error"] is None


def test_cost_is_unknown_when_one_price_is():
    assert summary([result(), result(turn=1)], {})["usd"] == Decimal("0.02")
    assert summary([result(), result(turn=1, usd=None)], {})["usd"] is None
    assert summary([result(), result(turn=1)], {})["tokens"]["input"] == 20


def test_repeats_give_mean_spread_and_the_turns_that_changed():
    turns = [result(True, repeat=1), result(False, repeat=2, answer=Decimal(3)), result(True, "b", repeat=1)]
    turns.append(result(True, "b", repeat=2))
    numbers = summary(turns, {})
    assert numbers["strict_n"] == 2 and numbers["strict"] == 1.0
    assert numbers["strict_mean"] == 0.75 and round(numbers["strict_spread"], 4) == 0.3536
    assert numbers["changed"] == [["a", 0]] == [list(key) for key in changed(turns)]


def test_the_calibration_error_is_the_mean_gap_weighted_by_band():
    sure = [result(True, turn=number, probability=0.95) for number in range(9)]
    sure.append(result(False, turn=9, probability=0.95))
    unsure = [result(True, turn=20, probability=0.15), result(False, turn=21, probability=0.15)]
    bands = calibration([*sure, *unsure])
    assert [(band.low, band.high, round(band.mean, 2), band.right.hits, band.right.n) for band in bands] == [
        (0.1, 0.2, 0.15, 1, 2),
        (0.9, 1.0, 0.95, 9, 10),
    ]
    assert calibration_error(bands) == pytest.approx((2 * 0.35 + 10 * 0.05) / 12)


def test_names_of_slices():
    assert company("Single_ORRIS/2007/page_61.pdf-1") == "ORRIS"
    assert company("anything") == "anything"
    assert [band(each) for each in (None, 0.0, 0.39, 0.4, 1.0)] == [
        "none", "0 to 20%", "20 to 40%", "40 to 60%", "80 to 100%",
    ]  # fmt: skip
    tables, text = {Decimal(1), Decimal(2)}, {Decimal(2), Decimal(3)}
    places = {"1": "table", "2": "table", "3": "text", "add(1, 3)": "both", "4": "elsewhere", "const_2": "constants"}
    assert {program: evidence(parse(program), tables, text) for program in places} == places


def test_rates_name_every_rule_with_its_count_and_interval():
    numbers = rates([result(True), result(False, turn=1)])
    for name in ("strict", "main", "lenient", "strict_conversations", "main_conversations", "program"):
        assert 0 <= numbers[f"{name}_low"] <= numbers[name] <= numbers[f"{name}_high"] <= 1
        assert numbers[f"{name}_n"] in (1, 2)


def test_mcnemar_is_the_exact_binomial_test():
    # Worked by hand: with 1 turn lost and 9 gained, 2 * (C(10,0) + C(10,1)) / 2^10.
    assert Paired(n=100, first=50, second=58, gained=9, lost=1).p_value == 2 * 11 / 1024
    assert Paired(n=100, first=50, second=50, gained=4, lost=4).p_value == 1.0
    assert Paired(n=100, first=50, second=50, gained=0, lost=0).p_value == 1.0


def test_the_bootstrap_interval_holds_the_difference_and_is_the_same_every_time():
    groups = {f"c{number}": [(False, number % 3 == 0), (True, True)] for number in range(60)}
    low, high = bootstrap(groups)
    assert (low, high) == bootstrap(dict(reversed(groups.items())))
    assert low < 20 / 120 < high
    assert low > 0.1 and high < 0.24
    assert bootstrap({"a": [(True, True)], "b": [(False, False)]}) == (0.0, 0.0)


def test_pairs_count_both_ways():
    each = paired([(True, True), (True, False), (False, True), (False, True), (False, False)])
    assert (each.n, each.first, each.second, each.gained, each.lost) == (5, 2, 3, 2, 1)
    assert each.difference == pytest.approx(0.2)


def test_a_run_compared_with_itself_differs_in_nothing(done):
    numbers = comparison(done, done)
    for rule in RULES:
        assert numbers[rule]["difference"] == 0 == numbers[rule]["low"] == numbers[rule]["high"]
        assert numbers[rule]["p_value"] == 1 and not numbers[rule]["gained"] and not numbers[rule]["lost"]


def test_flips_are_those_of_the_turns_that_changed(done):
    turned = {each.key for each in done.results[:7]}
    other = replace(
        done,
        results=tuple(
            replace(each, right={rule: not hit for rule, hit in each.right.items()}) if each.key in turned else each
            for each in done.results
        ),
    )
    found = pairs(done, other)
    gained, lost = flips(found, Rule.MAIN)
    assert {after.key for _, after in [*gained, *lost]} == turned
    each = counts(found, Rule.MAIN)
    assert each.difference == pytest.approx((len(gained) - len(lost)) / len(done.results))
    low, high = interval(found, Rule.MAIN)
    assert low <= each.difference <= high
    assert sum(part.gained for part in pairs_by_slice(found, Rule.MAIN)["kind"].values()) == len(gained)


def test_runs_without_a_turn_in_common_or_with_other_golds_are_not_compared(done):
    empty = replace(done, results=())
    with pytest.raises(RunError, match="no labelled turn in common"):
        pairs(done, empty)
    first = done.results[0]
    relabelled = replace(first, gold=first.gold.model_copy(update={"answer": Decimal(4711)}))
    with pytest.raises(RunError, match="another gold label"):
        pairs(done, replace(done, results=(relabelled, *done.results[1:])))


def test_a_sample_keeps_the_shares_of_its_strata_and_a_seed_repeats_it():
    strata = {
        f"{letter}{number}": letter for letter, count in (("a", 60), ("b", 30), ("c", 10)) for number in range(count)
    }
    drawn = stratified(strata, 20, seed=1)
    assert Counter(name[0] for name in drawn) == {"a": 12, "b": 6, "c": 2}
    assert drawn == stratified(dict(reversed(strata.items())), 20, seed=1)
    assert drawn != stratified(strata, 20, seed=2)
    assert len(stratified(strata, 1000, seed=1)) == 100


def test_a_selection_is_in_the_order_of_the_files_and_knows_its_ids(tmp_path):
    files = [SAMPLE / "train.json", ASK]
    names = [each.id for each in read_files(files) if each.questions]
    drawn = list(Selection(size=12, seed=3).choose(read_files(files)))
    assert len(drawn) == 12 and drawn == [name for name in names if name in drawn]
    assert list(Selection(limit=4).choose(read_files(files))) == names[:4]
    listed = tmp_path / "ids.txt"
    listed.write_text(f"# two of them\n{names[5]}\n\n{names[2]}\n")
    assert list(Selection(ids=read_ids(listed)).choose(read_files(files))) == [names[2], names[5]]
    with pytest.raises(RunError, match="no conversation 'nowhere'"):
        Selection(ids=frozenset({"nowhere"})).choose(read_files(files))
    listed.write_text(f"{names[2]}\n{names[5]}\n", encoding="utf-8-sig")
    assert list(Selection(ids=read_ids(listed), limit=1).choose(read_files(files))) == [names[2]]
    with pytest.raises(RunError, match="no conversation 'nowhere' in the files; 1 of the ids"):
        Selection(ids=read_ids(listed) | {"nowhere"}, limit=1).choose(read_files(files))
    listed.write_text("\n")
    with pytest.raises(RunError, match="holds no id"):
        read_ids(listed)


def test_errata_name_turns_of_real_reports_with_a_reason(shared):
    known = {
        each.id: len(each.questions)
        for name in ("dev_open", "train_100")
        for each in read_conversations(shared / f"{name}.json")
    }
    errata = read_errata()
    assert len(errata) >= 20
    for (conversation, turn), reason in errata.items():
        assert turn < known[conversation] and len(reason) > 10


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[", "are no TOML"),
        ("a = 1", "has to be a table"),
        ("[a]\nb = 'x'", "needs a turn number"),
        ("[a]\n1 = ''", "a reason"),
        ("[a]\n01 = 'x'\n1 = 'y'", "'01' needs a turn number .* without leading zeros"),
        ("[a]\n1000000 = 'x'", "needs a turn number"),
        (f"[a]\n{'1' * 5000} = 'x'", r"'1+\.\.\.1+' needs a turn number"),
        ("[a]\n'٣' = 'x'", "needs a turn number"),
        (f"a = {'1' * 5000}", "are no TOML"),
        (f"a = {'[' * 3000}", "nested too deeply"),
    ],
)
def test_errata_that_are_none_are_one_line(tmp_path, text, named):
    path = tmp_path / "errata.toml"
    path.write_text(text)
    with pytest.raises(ErrataError, match=named):
        read_errata(path)
    with pytest.raises(ErrataError, match="no such file"):
        read_errata(tmp_path / "none.toml")


def test_a_confidence_falls_in_one_fifth_of_the_scale_from_0_to_1(done):
    assert [band(said) for said in (None, 0.0, 0.19, 0.5, 0.8, 1.0)] == [
        *("none", "0 to 20%", "0 to 20%", "40 to 60%", "80 to 100%", "80 to 100%")
    ]
    for each in done.results:
        said = each.probability if each.probability is not None or each.check_score is None else each.check_score / 100
        assert each.slices["confidence"] == band(said)
    assert len({each.slices["confidence"] for each in done.results}) > 2


def test_an_answer_with_another_number_of_decimals_has_not_changed():
    turns = [result(repeat=1, answer=Decimal("25.0")), result(repeat=2, answer=Decimal(25))]
    assert changed(turns) == []
    assert changed([result(repeat=1, answer=True), result(repeat=2, answer=Decimal(1))]) == [("a", 0)]
