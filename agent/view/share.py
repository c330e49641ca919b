"""What a question for a share is of: the part that is asked for, and the whole that it is a share of."""

from __future__ import annotations

import re
from dataclasses import dataclass

_RATE = r"(?:percentage|percent|per cent|pct|share|proportion|portion|fraction|%)"
# What is said of the answer, before the whole: `as a percentage of`, `divided by`.
_AS = re.compile(
    rf"(?P<part>.*?)(?:\b(?:as|in|expressed as)\s+(?:(?:a|the)\s+)?{_RATE}\s+(?:of|to)\b|\b(?:as a )?ratio to\b|"
    r"\bdivided by\b)(?P<whole>.+)",
    re.IGNORECASE | re.DOTALL,
)
_VERB = (
    r"(?:was|were|is|are|did|does|do|has|had|came|comes|come|goes|went|related|relates|consist\w*|represent\w*|made)\b"
    r"(?:\s+(?:from|by|of|up|up of|due to|attributable to|related to|to|in)\b(?!\s+(?:fiscal|19|20)))*"
)
_OF = re.compile(
    rf"\s*(?:and\s+|so\s+)?(?:(?:what|which|how much)\s+)(?:(?:is|was|were)\s+the\s+)?{_RATE}\s+of\s+(?P<whole>.+?)\s+"
    rf"{_VERB}(?P<part>.+)",
    re.IGNORECASE | re.DOTALL,
)
_TAIL = re.compile(
    r"\b(?:account(?:s|ed)? for|represent(?:s|ed)?|ma[dk]e up|contribut(?:e|es|ed)|generat(?:e|es|ed)|"
    r"com(?:e|es) from)\b",
    re.IGNORECASE,
)
_WHOSE = re.compile(
    rf"\s*(?:what|which)\s+(?:is|was|were)\s+(?P<part>.+?)(?:['’]s?)?\s+{_RATE}\s+of\s+(?P<whole>.+)",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Share:
    """part: the words of what is taken, which may say nothing of their own; whole: of what it is a share.

    is_sure: no amount can be meant, as it can by `our share of profit`.
    """

    part: str
    whole: str
    is_sure: bool = True


def read_share(question: str) -> Share | None:
    """The part and the whole that a question for a share names; None where it asks for something else.

    `raw materials as a percentage of inventories`, `what share of net sales came from Europe`, `as a share of revenue?`
    """
    text = question.strip().rstrip("?. ")
    if (found := _OF.match(text)) is not None:
        return Share(_TAIL.sub(" ", found["part"]).strip(), found["whole"].strip())
    if (found := _AS.match(text)) is not None:
        return Share(found["part"].strip(" ,"), found["whole"].strip())
    if (found := _WHOSE.match(text)) is not None:
        return Share(found["part"].strip(), found["whole"].strip(), is_sure=False)
    return None
