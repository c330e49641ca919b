"""Whose report a document is, which form, and of which period: from its tags, else from what its cover says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from tieout.data.document import Document
from tieout.data.printed.pattern import later
from tieout.kg.fact import Fact
from tieout.kg.filings.fiscal import CURRENT, FiscalYears, fiscal_years, last_day
from tieout.kg.filings.naming import LEGAL, plain, short

_CIK = later(r"\bCIK\b\D*0*(\d{1,10})\b", re.IGNORECASE)
_LEI = later(r"\b([A-Z0-9]{18}\d\d)\b")
_DIGITS = later(r"\d{1,10}")
_SYMBOL = later(r"[A-Z][A-Z0-9]{0,5}(?:[.-][A-Z]{1,2})?")
_AMENDED = later(r"/A$|\bamend", re.IGNORECASE)
_FORMER = later(
    r"\(?\b(?:formerly(?: known as)?|former name:?)[,:]?\s+[\"“]?([A-Z][\w&.,'’ -]{2,60}?)[\"”]?\s*(?:\)|$|[.;])"
)
# `Chevron Corporation (the "Company" or "Chevron")`: names that a report gives itself.
_CALLED = later(r"[\"“]([A-Z][\w&.'’ -]{1,40}?)[,.]?[\"”]")
_BRACKET = later(r"\(([^()]{0,160}[\"“][^()]{0,160})\)")
_GENERIC = frozenset(
    "company the company registrant we us our corporation group parent issuer trust partnership firm bank holdings "
    "subsidiaries successor predecessor fund sec exchange act commission notes note fiscal board plan".split()
) | {"the company", "the registrant", "the corporation", "the group", "the parent", "the bank", "the firm"}
LONGEST_COVER_LINE = 200  # characters
COVER = 160  # paragraphs in which a report says how it calls itself
MOST_CALLED = 3


@dataclass(frozen=True, slots=True)
class Filing:
    """One report of a company.

    company: as the report has it, "" where it does not say. identifier: `CIK 320193`, `LEI ...`, "" where it names
    none. names: others that it gives its company: what it calls itself, former names. ticker, form: "" where not known.
    ended: the last day of its period, or the one that it reports of. fiscal_year, fiscal_period: as the company counts
    them, `FY` for a whole year, else `Q1` to `Q4`; None and "" where it closes no period. is_amendment: it amends an
    earlier one. years: how the company counts its years.
    """

    report: str
    company: str
    identifier: str
    names: tuple[str, ...]
    ticker: str
    form: str
    ended: date | None
    fiscal_year: int | None
    fiscal_period: str
    is_amendment: bool
    years: FiscalYears


def read_filing(document: Document, facts: Sequence[Fact]) -> Filing:
    """What a document says of itself."""
    about = dict(document.about)
    ended = document.ended or last_day(facts)
    years = fiscal_years(document, facts, about.get("DocumentFiscalYearFocus", ""))
    is_current = document.form.upper().startswith(CURRENT)
    closed = last_day(facts) if is_current else ended
    is_told = closed is not None and not (is_current and closed == document.ended)  # a day alone closes no period
    year, period = years.of_day(closed) if closed and is_told else (None, "")
    focus = about.get("DocumentFiscalPeriodFocus", "")
    if focus in ("FY", "Q1", "Q2", "Q3", "Q4"):
        period = "FY" if focus == "Q4" and not document.form.upper().startswith("10-Q") else focus
    return Filing(
        document.id,
        " ".join(document.company.split()),
        _identifier(about, facts),
        tuple(_names(document)),
        _ticker(about),
        document.form,
        ended,
        year,
        period,
        about.get("AmendmentFlag", "").lower() == "true" or bool(_AMENDED.search(document.form)),
        years,
    )


def _identifier(about: dict[str, str], facts: Sequence[Fact]) -> str:
    said = about.get("EntityIdentifier", "")
    key = about.get("EntityCentralIndexKey", "")
    if found := _CIK.search(said):
        return f"CIK {found[1]}"
    if digits := _DIGITS.fullmatch(key.lstrip("0")):
        return f"CIK {digits[0]}"
    lei = _LEI.search(said) or _LEI.search(about.get("LegalEntityIdentifier", ""))
    return f"LEI {lei[1]}" if lei else ""


def _ticker(about: dict[str, str]) -> str:
    said = about.get("TradingSymbol", "").upper().replace("“", "").replace("”", "").strip()
    return said if _SYMBOL.fullmatch(said) else ""


def _names(document: Document) -> list[str]:
    """What the report calls its company beside its name: in quotes right behind it, or formerly."""
    found: list[str] = []
    former = dict(document.about).get("EntityInformationFormerLegalOrRegisteredName", "")
    if former:
        found.append(former)
    own = short(document.company)
    behind = re.compile(rf"\b{re.escape(own)}(?: (?:{'|'.join(LEGAL)}))*(?: and (?:its|our) (?:\w+ )?subsidiaries)?$")
    called: Counter[str] = Counter()
    for text in document.paragraphs[:COVER]:
        if (said := _FORMER.search(text)) and len(text) < LONGEST_COVER_LINE:
            found.append(said[1].strip())
        for bracket in _BRACKET.finditer(text) if own else ():
            if behind.search(plain(text[max(0, bracket.start() - LONGEST_COVER_LINE) : bracket.start()])):
                called.update(name[1].strip() for name in _CALLED.finditer(bracket[1]))
    said_of_it = (name for name, _ in called.most_common() if name.lower() not in _GENERIC)
    return list(dict.fromkeys([*found, *list(said_of_it)[:MOST_CALLED]]))
