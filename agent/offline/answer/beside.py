"""How sure a reply is beside what other ways to read its question come to: they go wrong apart from it."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from tieout.agent.offline.ranking.by_measure import by_measure
from tieout.agent.protocol.message import Reply
from tieout.data.arithmetic.chance import log_odds, share_of
from tieout.kg.fact import Fact

# What another way that comes to something else takes off the logarithm of the odds of a reply, and its least chance for
# that: what is named, in all that is shown; the words; the words as a step of the talk. Fitted to answers on reports.
OTHER = {"named": (0.7, 0.0), "words": (0.25, 0.3), "talk": (0.7, 0.0)}
SAME, IN_PERCENT = Decimal("0.005"), (1, 100, Decimal("0.01"))  # the share of an amount within which two are one


def held_against(reply: Reply, others: Mapping[str, object], facts: Mapping[str, Fact]) -> Reply:
    """A reply, the less sure, the more of the other ways come to something else, with the first of these as what may be
    meant instead. others: what each way gives, a reply or none. facts: that are shown, by name."""
    made = {name: each for name, each in others.items() if isinstance(each, Reply) and each.calls[-1].tool == "answer"}
    likely = {name: each for name, each in made.items() if (each.confidence or 0) >= OTHER[name][1]}
    apart = [name for name, each in likely.items() if not is_same(reply, each, facts)]
    if not apart:
        return reply
    chance = share_of(log_odds(reply.confidence or 0) - sum(OTHER[name][0] for name in apart))
    told = str(made[apart[0]].calls[0].arguments.get("description", ""))
    return reply.model_copy(update={"confidence": chance, "alternative": reply.alternative or told})


def is_same(one: Reply, other: Reply, facts: Mapping[str, Fact], *, is_rounded: bool = False) -> bool:
    """Whether two replies come to the same amount, in percent or not; of what is no amount, or made in several steps,
    whether they rest on the same figures. is_rounded: to the digits of the other, `7%` of 7.17%."""
    values = [made.value for each in (one, other) if (made := by_measure(each, facts)) is not None]
    first, second = values if len(values) > 1 else (None, None)
    if isinstance(first, Decimal) and isinstance(second, Decimal):
        one_size, size = first.copy_abs(), second.copy_abs()
        apart = Decimal(5).scaleb(int(size.as_tuple().exponent) - 1) if is_rounded else SAME * size
        return any((one_size * times - size).copy_abs() <= apart for times in IN_PERCENT)
    if None not in (first, second):
        return first == second and type(first) is type(second)  # `yes` is not 1
    return looked_up_by(one) == looked_up_by(other) != frozenset()


def looked_up_by(reply: Reply) -> frozenset[str]:
    """The names of the figures that a reply looks up."""
    return frozenset(str(call.arguments["fact"]) for call in reply.calls if "fact" in call.arguments)
