"""What second opinions came to in a run: how often one was asked for, how often it changed an answer, at what cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from tieout.agent.log.events import Verified

Numbers = dict[str, Any]


def verification(told: Sequence[tuple[Verified, bool | None]]) -> Numbers | None:
    """Of turns that were verified, each with whether its answer is right, None where that is not known; None for none.

    turns: of them. asked: those with a second opinion, by reason in `why`. agreed: of those asked, in the end. changed:
    those whose answer is another one than the first; changed_right, changed_wrong: as far as it is known. calls,
    tokens, usd: of the backend, for the second opinions alone; usd is None where a price is not known.
    """
    if not told:
        return None
    asked = [(event, right) for event, right in told if event.asked]
    changed = [right for event, right in asked if event.changed]
    prices = [event.usd for event, _ in told]
    return {
        "turns": len(told),
        "asked": len(asked),
        "agreed": sum(event.agreed for event, _ in asked),
        "changed": len(changed),
        "changed_right": sum(right is True for right in changed),
        "changed_wrong": sum(right is False for right in changed),
        "calls": sum(event.calls for event, _ in told),
        "tokens": {
            "input": sum(event.usage.input + event.usage.cache_write + event.usage.cache_read for event, _ in told),
            "output": sum(event.usage.output for event, _ in told),
        },
        "usd": None if None in prices else sum((price for price in prices if price is not None), Decimal(0)),
        "why": dict(sorted(Counter(_reason(each) for event, _ in asked for each in event.why).items())),
    }


def _reason(why: str) -> str:
    """A reason as it is counted: without the figure in it."""
    return "a low probability" if why.startswith("a probability of") else why


def verification_text(numbers: Numbers) -> str:
    """The same in a line."""
    known = numbers["changed_right"] + numbers["changed_wrong"]
    right = f" ({numbers['changed_right']} of {known} to a right one)" if known else ""
    tokens = numbers["tokens"]
    cost = "" if numbers["usd"] in (None, 0) else f", ${numbers['usd']:.4f}"
    return (
        f"a second opinion for {numbers['asked']} of {numbers['turns']} turns, changed {numbers['changed']} answers"
        f"{right}; {numbers['calls']} more calls, {tokens['input'] + tokens['output']} more tokens{cost}"
    )
