"""What a negative amount measures in a row whose own words say that it is taken away: `net loss (1,234)`.

>>> from decimal import Decimal
>>> measured(Decimal(-1234), "Net loss"), measured(Decimal(-1234), "Net income (loss)")
((Decimal('1234'), 'loss'), None)

As printed it is minus 1,234; the loss is one of 1,234. Both are right, and which is meant depends on who asks.
"""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache

from tieout.data.printed.languages.language import current_language, in_english
from tieout.data.printed.note import plain
from tieout.data.printed.pattern import later

_TAKEN_AWAY = later(
    r"\b(?:loss(?:es)?|expenses?|expenditures?|costs?|charges?|payments?|repayments?|purchases?|repurchases?|"
    r"dividends|distributions|depreciation|amortization|impairments?|write-?(?:offs?|downs?)|deductions?|"
    r"provisions?|outflows?|cash used|deficit|disbursements?|redemptions?|retirements?|taxes paid|allowances?)\b"
)
# Behind these stands what a sum leaves out, and not what it is.
_ASIDE = later(r"\b(?:before|excluding|exclusive of|net of|less|other than|per|on|from|for|of|in|to)\b")
# Words of both signs: the sign says which of them it is.
_EITHER_WAY = later(
    r"\((?:[a-z ]* )?(?:loss|losses|expenses?|benefit|income|gains?|decreases?|increases?|deficit|used|outflows?|"
    r"charges?|credits?|provision|costs?|payments)[^()]*\)"
    r"|\b(?:income|earnings|gains?|profits?|benefits?|proceeds|revenues?|recover(?:y|ies)|reversals?|changes?|"
    r"increases?|decreases?|net cash|adjustments?|effects?|impacts?)\b"
)
_LEADING_LESS = later(r"^(?:less|deduct):? ")


def measured(value: Decimal, label: str) -> tuple[Decimal, str] | None:
    """The positive amount that a row measures where its amount is printed as negative, and the word that says so.

    value: as printed. label: of the row, as printed. None where both are the same, or where the sign is what tells a
    gain from a loss.
    """
    if value >= 0:
        return None
    found = _taken_away(label, current_language())
    return (value.copy_abs(), found) if found else None


@lru_cache(maxsize=4096)
def _taken_away(label: str, _language: str) -> str:
    """The word of a label that says that its amounts are taken away, "" for none. One label has many amounts;
    _language: of the report."""
    text = in_english(plain(label))
    bare = _LEADING_LESS.sub("", text)
    if _EITHER_WAY.search(text):
        head = _ASIDE.split(bare, maxsplit=1)[0]
        if "(" in text or _EITHER_WAY.search(head) or not head.strip():
            return ""
        found = _TAKEN_AWAY.search(head)
    else:
        found = _TAKEN_AWAY.search(bare)
    return found[0] if found else ""
