"""What a whole question asks: kind of answer, signs of operations, measures, periods, and the bound of a filter."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from tieout.agent.offline.question import YEAR, moment_of, years_in
from tieout.agent.offline.words import MONTHS, stem, words

_CHANGE = (
    r"chang(?:e[sd]?|ing)\b|differen\w+|increas\w*|decreas\w*|declin\w*|grow\w*|grew\b|drop(?:ped)?\b|f[ae]ll\b|r[io]se\b"
    r"|reduc\w+|varia(?:tion|nce)\w*|movement"
)
_PART = r"percentages?|percent|proportion|portion|share|fraction|part"
SIGNS = {
    name: re.compile(pattern)
    for name, pattern in {
        "percentage change": rf"\b(?:percentages?|percent|relative"
        rf"|proportion\w*) (?:\w+ )?(?:/ ?)?\(?(?:{_CHANGE})|% (?:{_CHANGE})"
        rf"|\bgrowth rate|\brate of (?:growth|change|increase|decrease)|\b(?:{_CHANGE})\)? (?:\w+ )?(?:in"
        rf"|as an?|by what)"
        r" (?:percentage|percent|%)|\bby (?:what|how many|how much) (?:percent|percentage|%)|\bhow many percent",
        "change": rf"\b(?:{_CHANGE})",
        "average": r"\baverage\b|\bmean\b",
        "median": r"\bmedian\b",
        "sum": r"\bsum\b|\bcombined\b|\baltogether\b|\bin all\b|\badded (?:up|together)\b|\bcumulative\w*"
        r"|\baggregate\b",
        "total": r"\btotals?\b",
        "ratio": r"\bratio\b|\bdivided by\b|\btimes\b",
        "share": rf"\b(?:{_PART})\)? (?:of|to|over|from|constitution|in|out|composition|contribution)\b"
        rf"|\bas an? (?:{_PART})\b"
        r"|\bhow much of\b|% of|\bconstitut\w+|\baccount(?:s|ed)? for\b",
        "percent": r"\bpercent\w*|%",
        "respective": r"\brespective(?:ly)?\b",
        "highest": r"\b(?:highest|largest|greatest|biggest|maximum|most|best|higher|larger|greater|bigger|top"
        r"|peak\w*|max)\b",
        "lowest": r"\b(?:lowest|smallest|least|minimum|fewest|worst|lower|smaller|min)\b",
        "above": r"\b(?:exceed\w*|above|more than|greater than|higher than|larger than|over|at least"
        r"|surpass\w*)\b(?= \D{0,12}\d)",
        "below": r"\b(?:below|less than|lower than|smaller than|under|fewer than|at most)\b(?= \D{0,12}\d)",
        "range": r"\bfrom\b.*\b(?:to|until|through)\b|\bbetween\b|\d{4} ?[-–] ?\d{4}|\bover the\b",
        "each": r"\b(?:each|every|all|annual|yearly|by) (?:year|period|quarter|segment)s?\b|\byear by year\b|\bby \w+$",
        "less": r"\bless\b(?! than)|\bminus\b|\bsubtract\w*|\bnet of\b",
        "plus": r"\bplus\b|\badded to\b|\btogether with\b",
        "product": r"\bmultiplied by\b|\bproduct of\b",
        "why": r"\bwhy\b|\breasons?\b|\bcauses?d?\b|\brationale\b|\bdriv(?:en|es?|ers?)\b|\bled to\b",
    }.items()
}
WHICH_PERIOD = re.compile(
    r"\b(?:which|what|in what|how many)(?: of the)?(?: \w+)?? (?:fiscal |financial |calendar )?(years?|periods?"
    r"|quarters?|months?|dates?)\b"
    r"|\bwhen (?:was|were|is|did|does)\b|\byears? (?:is|are|was|were) (?:included|reported|shown|presented)"
)
HOW_MANY = re.compile(r"\bhow many\b|\bnumber of\b")
COUNTED = (
    r"years?|quarters?|periods?|months?|components?|items?|types?|categor\w+|segments?|regions?|countr\w+|kinds?|classes"
    r"|sources?|currenc\w+|assumptions?|services?|lines?|divisions?|units|areas|elements?|factors|groups|dates|columns"
)
COUNTS = re.compile(rf"\bhow many (?:of the |different |major |main |\w+ )?(?:\w+ )?({COUNTED})\b")
NAMES = re.compile(
    r"\b(?:which|what)(?: \w+)?? (segments?|countr\w+|regions?|components?|items?|categor\w+|types?|currenc\w+"
    r"|divisions?|department|"
    r"customers?|products?|geograph\w+|lines?|business\w*|class\w*|sources?|compan\w+|assets?|liabilit\w+|expenses?|costs?|"
    r"obligations?|plans?|areas?|locations?|services?|funds?|units?|element|one|party|method)\b|\bwho\b"
)
LISTED = re.compile(
    r"\b(?:what|which|list|name)\b.{0,30}?\b(components|items|types|categories|segments|regions|countries|kinds|"
    r"elements|factors|scopes|sources|currencies|assumptions|services|divisions|locations|geographic\w*)\b"
)
YES_NO = re.compile(r"^(?:and |so |but )?(?:did|does|do|is|are|was|were|has|have|had|can|could|would|will)\b")
WORDED = re.compile(
    r"^(?:in \d{4},? |and |so )?(?:why|how (?!many\b|much\b|long\b|large\b|big\b|high\b|low\b|old\b)|who\b"
    r"|where\b|when\b"
    r"|what (?:do|does|did)\b|on what\b|under what\b|for what\b)"
)
VERB_OF_MEANING = re.compile(
    r"\b(?:mean|represent|include|refer|consist|compris|reflect|exclude|relate|define|describe|contain|compos|indicat|show|entail|cover)\w*"
)
SHORT_YEAR = re.compile(r"\b(?:fy|f|fiscal(?: year)?|q[1-4]) ?'?(\d{2})\b", re.I)
NAMED_RANGE = re.compile(
    r"((?:19|20)\d\d)\s*(?:-|–|—|to|through|until|and)\s*(?:fiscal |fy ?|december 31,? |june 30,? )?((?:19|20)\d\d)"
)
LAST = re.compile(
    r"\b(?:last|past|latest|recent|most recent) (two|three|four|five|\d) (?:\w+ )?(?:years|periods|quarters)\b"
)
HOW_MUCH = {"two": 2, "three": 3, "four": 4, "five": 5}
BOUND = re.compile(r"[$€£]?\s?(\d[\d,]*(?:\.\d+)?)\s*(%|percent|thousands?|millions?|billions?)?")
MONTH = re.compile(rf"\b({'|'.join(MONTHS)})\b(?:(?<!\bmay)|(?= \d))")
QUARTER = re.compile(r"\bq([1-4])\b|\b(first|second|third|fourth|1st|2nd|3rd|4th) (?:fiscal )?quarter\b")
ORDER = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}
SPLITS = (
    re.compile(r"\bas an? (?:percentages?|percent|proportion|portion|share|fraction|part)\)? (?:of|in|over|to)\b"),
    re.compile(
        r"\b(?:divided by|relative to|in relation to|compared (?:to|with)|versus|vs\.?|minus|plus|less(?! than))\b"
    ),
    re.compile(r"\b(?:over|among|out of|against|to)(?= (?:the )?(?:total|sum|overall|non)\b)"),
    re.compile(r"\b(?:in|of)(?= the (?:total|sum|overall)\b)"),
    re.compile(r"\b(?:over|among|out of|against)\b"),
)
OF_TO = re.compile(r"\b(?:ratio|proportion|percentage|share)\b.*? of\b(.*?)\b(?:to|over|in|among|from)\b(.*)")
BETWEEN = re.compile(r"\b(?:between|of|in|from|for)\b(?! (?:19|20)\d\d)(.*?)\b(?:and|,)\b(.*)")

# Words that say how something is asked, beside the function words: none of them names what is measured.
MANNER = frozenset(
    """value amount figure number many much year years fiscal financial period periods quarter month day date time
    ended ending end company group table respective respectively report reported record recorded show shown
    present presented provide provided information calculate calculated compute computed percentage percent
    proportion portion ratio share change changes difference differ increase increased decrease decreased grow
    growth decline rise fall nominal absolute net average mean sum total combined annual yearly overall highest
    largest greatest biggest maximum most lowest smallest least higher larger greater lower smaller minimum
    exceed exceeded above below more less than thousand thousands million millions billion billions dollar
    dollars usd between component components item items type types category categories segment segments region
    regions country countries constitute constituting constitution recognized recognised give given state stated
    list listed highlight highlighted become find out make made get got versus vs tell please know latest recent
    last past first second third fourth old long values amounts figures numbers worth compare compared changed
    relative quarterly january february march april may june july august september october november december do
    did does there here express expressed due use used using include included including account accounted
    accounting represent represents representing spend spent pay paid pays earn earned makes sell sold buy
    bought own owned hold held receive received generate generated incur incurred happen happened see look want
    need take took bring brought go went come came keep kept whats what's hows two three four five six both
    really exactly roughly approximately could possible whole business firm entity done arising arise relation
    former latter money together fy f q pertaining concerned corresponding combined
    meanwhile then instead additionally equal equals result resulting refer referring answer question positive
    negative variance variation fluctuation fluctuate considering after before initial final part parts annually
    opposite""".split()
)
FUNCTION = frozenset(
    """a an the of in on at to for from by with within and or as is are was were be been being do does did has have had
    what which who how when where why so then also it its this that these those i you me my we us our they them
    their there s if not no would will can could should may might each both all any some per into over under
    during through across about than one whose while up out off only just much many""".split()
)
LABEL_WORDS = frozenset("net total share change average rate margin gross cost first second per other used due".split())


@dataclass(frozen=True, slots=True)
class Ask:
    """A question as read.

    signs: names of SIGNS found in it. kind: `number`, `boolean`, `count`, `period`, `name`, `names` (a list of them) or
    `words`, as its form says; several where it may be more than one. stems: of all words but function words, in order.
    core: the stems that may name a measure, an entity or a table: those that are not mere manner of asking.
    left, right: stems of the two sides of a comparison, () where it has none. years: named ones in order; expanded: the
    same with the years inside a range; last: how many latest periods; quarters, months: named ones. moment: `opening`
    or `closing` where a balance is asked for by its place in a period, else `plain`. bound: of a filter,
    with its scale (1 where none is said, None for a percentage).
    """

    text: str
    lower: str
    kinds: tuple[str, ...]
    signs: frozenset[str]
    stems: tuple[str, ...]
    core: tuple[str, ...]
    left: tuple[str, ...]
    right: tuple[str, ...]
    parts: tuple[tuple[str, ...], ...]
    years: tuple[int, ...]
    expanded: tuple[int, ...]
    last: int | None
    quarters: tuple[int, ...]
    months: frozenset[int]
    moment: str
    bound: tuple[Decimal, int | None] | None
    unit: str

    @property
    def asks_change(self) -> bool:
        """Whether it is asked by how much something changed."""
        return bool(self.signs & {"change", "percentage change"})

    def names(self, word: str) -> bool:
        """Whether a word, in lower case, is written as a name is: with a capital, not at the head of the question."""
        return any(form in self.text[1:] for form in (word.capitalize(), word.upper()))


@lru_cache(maxsize=16384)
def content(text: str) -> tuple[str, ...]:
    """The stems of a text but function words and numbers, in order, each once."""
    found = (stem(word) for word in words(text) if word not in FUNCTION and not word[0].isdigit())
    return tuple(dict.fromkeys(found))


MANNER_STEMS = frozenset(stem(word) for word in MANNER)


def _kinds(lower: str, signs: frozenset[str]) -> tuple[str, ...]:
    extreme = bool(signs & {"highest", "lowest", "above", "below"})
    which = WHICH_PERIOD.search(lower)
    if YES_NO.match(lower):
        return ("boolean",)
    if COUNTS.search(lower):
        return ("count", "number")
    if which and not lower.startswith("when"):
        return ("period",) if extreme or which[1] else ("period", "words")
    if HOW_MANY.search(lower) or lower.startswith("how much") or "how much" in lower[:24]:
        return ("number", "words") if "why" in signs else ("number",)
    if (
        LISTED.search(lower)
        and not extreme
        and not (signs & {"change", "average", "percentage change", "ratio", "sum"})
    ):
        return ("names", "words", "number")
    if re.match(r"(?:and |so )?(?:in |for |under )?(?:which|who)\b", lower) and extreme and "above" not in signs:
        return ("name", "words")
    if (NAMES.search(lower) or lower.startswith("what is the")) and extreme and "above" not in signs:
        return ("name", "number", "words")
    if WORDED.match(lower) or "why" in signs or VERB_OF_MEANING.search(lower):
        return ("words", "number")
    if lower.startswith("what are the components"):
        return ("names", "words")
    return ("number", "words")


def _sides(lower: str, signs: frozenset[str]) -> tuple[str, str]:
    """The two sides of a share, ratio or difference; of a share the part first."""
    if found := OF_TO.search(lower):
        return found[1], found[2]
    for pattern in SPLITS:
        if (found := pattern.search(lower)) and lower[: found.start()].strip() and lower[found.end() :].strip():
            return lower[: found.start()], lower[found.end() :]
    if (signs & {"change", "sum", "ratio"}) and (found := BETWEEN.search(lower)):
        return found[1], found[2]
    return "", ""


def _parts(lower: str) -> tuple[tuple[str, ...], ...]:
    """The members of an enumeration: `A, B and C` as three lists of stems."""
    tail = re.split(r"\b(?:of|in|for|from|the|are|is|between)\b", lower, maxsplit=1)[-1]
    found = [core_of(piece) for piece in re.split(r",|;|\band\b|\bor\b|\bplus\b|&", tail)]
    return tuple(piece for piece in found if piece)


RATE_OF_GROWTH = re.compile(r"\b(?:growth|annual) rate\b|\brate of (?:growth|change|increase|decrease)\b")


def core_of(text: str) -> tuple[str, ...]:
    """The stems of a text that may name something."""
    named = RATE_OF_GROWTH.sub(" ", text)
    return tuple(each for each in content(named) if each not in MANNER_STEMS)


def _years(lower: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    short = [2000 + int(match[1]) for match in SHORT_YEAR.finditer(lower) if int(match[1]) < 60]
    years = tuple(dict.fromkeys((*years_in(lower), *short)))
    expanded = list(years)
    for match in NAMED_RANGE.finditer(lower):
        first, last = sorted((int(match[1]), int(match[2])))
        if last - first < 30 and "and" not in match[0]:
            expanded += [year for year in range(first, last + 1) if year not in expanded]
    return years, tuple(sorted(set(expanded)))


def _bound(lower: str, signs: frozenset[str]) -> tuple[Decimal, int | None] | None:
    for name in ("above", "below"):
        if name in signs and (start := SIGNS[name].search(lower)):
            for match in BOUND.finditer(lower, start.end()):
                digits = match[1].replace(",", "").rstrip(".")
                if not YEAR.fullmatch(digits) or match[2]:
                    said = (match[2] or "").rstrip("s")
                    if said in ("%", "percent"):
                        return Decimal(digits), None
                    return Decimal(digits), {"thousand": 10**3, "million": 10**6, "billion": 10**9}.get(said, 1)
    return None


def _unit(lower: str) -> str:
    """What sort of amount is asked for, as far as the words say."""
    if re.search(r"\bpercent\w*|%|\brate\b|\bmargin\b|\byield\b", lower):
        return "rate"
    if re.search(r"\bper (?:\w+ )?share\b|\bprice\b|\bcents\b", lower):
        return "price"
    if re.search(r"\bhow long\b|\bin years\b|\bterm\b|\blife\b", lower):
        return "duration"
    if re.search(r"\bshares\b", lower) and not re.search(r"\b(?:value|price|worth|cost|expense|proceeds)\b", lower):
        return "shares"
    return "count" if HOW_MANY.search(lower) else "plain"


@lru_cache(maxsize=1024)
def read_ask(text: str) -> Ask:
    """The question as read; nothing is looked up in it but its own words."""
    lower = " ".join(text.lower().replace("’", "'").replace("‘", "'").split()).rstrip("?!. ")
    signs = frozenset(name for name, pattern in SIGNS.items() if pattern.search(lower))
    left, right = _sides(lower, signs)
    years, expanded = _years(lower)
    last = LAST.search(lower)
    return Ask(
        text=text,
        lower=lower,
        kinds=_kinds(lower, signs),
        signs=signs,
        stems=content(lower),
        core=core_of(lower),
        left=content(left),
        right=content(right),
        parts=_parts(lower),
        years=years,
        expanded=expanded,
        last=None if last is None else HOW_MUCH.get(last[1]) or int(last[1]),
        quarters=tuple(dict.fromkeys(int(m[1] or ORDER[m[2]]) for m in QUARTER.finditer(lower))),
        months=frozenset(MONTHS.index(match[1]) + 1 for match in MONTH.finditer(lower)),
        moment=moment_of(lower),
        bound=_bound(lower, signs),
        unit=_unit(lower),
    )
