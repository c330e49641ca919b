"""Which tables are the primary statements of a report without tags, and how the label of a line can be read."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Protocol

from tieout.data.printed.pattern import later
from tieout.data.printed.periods.period import Period
from tieout.data.printed.unit import Unit
from tieout.kg.fact import Fact
from tieout.kg.filings.naming import LEGAL, initials, short
from tieout.ontology.labels.label import normalise
from tieout.ontology.metrics.line_item import MAIN_STATEMENTS, find_line_item

PRINTED, ABBREVIATION, COMPANY, OWNERS, WHOLE, ASIDE = (
    "as printed",
    "without an abbreviation",
    "without the company",
    "without its owners",
    "without total",
    "without what it takes in or leaves out",
)
WHEN, UNDER, CHANGE = "without when", "behind its sub-heading", "as a change, by its sub-heading"
UNDER_ASIDE = "behind its sub-heading, without what it takes in or leaves out"
ASSOCIATES, OTHER, ALL_OWNERS = "without what associates earn", "without what else it has", "with all owners"
OVER_TIME, UNDILUTED = "as a change, over a span of time", "beside the same, diluted"
OF_ABOVE, OF_HEADING = "as a part of the line above it", "as the total of its sub-heading"
# Ways that leave out of a label what makes it another line, but for a statement that has that line.
LESS_THAN_PRINTED = frozenset((ASIDE, UNDER_ASIDE, OTHER, OVER_TIME, OF_HEADING))
BY_WORD = {"by its word diluted": "diluted", "by its word basic": "basic"}  # of shares, and of amounts per share
_COUNTED = ("average", "eps", "per share", "computation", "calculation")  # what shares are counted for
_DILUTED = later(r"\W*\b(?:assuming (?:full )?dilution|(?:fully )?diluted)\b\W*", re.IGNORECASE)
LEAST = 0.3
TITLED, PER_ITEM, PER_FIGURE, MOST_FIGURES = 0.3, 0.03, 0.002, 100
ALIKE = 0.75  # of the score of the surest statement, from which one of the same title above it is the company's
ALSO = 0.75  # of the score of a statement, from which another table may state what that one lacks
NEXT = 2  # tables behind a statement in which it may go on
_COMPREHENSIVE = frozenset(
    (
        "comprehensive_income",
        "comprehensive_income_with_noncontrolling",
        "other_comprehensive_income",
        "currency_translation",
    )
)
_TITLE = later(r"\bstatements?\b|\bbalance sheets?\b|\bfinancial (?:position|condition)\b", re.IGNORECASE)
_CONSOLIDATED, GROUP = later(r"\bconsolidated\b", re.IGNORECASE), 2
_SENTENCE = later(r"\b(?:following|table|data|percent\w*|summar\w+|selected|our|were|are)\b", re.IGNORECASE)
_BRACKETS = later(r"\([^()]*\)")
_SHORT = later(r"\s*\([A-Z][A-Z&]{1,6}\)")
_OWN_STOCK = later(r"\b[A-Z]{2,6} (?=(?:common|ordinary) (?:stock|shares)\b)")  # of a company that nothing else names
_WHOLE = later(r"^(?:total|consolidated|net of tax) +", re.IGNORECASE)
_ASIDE = later(
    r"(?:[,;(–—]|\s-|-(?=(?:share |stock )?repurchase))\s*"
    r"(?:net$|(?:(?:in|ex)clud(?:es|ing)|(?:in|ex)clusive of|net of|less|other than|after|principally"
    r"|primarily|(?:share |stock )?repurchase programs?)\b.*)|\s(?:in|ex)cluding\b.*"
    r"|\s(?:under|pursuant to)\b.*\b(?:programs?|plans?)\b.*",
    re.IGNORECASE,
)
# Pre-tax income may come before or with what associates earn.
_ASSOCIATES = later(
    r"(?P<own>\bbefore\b.*?\b(?:tax|taxes|income|earnings)),? and\b"
    r"(?=.*\b(?:affiliat|associat|joint venture|investee|unconsolidated|equity|non-?controlling)).*",
    re.IGNORECASE,
)
_TAX_LAST = later(
    r"(?P<own>\bbefore) (?:equity|earnings|income|loss|results|share|non-?controlling|minority)\b.*"
    r"\band (?P<tax>(?:provision for )?"
    r"(?:income )?tax(?:es)?)\b.*",
    re.IGNORECASE,
)
_LESS = later(r"less\b", re.IGNORECASE)
_OTHER = later(r"(?:,| and|, and)\s+others?(?:, net)?$", re.IGNORECASE)
_ALL_OWNERS = later(r"\bincluding\b.*\b(?:non-?controlling|minority)\b", re.IGNORECASE)
_WHEN = later(
    r"[,\s–—-]*\b(?:balances?,? )?(?:(?:at|as of) )?(?:the )?(?:beginning|end) of (?:the )?(?:fiscal )?"
    r"(?:year|period|quarter)\b|[,\s–—-]*\b(?:beginning|ending|opening|closing) balances?\b"
    r"|^(?:beginning|ending|opening|closing|balances? of) ",
    re.IGNORECASE,
)
_CHANGES = later(r"\bchanges? in\b|\b(?:increase|decrease)[\W]+(?:increase|decrease)\b", re.IGNORECASE)
MOST_UNDER = 50  # characters of a sub-heading that its lines can be read behind
_OWNERS = later(
    r",?\s*(?:(?:attributable|available|applicable|allocated) to|(?:available|applicable) for) (?:the )?"
    r"(?:company|parent|registrant"
    r"|(?:controlling )?(?:common )?(?:stock|share)\W?(?:holders|owners)\b.*?)?(?=$|[,—–]|-(?:basic|diluted))",
    re.IGNORECASE,
)

_Stated = dict[tuple[str, Period | None], Decimal]  # by line item and period


class PrintedTable(Protocol):
    """A table and which statement it looks like, as `tieout.kg.index.passage` has it."""

    @property
    def number(self) -> int: ...

    @property
    def title(self) -> str: ...

    @property
    def statement(self) -> str: ...

    @property
    def certainty(self) -> float: ...

    @property
    def figures(self) -> int: ...


class Line(Protocol):
    """A line of a table."""

    @property
    def table(self) -> int: ...

    @property
    def labels(self) -> tuple[str, ...]: ...

    @property
    def facts(self) -> tuple[Fact, ...]: ...


def primary_tables(tables: Sequence[PrintedTable], lines: Sequence[Line]) -> Mapping[str, Sequence[int]]:
    """The tables of each statement of the company as a whole, the surest first; one that it goes on in follows it.

    A statement has its title, and most of the lines that such a statement has.
    """
    items: dict[tuple[int, str], set[str]] = defaultdict(set)
    stated: dict[int, _Stated] = defaultdict(dict)
    for line in lines:
        item = next(filter(None, map(find_line_item, line.labels)), None)
        if item is not None:
            items[line.table, item.statement].add(item.name)
            for fact in line.facts if line.facts[0].unit is not Unit.PERCENT else ():
                stated[line.table].setdefault((item.name, fact.period), fact.value * fact.scale)
    scores: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for entry in tables:
        for statement in ("income", "balance", "cash flow", "equity"):
            guessed = entry.certainty if entry.statement == statement else 0.0
            score = (
                guessed + PER_ITEM * len(items[entry.number, statement]) - PER_ITEM * _others(items, entry, statement)
            )
            if score >= LEAST:
                titled = TITLED * ((_TITLE.search(entry.title) is not None) + (_rank(entry) == GROUP))
                scores[statement].append((score + titled + PER_FIGURE * min(entry.figures, MOST_FIGURES), entry.number))
    ranks = {entry.number: _rank(entry) for entry in tables}
    found: dict[str, Sequence[int]] = {}
    for statement, scored in scores.items():
        surest = max(scored, key=lambda each: (each[0], -each[1]))
        if rank := ranks[surest[1]]:  # that of the company goes before those of its subsidiaries
            alike = (each for each in scored if each[0] >= ALIKE * surest[0] and ranks[each[1]] == rank)
            best = min(alike, key=lambda each: each[1])
        else:
            best = surest
        scored = [
            each
            for each in scored
            if (rank, ranks[each[1]]) != (GROUP, 1) and not _is_of_another(stated[each[1]], stated[best[1]])
        ]
        others = [number for score, number in scored if 0 < number - best[1] <= NEXT and score > best[0] / 2]
        if statement == "income":  # that of comprehensive income goes on where it ends
            near = (each for each in range(best[1] + 1, best[1] + 1 + NEXT) if items[each, statement] & _COMPREHENSIVE)
            others += [
                each for each in near if each not in others and not _is_of_another(stated[each], stated[best[1]])
            ]
        also = [
            number for score, number in sorted(scored, reverse=True) if score >= ALSO * best[0] and number != best[1]
        ]
        found[statement] = (best[1], *others, *(number for number in also[:1] if number not in others))
    return found


def _rank(entry: PrintedTable) -> int:
    """How far the title of a table, and no sentence over it, says that it is a statement of the company as a whole.
    What stands in brackets tells of its figures: `(in millions, except per share data)`."""
    title = _BRACKETS.sub(" ", entry.title)
    if _SENTENCE.search(title) or not _TITLE.search(title):
        return 0
    return GROUP if _CONSOLIDATED.search(title) else 1


def _is_of_another(stated: _Stated, own: _Stated) -> bool:
    """Whether a table states most of what it has in common with the company's statement otherwise: it is a
    subsidiary's, or a part's."""
    both = stated.keys() & own.keys()
    near = sum(abs(abs(stated[each]) - abs(own[each])) <= abs(own[each]) / 100 for each in both)
    return near * 2 < len(both)


def _others(items: Mapping[tuple[int, str], set[str]], entry: PrintedTable, statement: str) -> int:
    """How many lines of another statement a table has."""
    return max(len(items.get((entry.number, each), ())) for each in MAIN_STATEMENTS if each != statement)


def readings(fact: Fact, company: str) -> Mapping[str, str]:
    """Ways to read the label of a line, by what is left out, the printed one first: abbreviations in brackets, the name
    of the company, its owners, `total`, what associates earn, what the line takes in or leaves out (`excluding
    amortization`), when it is of (`at end of year`), `and other`; with what its sub-heading says (`Current: Federal`,
    `Changes in: Inventories`); and, of an amount per share, the word above it that says which. What takes in
    noncontrolling interests is read as that alone."""
    label = fact.label
    bare = _SHORT.sub("", label)
    own = _without(bare, company) if company else _OWN_STOCK.sub("", bare)
    unowned = _OWNERS.sub("", own)
    whole = _WHOLE.sub("", unowned.strip())
    ways = {
        PRINTED: label,
        ABBREVIATION: bare,
        COMPANY: own,
        OWNERS: unowned,
        WHOLE: whole,
        ASSOCIATES: _TAX_LAST.sub(r"\g<own> \g<tax>", _ASSOCIATES.sub(r"\g<own>", whole)),
        ASIDE: (aside := _ASIDE.sub("", whole)),
        WHEN: _WHEN.sub(" ", whole),
    }
    if _ALL_OWNERS.search(label):
        return {PRINTED: label, ALL_OWNERS: f"{aside} including noncontrolling interests"}
    if _CHANGES.search(fact.section):
        ways[CHANGE] = f"change in {whole}"
    elif fact.section and len(fact.section) <= MOST_UNDER and not _LESS.match(label):
        ways[UNDER] = f"{fact.section.strip(' :')} {label}"
        ways[UNDER_ASIDE] = f"{fact.section.strip(' :')} {aside}"
    if CHANGE not in ways and _is_over_time(fact) and (item := find_line_item(whole)) and item.statement == "balance":
        ways[OVER_TIME] = f"change in {whole}"
    if ways.get(UNDER) and normalise(label) == "total":
        del ways[UNDER]
        ways[OF_HEADING] = f"total {fact.section.strip(' :')}"
    ways[OTHER] = _OTHER.sub("", whole)
    unit = str(fact.unit or "")
    around = f"{fact.section} {label}".lower()
    is_counted = unit == Unit.SHARES and any(word in around for word in _COUNTED)
    if unit.endswith("/share") or is_counted:
        over, own = (_DILUTED.sub(" diluted ", text.lower()) for text in (fact.section, label))
        said = own if any(word in own for word in BY_WORD.values()) else f"{over} {own}"
        ways |= {way: word for way, word in BY_WORD.items() if word in said and "continu" not in said}
    found: dict[str, str] = {}
    for way, text in ways.items():
        plain = " ".join(text.split()).strip(" ,—–-")
        if plain and plain not in found.values():
            found[way] = plain
    return found


def undiluted(label: str) -> str:
    """A label without the words that say `assuming dilution`, normalised; "" for one that does not say so."""
    words = normalise(label)
    bare = " ".join(_DILUTED.sub(" ", words).split())
    return bare if bare != words else ""


def _is_over_time(fact: Fact) -> bool:
    return fact.period is not None and fact.period.start not in (None, fact.period.end)


def _without(label: str, company: str) -> str:
    """`Net income attributable to Acme` without whose it is, `Total Acme Inc. shareholders' equity` too."""
    named = _names(company)
    if named is None:
        return label
    of_holders, anywhere = named
    return anywhere.sub(" ", of_holders.sub(" attributable to", f" {label}")).strip()


@lru_cache(maxsize=16)
def _names(company: str) -> tuple[re.Pattern[str], re.Pattern[str]] | None:
    """What stands for a company in a label, in front of its holders and anywhere; None where it has no name."""
    words = short(company).split()
    beginnings = (r"[\s-]*".join(map(re.escape, words[:many])) for many in range(len(words), 0, -1))
    letters = initials(company)
    names = "|".join((*(each for each in beginnings if len(each) > 1), *([f"(?-i:{letters})"] if letters else ())))
    if not names:
        return None
    legal = "|".join(sorted(LEGAL, key=len, reverse=True))
    named = rf"(?: the)?\s+(?:{names})\b(?:[\s,-]+(?:&(?=\s)|(?:{legal})\b\.?))*(?:['’]s?)?"
    own = "|".join(re.escape(word) for word in words[1:] if len(word) > 3)  # `attributable to Disney`, of Walt Disney
    last = rf"|\s*(?:attributable|available) (?:to|for) (?:{own})(?=$|[,—–])" if own else ""
    holders = r"(?=\s+(?:common|(?:share|stock)\W?(?:holders|owners))\b)"
    of_holders = re.compile(
        rf"\s+(?:attributable to|applicable to|available (?:to|for)){named}{holders}", re.IGNORECASE
    )
    return of_holders, re.compile(rf"(?:\s*(?:attributable|applicable) to)?{named}{last}", re.IGNORECASE)
