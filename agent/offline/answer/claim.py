"""What a question for yes or no claims, held against the figures that it is about."""

from __future__ import annotations

from collections.abc import Sequence

from tieout.agent.answers.checks.check import SURE_ENOUGH
from tieout.agent.offline.answer.several import GUESS, calculated
from tieout.agent.protocol.message import Reply, Request
from tieout.ontology.asked.claim import Claim
from tieout.ontology.asked.quoted import YES_OR_NO


def says_so(reply: Reply) -> bool:
    """Whether a reply says yes or no: as a comparison of figures, or with a sentence."""
    made = [call.arguments["operation"] for call in reply.calls if call.tool == "calculate"]
    told = reply.calls[-1].arguments
    return (made[-1:] == ["greater"] and "value" in told) or (told.get("words") or [""])[0] in YES_OR_NO


def guessed(reply: Reply) -> Reply:
    """A reply that is no more than a guess: what it leaves open, as another time, may turn a yes into a no."""
    return reply.model_copy(update={"confidence": min(reply.confidence or 0, GUESS)})


def held(claim: Claim, sides: Sequence[Request], replies: Sequence[Reply]) -> Reply | None:
    """The reply that says whether a claim is so, by those to the questions for its figures; None where one has none, or
    where it is not sure of what there is any of."""
    is_open = any(reply.unaccounted or (reply.confidence or 0) < SURE_ENOUGH for reply in replies)
    if claim.is_of_any and is_open:
        return None
    made = calculated("greater", sides, replies, than=claim.than, is_less=claim.is_less)
    return guessed(made) if made is not None and made.unaccounted else made
