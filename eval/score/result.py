"""One turn of a run beside its gold label: what was answered, whether it is right, what it took."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from tieout.agent.answers.checks.check import SURE_ENOUGH
from tieout.agent.log.events import Verified
from tieout.agent.log.turn import Turn
from tieout.agent.protocol.message import Usage
from tieout.data.document import Conversation, Gold
from tieout.eval.gold.program import equivalent
from tieout.eval.gold.report_questions import KIND
from tieout.eval.gold.slices import Slicer, Slices
from tieout.eval.score.score import Answer, Rule, scores
from tieout.eval.score.sets.over_data import is_over_data, judged_over_data
from tieout.eval.score.sets.report_answer import scores_of_report
from tieout.eval.score.sets.tatqa import exact_and_f1, judged, said

ANSWERED = "answer"  # the outcome of a turn that ended with an answer
ASKED_BACK = "clarify"  # and of one that ended with a question back


@dataclass(frozen=True, slots=True)
class Result:
    """One turn.

    outcome: `answer`, `clarify` or what ended the turn instead (`limit`, `refusal`, `no answer`, `error`, ...).
    answer: as scored, None where there is none. right: by rule, empty where nothing is labelled. program_right: None
    where either program is missing. slices: by dimension. seconds: of the whole turn. usd: None where the price is not
    known. finished: whether the run asked all questions of the conversation.
    verified: what `--verify` did, None without it.
    official: exact match and F1 as TAT-QA has them, None for other data.
    probability: 0 to 1, the backend's own estimate that the answer is right, None where it makes none. check_score: 0
    to 100, what the rules that need no model leave of 100 points, None without an answer.
    """

    conversation: str
    turn: int
    question: str
    outcome: str
    answer: Answer
    text: str | None
    program: str | None
    gold: Gold | None
    right: dict[Rule, bool]
    program_right: bool | None
    slices: Slices
    check_score: int | None
    ungrounded: int
    flags: tuple[str, ...]
    model_calls: int
    tool_calls: int
    usage: Usage
    usd: Decimal | None
    seconds: float
    finished: bool = True
    probability: float | None = None
    repeat: int = 1
    official: tuple[bool, float] | None = None
    verified: Verified | None = None

    @property
    def warned(self) -> bool:
        """Whether anything tells the user to take care: no answer, a question back, a flag, or a low probability."""
        unsure = self.probability is not None and self.probability < SURE_ENOUGH
        return self.outcome != ANSWERED or bool(self.flags) or unsure

    @property
    def wrong_and_unflagged(self) -> bool:
        """Whether the answer is wrong by the main rule, and nothing warns of it."""
        return not self.warned and not self.right.get(Rule.MAIN, True)

    @property
    def key(self) -> tuple[str, int]:
        return self.conversation, self.turn


def _scored(turn: Turn, gold: Gold | None) -> tuple[dict[Rule, bool], tuple[bool, float] | None]:
    """Whether a turn is right by each rule; and of TAT-QA its own exact match and F1."""
    if gold is None:
        return {}, None
    if gold.kind == KIND:
        return scores_of_report(turn, gold), None
    if is_over_data(gold):
        return judged_over_data(turn.answer, gold), None
    if not gold.spans:
        return scores(turn.number, gold.answer), None
    answer = said(turn)
    return judged(answer, gold), exact_and_f1(answer, gold)


def results(conversation: Conversation, turns: Sequence[Turn], repeat: int = 1) -> Iterator[Result]:
    """The turns of one conversation beside their labels, as far as there are both."""
    slicer, all_right = Slicer(conversation), True
    for turn in turns:
        gold = conversation.gold[turn.index] if conversation.gold else None
        right, official = _scored(turn, gold)
        yield Result(
            conversation=conversation.id,
            turn=turn.index,
            question=turn.question,
            outcome=turn.outcome,
            answer=turn.number,
            text=turn.text,
            program=turn.program,
            gold=gold,
            right=right,
            program_right=equivalent(turn.program, gold.program) if gold and gold.program and turn.program else None,
            slices=slicer.slices(turn, all_right),
            check_score=turn.check_score,
            probability=turn.probability,
            ungrounded=len(turn.ledger.ungrounded()),
            flags=tuple(flag.rule for flag in turn.flags),
            official=official,
            model_calls=turn.model_calls,
            tool_calls=turn.tool_calls,
            usage=turn.usage,
            usd=turn.usd,
            seconds=turn.seconds,
            verified=next((event for event in turn.events if isinstance(event, Verified)), None),
            finished=len(turns) == len(conversation.questions),
            repeat=repeat,
        )
        all_right = all_right and right.get(Rule.MAIN, False)
