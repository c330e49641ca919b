"""Words of questions and reports brought to one form, and the closed classes of words that ask rather than name."""

from __future__ import annotations

import re
from functools import lru_cache

WORD = re.compile(r"\d(?:st|nd|rd|th)\b|[a-z]+(?:&[a-z]+)*|\d+(?:[.,]\d+)*")
PRINTED = re.compile(
    r"\b2019s\b|'s\b|201[cd]\b|\bs ?& ?p(?: ?500)?\b|standard (?:&|and) poor(?: 2019|')?s?(?: 500)?"
    r"|\br&d\b|\bu ?\. ?s\b ?\.?|\bu\.s ?\.?|\bunited states(?: of america)?\b"
)
OF_MONEY = re.compile(r"\b(?:u ?\.? ?s ?\.?|united states) ?(?=\$|dollars?\b|gaap\b)", re.I)  # names no place
COUNTRY = re.compile(r"\bUS\b")  # in capitals, or it is the pronoun
PLAIN = {"r": "research development", "u": "usa", "s": "standardpoor"}
SHORT = {  # as people and reports shorten the names of line items, and the words of the long form
    "ppe": "property plant equipment",
    "pp&e": "property plant equipment",
    "sga": "selling general administrative",
    "sg&a": "selling general administrative",
    "d&a": "depreciation amortization",
    "cogs": "cost of goods sold",
    "capex": "capital expenditures",
    "opex": "operating expenses",
    "eps": "earnings per share",
    "dps": "dividends per share",
    "roe": "return on equity",
    "roa": "return on assets",
    "arpu": "average revenue per user",
    "aum": "assets under management",
    "noi": "net operating income",
    "nim": "net interest margin",
    "aisc": "all in sustaining cost",
    "adr": "average daily rate",
}
SHORTENED = re.compile(rf"\b(?:{'|'.join(map(re.escape, SHORT))})\b")

FUNCTION = frozenset(
    """a an the of in on at to for from by with within and or as is are was were be been being do does did has have had
    what which who how much many when where so then also it its this that these those they them their there here
    one ones into over under between among during through throughout per than if not no would will can could
    should may might such same each both all any some other another only again specifically specific our we us
    his her you i s about considering concerning regarding related respect given assuming still yet but while up
    out off following""".split()
)
ASKING = frozenset(
    """value amount number figure total sum change difference percentage percent portion proportion fraction ratio rate
    growth grow increase decrease decline rise fall fluctuation variation variance average mean combined
    represent representation relation compared comparison year month quarter period time day million billion
    thousand dollar divided multiplied times plus minus less more greater higher lower added adding including
    included include excluding net gross price cost prior previous next subsequent last first second third two
    three four five six entire full convert converted term express expressed result equal become company
    reported recorded ended end beginning start balance date december june september march initial investment""".split()
)
MONTHS = "january february march april may june july august september october november december".split()
SAME = {
    "revenue": "sale",
    "earning": "income",
    "profit": "income",
    "stock": "share",
    "stockholder": "shareholder",
    "shareowner": "shareholder",
    "expenditure": "expense",
    "spending": "expense",
    "spent": "expense",
    "paid": "pay",
    "payment": "pay",
    "cost": "expense",
    "maturity": "due",
    "mature": "due",
    "rent": "lease",
    "rental": "lease",
    "leased": "lease",
    "footage": "feet",
    "highest": "high",
    "lowest": "low",
    "first": "1st",
    "second": "2nd",
    "third": "3rd",
    "fourth": "4th",
    "qtr": "quarter",
    "opening": "beginning",
    "start": "beginning",
    "closing": "ending",
    "end": "ending",
    "ended": "ending",
    **{name[:3]: name for name in MONTHS},
    "sept": "september",
}


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The word without its ending, as the first of its near synonyms: `revenues` -> `sale`, `maturities` -> `due`."""
    base = word
    if len(base) > 4 and base.endswith("ies"):
        base = base[:-3] + "y"
    elif base.endswith("xes"):
        base = base[:-2]
    elif len(base) > 3 and base.endswith("s") and not base.endswith(("ss", "us", "is")):
        base = base[:-1]
    base = SAME.get(base, base)
    for ending, least in (("ization", 9), ("ation", 8), ("ing", 6), ("ment", 8), ("ed", 5), ("ly", 6), ("ion", 7)):
        if len(base) >= least and base.endswith(ending):
            base = base[: -len(ending)]
            break
    if len(base) > 4 and base.endswith("e"):
        base = base[:-1]
    return base


@lru_cache(maxsize=16384)
def _words(text: str) -> tuple[str, ...]:
    """Labels and sentences of a report come again with every question about it."""
    return tuple(WORD.findall(_plain(text)))


def _plain(text: str) -> str:
    named = COUNTRY.sub("usa", OF_MONEY.sub(" ", text)).lower()
    lower = PRINTED.sub(lambda match: f" {PLAIN.get(match.group()[0], '')} ", named)
    return SHORTENED.sub(lambda match: SHORT[match.group()], lower)


def words(text: str) -> list[str]:
    """The words of a text in order, lower case, numbers among them."""
    return list(_words(text))


def stems(text: str) -> list[str]:
    """The stems of all words that may name something: neither function words nor numbers."""
    return [
        stem(word) for word in words(text) if word not in FUNCTION and (not word[0].isdigit() or word[-1].isalpha())
    ]


ASKING_STEMS = frozenset(stem(word) for word in ASKING)
