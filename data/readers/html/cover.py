"""What the first page of a filing says of the whole: which form, whose, for the period that ends when."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import pairwise

from tieout.data.document import RELEASE
from tieout.data.printed.languages.language import ENGLISH, in_english, language_of, reading_in
from tieout.data.printed.pattern import later
from tieout.data.printed.periods.period import find_periods
from tieout.data.printed.wording import MONTHS
from tieout.data.readers.html.sections import is_statement_title

LINES = 80  # of the file that can belong to the cover
_DASH = r"(?:\s?[-‐‑–—]?\s?)"
_FORM = later(
    rf"\bform\s+(10{_DASH}[kq](?:405|sb)?|(?:20|40){_DASH}f|(?:8|6|11){_DASH}k|s{_DASH}[1-8]|f{_DASH}[1-4])(\s?/\s?a)?\b",
    re.IGNORECASE,
)
_REPORT = later(
    r"(?:the )?(annual|half[- ]year(?:ly)?|interim|quarterly)(?: financial)? report\b(?!.*\bpursuant\b)", re.IGNORECASE
)
# The captions that the forms prescribe, by which a part of a filing without its cover is known.
_CAPTIONS = {
    "10-Q": later(
        r"part\s+i\b\W{0,4}(?:item\s+1\W{1,4})?financial\s+information\b"
        r"|item\s+2\W{1,4}management.s\s+discussion\s+and\s+analysis\b",
        re.IGNORECASE,
    ),
    "10-K": later(
        r"item\s+(?:8\W{1,4}financial\s+statements\s+and\s+supplementary\s+data\b"
        r"|7\W{1,4}management.s\s+discussion\s+and\s+analysis\b)",
        re.IGNORECASE,
    ),
}
_LONGEST_TITLE = 80  # letters of a line that says what report it is
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_DAY = later(
    rf"(?:({_MONTH})\.?\s+([0-9]{{1,2}})(?:st|nd|rd|th)?\s*,?\s+((?:19|20)[0-9]{{2}})|([0-9]{{1,2}})\s+({_MONTH})\.?,?\s+((?:19|20)[0-9]{{2}}))",
    re.IGNORECASE,
)
_IS_REPORT = later(r"\b(?:report|accounts|financial statements) (?:for|of)\b", re.IGNORECASE)
_YEARS = later(r"(?:\s+(?:19|20)[0-9]{2}\b)+")
# `the quarter ended`, and `the thirteen-week period (“fourth quarter”) ended`
_ENDED = later(r"(?:year|period|quarter|months?|weeks)[”\"’)]{0,3}\s+(?:ended|ending)\b|date of report", re.IGNORECASE)
_YEARS_ENDED = later(r"\byears (?:ended|ending)\b", re.IGNORECASE)
_EXACT = later(r"exact\s+name\s+of\s*(?:the\s*)?(?:registrant|company|issuer)", re.IGNORECASE)
_CHARTER = later(r"^[^:)]*(?:charter|organization)\)?:?", re.IGNORECASE)
_LONGEST_LINE = 400  # letters of a line of a cover: what is longer is prose, which names forms and days of others too
_SHORTEST = 80  # days between the first and the last one that a report is about
_NEAR = 4  # lines above or below what says that a name is exact
_NO_NAME = later(
    r"\bcommission\b|\bfile (?:no|number)|\bact of 19|\bform \d|\btransition\b|\bperiod\b|\b(?:ended|ending)\b|"
    r"\bmark one\b|\bwashington\b|\bnot applicable\b|\btranslation\b|\bjurisdiction\b|\bincorporation\b|^n/?a$|"
    r"^\W*(?:annual|quarterly) report|^or$|\bi\.?r\.?s\b|\bregistrant\b|^united states$|^[\W\d]*$|\[ ?x? ?\]|[☐☒☑]|"
    r"\b\d\d-\d{7}\b|\bas specified\b|\btelephone number",
    re.IGNORECASE,
)
_FILE_NUMBER = later(r"\bcommission\s+file\s+(?:number|no\.?)[:\s]*[0-9-]*", re.IGNORECASE)
# Of several registrants each has a line of its own: `1-9999 Acme Power Inc. 12 Mill Street ...`.
_NUMBERED_NAME = (
    r"\d{1,3}-\d{3,6}(?:-\d\d)?\W+(?P<name>[A-Z][^|]{1,60}?\b(?i:Inc|Incorporated|Corp|Corporation|Company|Co|LLC|L\.L\.C|LP"
    r"|L\.P|plc|Ltd|Limited|Trust)\b\.?)(?! of\b)"
)
_NUMBERED = later(rf"^\W*{_NUMBERED_NAME}")
_NUMBERED_WITHIN = later(rf"\b{_NUMBERED_NAME}")
_NUMBER_BEFORE = later(r"^\W*\d{1,3}-\d{3,6}(?:-\d\d)?\W+(?=[A-Z])")  # `1-9999 | Acme Power Inc.`
_NO_COMPANY = later(
    r"\b(?:contents|index|page|part|item|none|yes|no|securit\w+|exchange|incorporated|common|shares?|stock|filer|reports?"
    r"|telephone|address|zip|state|notes?|form|title|class|symbols?|indicate|street|avenue|inline|identification|logo"
    r"|year|quarter)\b|[0-9]{3}",
    re.IGNORECASE,
)
_ADDRESS = later(r"\baddress(?:es)? of (?:\w+ )*(?:principal|registered|executive)\b", re.IGNORECASE)
_ADDRESS_LINES = 3  # above what says that they are an address
_ALL_OF_IT = later(r"^(?P<name>[A-Z][^():;]{2,60}?),? and (?:its |consolidated )*subsidiar(?:y|ies)\b", re.IGNORECASE)
_AND_SUBSIDIARIES = later(
    r",? (?:and|&) (?:its |(?:majority[- ]owned |wholly[- ]owned )?consolidated )*subsidiar(?:y|ies)\b.*", re.IGNORECASE
)
_FEWEST_STATEMENTS = 2  # over which a name stands that is of the whole report
_SYMBOLS = later(r"\btrading symbol", re.IGNORECASE)
_SYMBOL = r"(?P<symbol>[A-Z]{1,5}(?:[.-][A-Z]{1,2})?)"
_LISTED = later(
    rf"(?:^|\s|[“\"(]){_SYMBOL}[”\")]?,?\s+(?:on )?(?:The )?(?:New York Stock Exchange|NYSE|NASDAQ|Nasdaq|Cboe|CBOE|"
    r"London Stock Exchange|Chicago Stock Exchange|Toronto Stock Exchange|TSX)\b"
)
_OF_SHARES = later(r"\b(?:common|ordinary|capital|class a|depositary|shares?|stock)\b", re.IGNORECASE)
_FIRST = 6  # lines of a report that may be its title
_LONGEST_NAME = 80
# A name that ends with what the law of its country calls a company, at the head of a title.
_NAME = later(
    r"(?!(?:The|Our|This|Your|Each) \w+$|Statement|Report|Notes? |About )"
    r"(?:[A-Z0-9][\w&.'’+-]*,? (?:(?:of|and|the|de|der|für|&) )*){1,7}"
    r"(?:Inc|Incorporated|Corp|Corporation|Company|Co|Ltd|Limited|LLC|LLP|L\.?P|plc|PLC|Plc|AG|GmbH|KGaA|SE|N\.?V|B\.?V"
    r"|S\.?A|S\.p\.A|SpA|AB|ASA|A/S|Oyj|Pty|Bhd|Trust|Holdings|Bancorp)\b\.?(?:,? (?:Ltd|Inc|Limited|plc|KGaA|Co)\b\.?"
    r"(?: KGaA)?)*"
)
_BEHIND_NAME = later(
    r"\s*(?:$|[-–—:|(,/]|and (?:its )?subsidiaries|(?:(?:unaudited|interim|condensed|consolidated|annual|quarterly|half"
    r"|full|financial|results?|reports?|form|fiscal|fy|q[1-4]|first|second|third|fourth|statements?|income|balance|cash)\b"
    r"|(?:19|20)[0-9]{2}))",
    re.IGNORECASE,
)


# A headline, `Zephant reports fiscal 2025 results`, and a name with its symbol, `Zephant, Inc. (NASDAQ: ZEPH)`.
_HEADLINE = later(
    r"(?P<name>[A-Z][\w&.'’ +-]{1,40}?),? (?:today )?(?:[Rr]eports|[Aa]nnounces|[Pp]osts|REPORTS|ANNOUNCES)\b"
    r"(?=.*\b(?:[Rr]esults|[Qq]uarter|RESULTS|QUARTER|[Ff]iscal|[Ee]arnings)\b)"
)
_WITH_SYMBOL = later(
    rf"(?P<name>[A-Z][\w&.'’+-]*(?: [A-Z&][\w&.'’+-]*){{0,5}}(?:, (?:Inc|Ltd|Corp|LLC)\.?)?) ?"
    rf"\((?:NYSE|NASDAQ|Nasdaq|NASDAQ ?GS|ASX|LSE|TSX)(?: American)?: ?{_SYMBOL}"
)


def read_form(lines: Sequence[str]) -> str:
    """`10-K`, `20-F`, `10-Q/A`, `Annual report`, `Earnings release`; "" where the cover names none."""
    for line in lines[:LINES]:
        if len(line) <= _LONGEST_LINE and (found := _FORM.search(line)):
            name = re.sub(r"[\s‐‑–—-]+", "-", found[1].upper())
            name = name if "-" in name else re.sub(r"^(\d+|[SF])", r"\1-", name)
            return name + ("/A" if found[2] else "")
    titles = (_REPORT.match(line.strip()) for line in lines[:LINES] if len(line) <= _LONGEST_TITLE)
    if named := next((found[1] for found in titles if found), None):
        return f"{named.capitalize()} report"
    if any(_HEADLINE.match(line.strip()) for line in lines[:_FIRST] if len(line) <= _LONGEST_NAME * 2):
        return RELEASE
    captions = [line.strip() for line in lines[:LINES] if len(line) <= 2 * _LONGEST_TITLE]
    return next((form for form, said in _CAPTIONS.items() if any(map(said.match, captions))), "")


def read_ended(lines: Sequence[str]) -> date | None:
    """The last day of the period that the report is about, None where the cover does not say."""
    with reading_in(language_of(lines)) as language:
        if language != ENGLISH:
            return _last_of_span([in_english(line) for line in lines[:LINES]])
    for index, line in enumerate(lines[:LINES]):
        if len(line) <= _LONGEST_LINE and (said := _ENDED.search(line)):
            # The day beside it may stand a little higher in print, and then comes first.
            above = [each for each in lines[max(0, index - 1) : index] if _DAY.fullmatch(each.strip())]
            rest = " ".join((line[said.end() :], *lines[index + 1 : index + 3], *above))
            if (found := _DAY.search(rest)) and (day := _day(found)):
                beside = _YEARS.match(rest, found.end())  # `June 30, 2022 2023`, the older one first
                years = [day.year, *map(int, beside[0].split())] if beside else [day.year]
                return day.replace(year=max(years)) if (day.month, day.day) != (2, 29) else day
    # Without a cover, above its first statement: `Fiscal years ended December 30, 2023 and December 31, 2022`.
    titles = (line for line in lines[:LINES] if len(line) <= _LONGEST_TITLE * 2 and _YEARS_ENDED.search(line))
    if days := [day for found in _DAY.finditer(next(titles, "")) if (day := _day(found))]:
        return max(days)
    return _last_of_span([line for line in lines[:LINES] if _IS_REPORT.search(line) and len(line) <= _LONGEST_LINE])


def _last_of_span(lines: Sequence[str]) -> date | None:
    """The last day of the first months or year that lines name by their first and last day."""
    for line in lines:
        for period, _, _ in find_periods(line):
            if period.start and period.end and (period.end - period.start).days > _SHORTEST:
                return period.end
    return None


def read_company(lines: Sequence[str]) -> str:
    """The name above `(Exact name of registrant as specified in its charter)`, or behind it or below; "" for none."""
    for index, line in enumerate(lines[:LINES]):
        if said := _EXACT.search(line):
            before, behind = line[: said.start()].strip(" ("), _CHARTER.sub("", line[said.end() :])
            above = lines[max(0, index - _NEAR) : index][::-1]
            below = [_NUMBERED.match(line) or line for line in _no_address(lines, index + 1)]
            near = (before, *above, behind, *(each if isinstance(each, str) else each["name"] for each in below))
            names = (_NUMBER_BEFORE.sub("", each).strip(" :)_-–—") for each in near)
            return next(filter(_may_be_name, names), "")
    return ""


def _no_address(lines: Sequence[str], first: int) -> Sequence[str]:
    """The lines from the first on that can be a name: not those above `(Address of principal executive offices)`."""
    near = lines[first : first + _NEAR + _ADDRESS_LINES]
    address = next((at for at, line in enumerate(near) if _ADDRESS.search(line)), len(near) + _ADDRESS_LINES)
    return near[: min(_NEAR, max(0, address - _ADDRESS_LINES))]


def read_symbol(lines: Sequence[str]) -> str:
    """The symbol that the cover says the company's shares are traded under, "" where it names none: `KO`. Of several
    securities it is that of shares, not of notes."""
    cover = lines[:LINES]
    first = next((at for at, line in enumerate(cover) if _SYMBOLS.search(line)), None)
    if first is None:
        return ""
    listed = [(line, found["symbol"]) for line in cover[max(0, first - _NEAR) :] if (found := _LISTED.search(line))]
    of_shares = (symbol for line, symbol in listed if _OF_SHARES.search(line))
    return next(of_shares, listed[0][1] if listed else "")


def _may_be_name(text: str) -> bool:
    """Whether a line of a cover can be the name of a company: none of the words that every cover has."""
    return (
        any(map(str.isalpha, text))
        and len(text) <= _LONGEST_NAME
        and not (_NO_NAME.search(text) or _DAY.fullmatch(text.strip()))
    )


def read_registrant(lines: Sequence[str]) -> str:
    """The name that stands behind the file number of the Commission, or right above it, of several registrants the
    first; "" for none. For covers on which nothing says that a name is the exact one."""
    numbered = next((found["name"] for line in lines[:LINES] if (found := _NUMBERED.match(line))), "")
    if numbered:
        return numbered
    for index, line in enumerate(lines[:LINES]):
        if said := _FILE_NUMBER.search(line):
            # A table of registrants that is printed in one line: `... Telephone Number 1-9999 Acme Power Inc. ...`.
            if within := _NUMBERED_WITHIN.search(line, said.end()):
                return within["name"]
            near = (
                line[said.end() :],
                *_no_address(lines, index + 1),
                *lines[max(0, index - _NEAR) : index][::-1],
            )
            names = (each.strip(" :)_-–—") for each in near)
            if named := next((name for name in names if _may_be_name(name) and not _NO_COMPANY.search(name)), ""):
                return named
    return ""


def read_owner(lines: Sequence[str]) -> str:
    """The name that stands right above the titles of several statements, `Acme Corp` over `Balance Sheets`; "" where
    none does. For reports whose cover does not say it, or says it in a picture."""
    above = Counter(
        name
        for before, line in pairwise(lines)
        if is_statement_title(line)
        and not before.startswith("(")  # `(in millions)`
        and _may_be_name(name := _AND_SUBSIDIARIES.sub("", before.strip(" :)_-–—")))
    )
    name, count = max(above.items(), key=lambda each: each[1], default=("", 0))
    return name if count >= _FEWEST_STATEMENTS and not is_statement_title(name) and not _NO_COMPANY.search(name) else ""


def told_by_cover(tagged: Iterable[tuple[str, str]], lines: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """What a report says of itself, by the names of its tags: as tagged, and a trading symbol that is only printed."""
    told = dict(tagged)
    if not told.get("TradingSymbol") and (symbol := read_symbol(lines)):
        told["TradingSymbol"] = symbol
    return tuple(sorted(told.items()))


def read_name(lines: Sequence[str]) -> str:
    """The name of the company that the title of a report begins with, or that it names with its subsidiaries; "" where
    none does: `Northgate Ferries plc`."""
    for line in [text.strip() for text in lines if text.strip()][:_FIRST]:
        found = _NAME.match(line)
        if found and len(found[0]) <= _LONGEST_NAME and _BEHIND_NAME.match(line, found.end()):
            return found[0].strip(" ,")
    for line in lines:
        if (found := _WITH_SYMBOL.search(line)) or (
            len(line) <= _LONGEST_NAME * 2 and (found := _HEADLINE.match(line))
        ):
            return found["name"].strip()
    owners = (
        found["name"] for line in lines if len(line) <= _LONGEST_NAME and (found := _ALL_OF_IT.match(line.strip()))
    )
    return next((name for name in owners if _may_be_name(name)), "")


def read_day(text: str) -> date | None:
    """The first day that a text names in full: `September 27, 2025`."""
    found = _DAY.search(text)
    return _day(found) if found else None


def _day(found: re.Match[str]) -> date | None:
    month, number, year = (found[1], found[2], found[3]) if found[1] else (found[5], found[4], found[6])
    try:
        return date(int(year), MONTHS[month.lower()], int(number))
    except ValueError:
        return None
