"""Which amounts of a sentence are what others are compared with, and so of an earlier time than the sentence is about.

In `revenue was $ 318 , compared with $ 296 in the first quarter of 2024` that quarter is of 296 alone; in `the margin
rose to 71% from 69%` nothing says when the 69% are from.
"""

from __future__ import annotations

from tieout.data.printed.pattern import later

LONGEST = 120  # letters in front of an amount among which the verb of a change is looked for
NEAR = 48  # letters in front of an amount that may say that it is compared with
_ABOUT = r"(?: (?:an?|about|approximately|the|nearly|just|over|around))*"
_LED = later(
    r"(?:\b(?:up|down|improved|increased?|decreased?|grew|growth|rose|fell|declined?|reduced|changed|expanded|narrowed"
    rf"|widened|upward|downward) from|\b(?:higher|lower) than|\bcompared (?:to|with)|\b(?:versus|vs ?\.?)){_ABOUT} ?$"
)
_TO_FROM = later(rf"\s*,? from{_ABOUT} ?")
_FROM = later(rf"\bfrom{_ABOUT} ?$")
_CHANGES = later(
    r"\b(?:increas|decreas|grew|grow|rose|ris|fell|fall|declin|improv|reduc|expand|narrow|widen|climb|drop|went|chang|up\b|"
    r"down\b|advanc)\w*[^;:]*$"
)
AGO = later(
    r"\s*,? ?\(?(?:(?:a|one|the) year (?:ago|earlier|before)|(?:in|for|at|during|of)? ?(?:the )?"
    r"(?:same|prior|previous|last|preceding|comparable|corresponding|prior-year|year-ago|year-earlier)[ -]"
    r"(?:year|quarter|period|month)s?(?: (?:quarter|period|month)s?)?"
    r"(?: (?:of |in |a |the |last |prior |previous |year |ago |earlier )*(?:year|ago|earlier|before))?)"
)
_A_YEAR = later(r"year (?:ago|earlier|before)|(?:prior|last|previous|preceding)[ -]year|year-ago|year-earlier")


def is_compared_with(text: str, start: int, last: tuple[int, int] | None) -> bool:
    """Whether the amount at `text[start]`, lower case, is what another is compared with. last: where the amount in
    front of it starts and ends, None for none."""
    low = max(0, start - NEAR, last[1] if last else 0)
    if _LED.search(text[low:start]):
        return True
    return bool(last and _TO_FROM.fullmatch(text, last[1], start) and _is_about_change(text, last[0]))


def is_change(text: str, start: int, between: str) -> bool:
    """Whether two amounts that `to` joins are before and after a change: `grew from $ 20 to $ 25`. start: of the first.
    between: the text between them."""
    return (
        between.strip() == "to"
        and bool(_FROM.search(text[max(0, start - NEAR) : start]))
        and _is_about_change(text, start)
    )


def _is_about_change(text: str, end: int) -> bool:
    return bool(_CHANGES.search(text[max(0, end - LONGEST) : end]))


def is_a_year_ago(text: str, end: int) -> bool:
    """Whether what stands right behind the amount that ends at `end` says that it is from a year before."""
    match = AGO.match(text, end)
    return match is not None and bool(_A_YEAR.search(match.group()))
