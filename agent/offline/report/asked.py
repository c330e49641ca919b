"""What a question to a whole report wants: a figure, a change, a share, a comparison; of what, and when."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from tieout.agent.offline.words import FUNCTION
from tieout.agent.view.share import read_share
from tieout.agent.view.terms import EMPTY, Named, Terms, read_terms
from tieout.data.printed.periods.period import Period, PeriodKind, find_periods
from tieout.ontology.labels.lexicon import singular

_CHANGE = re.compile(
    r"\b(?:grow|grew|growth|chang\w+|increas\w+|decreas\w+|declin\w+|rose|fell|falls?|fallen|rise|drop\w*|improv\w+|difference)\b"
)
_RELATIVE = re.compile(r"\b(?:growth|grow|grew|percent\w*|%|rate|faster)\b|\bby how many percent\b|\bpct\b")
_SHARE = re.compile(
    r"\b(?:as a (?:percentage|percent|share|proportion|%)|percentage|share|portion|proportion) of\b|\bratio of\b"
)
_MEAN = re.compile(r"\b(?:average|mean)\b")
_SUM = re.compile(r"\b(?:total (?:over|across|for the)|sum(?: of)?|combined(?! ratio)|cumulative|in total)\b")
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_LAST_YEARS = re.compile(
    r"\b(?:(?:over|in|for|during|across|of|through|throughout) )?(?:the |these |those |all )?"
    rf"(?:(?:last|past|previous|prior|latest|most recent) )?(?P<count>{'|'.join(_COUNTS)}|[2-9]|10)[ -]"
    r"(?:fiscal |financial )?years?\b(?! (?:treasury|notes?|bonds?|term|ago))"
)
_RATIO = re.compile(r"\b(?P<of>combined|change|share|growth) ratio\b")  # the name of a ratio, which is no way of asking
_QUARTER = re.compile(
    r"\bquarter|\bq[1-4]\b|\b(?:three|six|nine|twelve|12) months|\bhalf\b|\b(?:ltm|ttm)\b", re.IGNORECASE
)
_ENDED = re.compile(r"\bend(?:ed|ing)\b")
_BALANCE_OF = re.compile(r"\bat (?:the )?(?:end|close|beginning)\b|\bas of\b|\byear.end\b|\bbalance\b", re.IGNORECASE)
_WHY = re.compile(r"\bwhy\b|\breasons?\b|\bwhat (?:caused|drove|led to|explains?|explained)\b")
_YES_NO = re.compile(r"^\s*(?:and |but |so )?(?:did|does|do|is|are|was|were|has|have|had)\b")
_WHICH_YEAR = re.compile(r"\b(?:which|what) (?:fiscal |of the )?years?\b")
_YEARLY = re.compile(r"\b(?:by|per|each|every|all) (?:of )?(?:the )?(?:fiscal )?years?\b|\byear by year\b")
_RANGE = re.compile(r"\bfrom (?:fy ?|fiscal )?\d{4} (?:to|through|until)\b|\bbetween\b|\d{4} ?[-–] ?\d{4}")
_LESS = re.compile(
    r"\b(?:declin\w+|decreas\w+|fell|falls?|drop\w*|shr[aiu]nk|worsen\w*|low(?:er|est)|less|least|small(?:er|est)|worst)\b"
)
_COMPARED = re.compile(
    r"\b(?:higher|lower|greater|larger|bigger|smaller|more|less|better|worse|above|below)\b.{0,40}\bthan\b"
)
_WHICH = re.compile(r"\b(?:which|whose|who)\b")
_BOUND = re.compile(
    r"\b(?:(?P<above>exceed\w*|surpass\w*|above|over|(?:more|greater|higher|larger) than)|"
    r"below|under|(?:less|lower|fewer|smaller) than)\s+(?:[a-z]+ ){0,2}?(?P<mark>[$€£¥]|(?:usd|eur|gbp) )?\s?"
    r"(?P<digits>\d[\d,]*(?:\.\d+)?)(?P<scale> ?(?:%|percent|thousand|million|billion))?"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_NET_OF = re.compile(r"\b(?:net of|less)\b.*?(?=\?|$|\b(?:at|in|as of|on|for the)\b)")
_BEFORE = re.compile(r"\b(?:in )?(?:the )?(?:year before|(?:previous|prior|preceding) (?:fiscal )?year)\b")
_SINCE = re.compile(r"\b(?:from|since|(?:compared|relative) (?:to|with)|versus|vs|against|than)\b", re.IGNORECASE)
_GOES_ON = re.compile(r"\s*(?:and|or|what about|how about|what of|then)\b", re.IGNORECASE)
_WORD = re.compile(r"[a-z0-9]+(?:[&][a-z0-9]+)?")
SHORT = 6  # words of a question that asks on
CHANGES = frozenset(
    "grow grew growth change changed increase increased decrease decreased decline declined rose fell fall "
    "falls fallen rise drop dropped improve improved faster slower higher highest lower lowest percent percentage "
    "share portion proportion ratio average mean sum combined compared relative versus difference between since "
    "times".split()
)
# Words that say how something is asked, of whom it is asked in general, or that it is the latest: nothing is left open
# where no figure has them around it.
MANNER = FUNCTION | frozenset(
    "company group firm business entity corporation overall entire full annual annually yearly consolidated gaap basis "
    "approximately roughly exactly reported recorded generated generate earned earn made make spent spend paid pay had "
    "latest recent current list by year money worth high low actual actually stand stood come came amounted really "
    "ever trend history develop developed went go do well perform".split()
)
MANNERS = EMPTY | CHANGES | MANNER


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, read. kind: `value`, `change`, `growth`, `share` or `average`. form: of the answer, see `form_of`;
    less: it asks for the fall, or the lowest; compares_years: for one year as against another.

    named: the line items and metrics it names, in order. words: what else it says that carries meaning, singular.
    years: as named. part_of_year: it asks for a quarter or another part. of_a_day: it asks for a balance. back: how
    many years before the latest one it asks for, where it names none. span: the first and the last day of the one part
    of a year that it names; by_days: it says the day or month on which that ends, not only which quarter it is.
    before: the years for which the question before asked for the same. day: on which a balance is asked for.
    bound: a number written in the question that a figure is held against, "" for none; above: it is asked to be more.
    whole: of a share, what it is a share of; the question itself is then for the part. last: how many years it asks
    for, up to the latest: `over the last three years`.
    """

    kind: str
    named: tuple[Named, ...]
    words: frozenset[str]
    years: tuple[int, ...]
    part_of_year: bool
    of_a_day: bool
    compares: bool
    back: int = 0
    span: tuple[date, date] | None = None
    by_days: bool = False
    before: tuple[int, ...] = ()
    day: date | None = None
    form: str = "figure"
    less: bool = False
    compares_years: bool = False
    bound: str = ""
    above: bool = True
    whole: Asked | None = None
    last: int = 0


def read_conversation(question: str, earlier: Sequence[str]) -> Asked:
    """What a question wants that was asked after others: what it leaves out is that of the question before.

    `and in 2023?` asks for the same of another year, `and revenue?` for another thing of the same year, `how did it
    change?` for the change of the same, `and the year before?` for the year before that which was asked.
    """
    known: Asked | None = None
    for each in earlier:
        known = _after(known, each)
    return _after(known, question)


def after_question_back(reply: str, earlier: Sequence[str]) -> Asked | None:
    """What is wanted by a reply to a question back: that what was asked before it, of what the reply names.

    The words of the question that was not understood are the reply's. None where the reply is a question of its own.
    """
    own = read_asked(reply)
    if own.kind != "value" or own.years or not (own.named or own.words) or len(reply.split()) > SHORT or "?" in reply:
        return None
    known = read_conversation(earlier[-1], earlier[:-1])
    return replace(known, named=own.named, words=own.words)


def _after(known: Asked | None, question: str) -> Asked:
    own = read_asked(question)
    if known is None:
        return own
    if own.kind == "share" and own.whole is not None and not (own.named or own.words):
        return _share_of(known, own)
    years = own.years
    goes_on = bool(_GOES_ON.match(question)) or not (own.named or own.words)
    if own.back and known.years:
        own = replace(own, years=tuple(year - own.back for year in known.years), back=0)
    elif goes_on and not own.years and not own.last:
        own = replace(own, years=known.years, back=own.back + known.back)
        if not own.part_of_year:
            own = replace(own, part_of_year=known.part_of_year, span=known.span, by_days=known.by_days)
    if goes_on and own.kind == "value" and len(question.split()) <= SHORT:
        in_percent = known.kind == "change" and _RELATIVE.search(question.lower())
        own = replace(own, kind="growth" if in_percent else known.kind, whole=known.whole)
        if own.form == "figure" and known.form == "yes or no":
            own = replace(own, form=known.form, less=known.less)
    if own.named or own.words:
        return own
    if own.kind in ("change", "growth"):
        own = replace(own, years=_years_of_change(years, known, question))
    return replace(
        own,
        named=known.named,
        words=known.words,
        part_of_year=own.part_of_year or known.part_of_year,
        span=own.span or known.span,
        by_days=own.by_days if own.span else known.by_days,
        of_a_day=own.of_a_day or known.of_a_day,
        compares=own.compares or known.compares,
        before=known.years,
    )


def _share_of(known: Asked, own: Asked) -> Asked:
    """The share of another that what was asked for before is: `as a percentage of revenue?`, of the same time."""
    if known.kind not in ("value", "share"):
        return replace(own, kind="value", whole=None)
    years, back = (own.years, 0) if own.years else (known.years, known.back)
    return replace(known, kind="share", whole=own.whole, years=years, back=back, form="figure")


def _years_of_change(years: tuple[int, ...], known: Asked, question: str) -> tuple[int, ...]:
    """The years of a change that is asked for after others: of `the change` those two for which figures were asked."""
    if not years:
        return tuple(dict.fromkeys((*known.before, *known.years)))
    if len(years) == 1 and _SINCE.search(question):
        return tuple(dict.fromkeys((*known.years, *years)))
    return years


def read_asked(question: str) -> Asked:
    """What a question wants."""
    share = read_share(question)
    if share is None or _CHANGE.search(question.lower()) or _YES_NO.match(question.lower()):
        return _read_plainly(question)
    whole, part = _read_plainly(share.whole), _read_plainly(share.part)
    asked = _read_plainly(question)
    if not (whole.named or whole.words) or asked.form not in ("figure", "yes or no"):
        return asked
    if not share.is_sure and not (whole.named and part.words and not part.named):
        return asked
    return replace(asked, kind="share", form="figure", compares=False, named=part.named, words=part.words, whole=whole)


def _read_plainly(question: str) -> Asked:
    """What a question wants that is not for the share of something in another, or a part of such a one."""
    terms = read_terms(question)
    lower = question.lower()
    part_of_year = bool(_QUARTER.search(lower))
    parts = _parts_of_year(lower) if part_of_year else []
    spans = {(period.start, period.end) for period, _, _ in parts if period.start and period.end}
    dated = [found for found in find_periods(lower) if found[0].kind in (PeriodKind.DATE, PeriodKind.MONTH)]
    days = {period.end for period, _, _ in dated if period.kind is PeriodKind.DATE and period.end}
    rest = _BEFORE.sub(" ", _without(lower, terms, [(start, end) for _, start, end in (*parts, *dated)]))
    words = frozenset(
        singular(word) for word in _WORD.findall(_NET_OF.sub(" ", rest)) if word not in MANNERS and not word.isdigit()
    )
    last = None if terms.years else _LAST_YEARS.search(lower)
    counts = last is not None and (_MEAN.search(lower) or _SUM.search(lower)) and not _CHANGE.search(lower)
    if last is not None and counts:
        words -= {singular(word) for word in _WORD.findall(last[0])}
    if (ratio := _RATIO.search(lower)) is not None:
        words |= {ratio["of"], "ratio"}
    bound = _bound(lower)
    if bound is not None:
        words -= {singular(word) for word in _WORD.findall(bound[0])}
    kind = "value" if bound is not None else _kind(lower, terms)
    if last is not None and counts:
        kind = "average" if _MEAN.search(lower) else "sum"
    form = form_of(lower, kind, terms.years)
    return Asked(
        kind=kind,
        named=terms.named,
        words=words,
        years=_all_between(terms.years) if _RANGE.search(lower) and form == "list" else terms.years,
        part_of_year=part_of_year,
        of_a_day=bool(_BALANCE_OF.search(lower)),
        compares=form != "year" and bool(_WHICH.search(lower)),
        back=1 if _BEFORE.search(lower) and not terms.years else 0,
        span=spans.pop() if len(spans) == 1 else None,
        by_days=bool(_ENDED.search(lower)),
        day=days.pop() if len(days) == 1 and not _ENDED.search(lower) else None,
        form=form,
        less=bool(_LESS.search(lower)),
        compares_years=bool(_COMPARED.search(lower)),
        bound="" if bound is None else bound["digits"],
        above=bound is not None and bound["above"] is not None,
        last=_COUNTS.get(last["count"], 0) or int(last["count"]) if last is not None and counts else 0,
    )


def _bound(lower: str) -> re.Match[str] | None:
    """The number that a figure is held against in a question for yes or no; a year alone is none."""
    found = _BOUND.search(lower) if _YES_NO.match(lower) else None
    if found is None or (_YEAR.fullmatch(found["digits"]) and not (found["mark"] or found["scale"])):
        return None
    return found


def form_of(lower: str, kind: str, years: Sequence[int]) -> str:
    """The form of the answer to a question in lower case: `why`, `year` (which one), `yes or no`, `list` (of years) or
    `figure`."""
    if _WHY.search(lower):
        return "why"
    if _WHICH_YEAR.search(lower):
        return "year"
    if _YES_NO.match(lower):
        return "yes or no"
    if _YEARLY.search(lower) or (kind == "value" and len(years) > 1):
        return "list"
    return "figure"


def _all_between(years: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(range(min(years), max(years) + 1)) if years else ()


def _parts_of_year(lower: str) -> list[tuple[Period, int, int]]:
    """The parts of a year that a question names, with their spans."""
    return [found for found in find_periods(lower) if found[0].kind in (PeriodKind.QUARTER, PeriodKind.SPAN)]


def _without(lower: str, terms: Terms, periods: Sequence[tuple[int, int]]) -> str:
    """The question without its line items and metrics, and without its years and periods."""
    for start, end in ((each.start, each.end) for each in terms.named):
        lower = lower[:start] + " " * (end - start) + lower[end:]
    for start, end in periods:
        lower = lower[:start] + " " * (end - start) + lower[end:]
    return re.sub(r"\b(?:fy ?'?)?(?:19|20)?\d\d\b", " ", lower)


def _kind(lower: str, terms: Terms) -> str:
    if _SHARE.search(lower) and len(terms.named) == 2:
        return "share"
    if _YES_NO.match(lower) and _COMPARED.search(lower):
        return "change"
    if _CHANGE.search(lower):
        return "growth" if _RELATIVE.search(lower) else "change"
    if _MEAN.search(lower) and len(terms.years) > 1:
        return "average"
    if _SUM.search(lower) and len(terms.years) > 1:
        return "sum"
    return "value"
