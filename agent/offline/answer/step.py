"""A step with a number: `what is that times 12?`, `and divided by 1000?`, `what was inventory in 2012 over 100?`"""

from __future__ import annotations

from decimal import Decimal

from tieout.agent.offline.answer.in_full import calculated
from tieout.agent.offline.answer.reply import Call, reply_of
from tieout.agent.offline.answer.several import Ask
from tieout.agent.offline.operands.context import LAST_STEP
from tieout.agent.protocol.message import Reply, Request
from tieout.agent.question.sides import in_sides
from tieout.ontology.asked.language import language
from tieout.ontology.asked.tree import STRONG, joined_by
from tieout.ontology.asked.when import years_in

CERTAIN = 0.97  # that such a step is what is meant
LEAST_ROUND = 100  # a power of ten from which `over`, `less` and the like are no words for a limit, as in `over 65`


def of_a_number(request: Request, ask: Ask) -> Reply | None:
    """The reply to a question that calculates with a number: with the answer before, or with what the rest of it asks
    for. None for another one, or where the answer before was calculated otherwise than it says (`the difference`)."""
    asked = " ".join(request.question.lower().split()).strip(" ?.!")
    found = language().forms["a step with a number"].fullmatch(asked)
    if found is None or years_in(found["number"]):
        return None
    operation, number = joined_by(found["join"]), Decimal(found["number"].replace(",", ""))
    if operation is None or (operation == "divide" and not number):
        return None
    if (what := found["what"].split()) and not _is_told(request, what):
        is_round = number >= LEAST_ROUND and number == Decimal(10) ** number.adjusted()
        is_asked = found["lead"].strip() and (is_round or (operation in STRONG and found["join"] != "over"))
        return _of_the_rest(request, asked[: found.start("join")], operation, number, ask) if is_asked else None
    last = request.history[-1] if request.history else None
    if last is None or not isinstance(last.value, Decimal):
        return None
    name, chance = f"turn{request.turn}", min(CERTAIN, last.probability or CERTAIN)
    calls: list[Call] = [
        ("understand", {"description": asked[:400], "requires_calculation": True, "operation": operation}),
        ("calculate", {"operation": operation, "values": ["prev_1", f"{number:f}"], "name": name}),
        ("answer", {"value": name}),
    ]
    return reply_of(calls, chance)


def _is_told(request: Request, what: list[str]) -> bool:
    """Whether words go back to the answer before: `that value`, or `the change` behind a change."""
    done = request.history[-1].operation or "" if request.history else ""
    called = language().called.get(LAST_STEP.get(done, done))
    left = [each for each in what if called is None or called.fullmatch(each) is None]
    return language().words["told before"].issuperset(left)


def _of_the_rest(request: Request, rest: str, operation: str, number: Decimal, ask: Ask) -> Reply | None:
    """The reply to a question without its last step, with that step; None where it has no figure."""
    full = None if request.history else in_sides(rest)
    plain = request.model_copy(update={"question": rest.strip(), "in_full": full})
    made = calculated(operation, [plain], [ask(plain)], than=f"{number:f}")
    return None if made is None else made.model_copy(update={"confidence": round(made.chance * CERTAIN, 4)})
