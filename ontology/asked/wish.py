"""What a question says of how to answer it, which is no part of what it asks.

`Answer in USD millions.`, `Using only the information within the balance sheet, ...`, `(in units of percents)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from functools import lru_cache

from tieout.ontology.asked.language import language
from tieout.ontology.asked.measures import Named
from tieout.ontology.asked.when import YEAR
from tieout.ontology.asked.words import POSSESSIVE

MOST_TOLD = 600  # characters of a question in which what is told in words is asked for: of more it takes long
# A sentence ends in front of another one; the dot of `Ms.` ends none, and before a bracket that of a name: `Alder Bank,
# N.A. (...)`.
_SENTENCE = re.compile(
    r"(?<=[.?!])(?<!\b[DM][rs]\.)(?<!\bMrs\.)\s+(?=[A-Z])|"
    r"(?<=[.?!])(?<![.\s][A-Z]\.)(?<!Inc\.)(?<!Corp\.)(?<!Co\.)(?<!Ltd\.)\s+(?=\()"
)
# A sentence that begins so tells somebody what to do; it is left out where another one asks.
_TOLD = re.compile(
    r"\s*(?:please\s+)?(?:answer|give|round|base|calculate what|address|assume|respond|provide|express|state|show|use|"
    r"rely|report your|keep|write|explain|if (?:the|your|there|you))\b",
    re.IGNORECASE,
)
# What stands in front of the words that ask, and says only where to look.
_ASKS = r"(?:what|which|how|who|whose|when|did|does|do|is|are|was|were|has|have|by (?:what|how))\b"
_LEADS = re.compile(
    r"^\s*(?:(?:answer|consider|address)\b[^:]*:|"
    r"(?:using|according to|taking|by|based (?:solely |only )?on|from|relying|in (?:light|view) of|considering|"
    r"looking at|drawing|given|as (?:shown|stated|reported|outlined))\b"
    r"[^,?]*\b(?:information|details?|data|line items?|figures|statements?|sheet|financials|report|filing)\b[^,?]*,)"
    rf"\s*(?={_ASKS})",
    re.IGNORECASE,
)
_MONEY = r"(?:us|u\.s\.)?\s*(?:dollars?|usd|eur|gbp|\$)"
_BRACKET = re.compile(
    rf"\(\s*in (?:{_MONEY}|thousands?|millions?|billions?|units?|percent\w*|%)[^)]*\)|\((?-i:\s*[A-Z]{{2,6}}\s*)\)",
    re.IGNORECASE,
)
_PLACES = re.compile(
    r",?\s*(?:and )?(?:round(?:ed)? (?:your answer )?)?(?:to|with) [a-z0-9]+ (?:decimals?(?: places?)?|dp)\b|"
    r"\([a-z0-9]+ decimals?(?: places?)?\)",
    re.IGNORECASE,
)
_STATEMENT = (
    r"(?:the |its )?(?:consolidated )?(?:cash[ -]flow statements?|income statement|balance sheet|p ?& ?l|"
    r"statements? of (?:cash flows?|operations|earnings|income))"
)
_UNMOVED = "".join(rf"(?<!{word})" for word in ("change", "increase", "decrease", "difference", "growth", "movement"))
# Where to look: `according to the cash flow statement`, and `in the cash flow` where no cash flow is asked for.
_WHERE = re.compile(
    rf"{_UNMOVED},? \b(?:according to|going by|as per|per|from|in|on|using|as (?:shown|reported) (?:in|on)) "
    rf"(?:{_STATEMENT}|the cash flows?(?= (?:go|rise|fall|grow|change|increase|decrease|up|down|in|for|vs|versus|and|"
    r"(?:fiscal |fy ?)?\d)|\W*$))(?![\w-])(?! (?:total|size))|"
    rf"[,(] ?(?:{_STATEMENT}|(?<=\()cash flows?(?=\)))\)?"
    r"(?=,? (?:(?:in|for) )?(?:fiscal (?:year )?|fy ?)?(?:19|20)\d\d\W*$|\W*$)",
    re.IGNORECASE,
)
# `over` that divides, which `over the year` does not.
_OVER = (
    r"over (?!(?:the |an? |one |this |that |these |those |last |past |prior |its |[a-z]+ )?"
    r"(?:years?|quarters?|months?|weeks?|days?|time|periods?|course|decade|(?:fy|fiscal) ?\d*|(?:19|20)\d\d)\b"
    r"(?![- ]end))"
)
# How a question goes on that says of what to calculate: `take all debt over equity`, `using net income and equity`.
_TAKE = (
    r"(?:please |pls )?(?:take|use|using|based on|work with|(?:calculate|compute|define|measure|take) (?:it|this|that)"
    r"(?: (?:as|from|by|with|using|on))?|(?:calculated|computed|worked out|made) (?:from|by|with|using|on))"
)
_TAKEN = re.compile(
    rf"[.?;]\s+(?={_TAKE} [^.?!]{{1,120}}(?: {_OVER}| / |/| divided by | minus | less | plus | and )[^.?!]*[.?!]?\s*$)",
    re.IGNORECASE,
)
_AND = re.compile(rf"(?:{_TAKE}) .+\band\b", re.IGNORECASE)
_SPELLED = re.compile(
    rf"\s*(?:\((?P<inside>[^()]*)\)|(?:[,.;?]? (?:{_TAKE}) "
    r"|, (?:(?:[\w&-]+ ){1,3}= |taking |counting |with |"
    rf"(?!(?:19|20)\d\d\b|and\b|or\b)(?=.{{1,120}} (?:{_OVER}|(?:/|divided by|minus|less|plus) )))"
    r"| = |: | [-–—] |,? (?:i\.e\.,?|that is,?|meaning|(?:taken|calculated|computed|measured|defined) as) )"
    r"(?P<behind>.+)$)",
    re.IGNORECASE,
)
_WHAT = re.compile(r"\b(?:what|which|how (?:much|many|far))\b", re.IGNORECASE)  # of another question
OPERATES = re.compile(rf"\b(?:less|minus|plus|{_OVER}|divided|times|average|mean)\b|[-+/÷×*=−] ", re.IGNORECASE)
_SCALE = re.compile(rf"\b(?:in|to)(?: the| full| us)* ({'|'.join(language().scales)})s?\b")
_SEARCHED = re.compile(r"[a-z0-9]+(?:[&'./-][a-z0-9]+)*")
_FILLER = re.compile(r"\bunadjusted\b|%(?=\s+margin)", re.IGNORECASE)  # `unadjusted`: as it is printed
_SAID = re.compile(r"(?<![\w'’.-])[A-Za-z]+(?:['’][a-z]+)?(?![\w-])")
_PERCENT = re.compile(r"\b(?:percent|pct)|%", re.IGNORECASE)
_DEFINED = re.compile(r"\bdefined? (?:as|to be)\b|\bdefine\b[^.?]*\bas\b", re.IGNORECASE)


def asked_part(question: str) -> str:
    """The question without what it says of how to answer it; as it is where nothing would be left of it."""
    sentences = _SENTENCE.split(_TAKEN.sub(", ", _shortened().sub(r"\1", question.strip())))
    asking = [each for each in sentences if "?" in each]
    kept = asking or [each for each in sentences if not _TOLD.match(each)]
    text = _FILLER.sub(" ", _LEADS.sub("", _PLACES.sub("", _BRACKET.sub(" ", " ".join(kept)))))
    if not text.strip(" ?."):
        return question
    is_lost = _PERCENT.search(question) is not None and _PERCENT.search(text) is None
    return f"{text.rstrip(' ?.')} in percent?" if is_lost else text


@lru_cache(maxsize=1)
def _shortened() -> re.Pattern[str]:
    """Short forms of words with the dot that ends no sentence: `adj. EBITDA`."""
    return re.compile(rf"\b({'|'.join(filter(str.isalpha, language().cut))})\.(?=\s+(?!{_ASKS})\S)", re.IGNORECASE)


def defines(question: str) -> bool:
    """Whether a question says itself what a term in it means."""
    return _DEFINED.search(question) is not None


def without_where(asking: str) -> str:
    """A question without the statement that it says to look in, where it asks something else too."""
    rest = _WHERE.sub("", asking)
    is_asked = len(rest.split()) > (2 if language().forms["words"].match(rest.lower()) else 1)
    return rest if is_asked else asking


def spelled_out(asking: str) -> tuple[str, str] | None:
    """A question without what it spells out for a term, a calculation or what stands in brackets, and that: `free cash
    flow (operating cash flow less capital expenditures)`, `turnover = cost of sales / inventory`. None for nothing."""
    for match in _SPELLED.finditer(asking):
        said = match["inside"] or match["behind"]
        is_told = said and (match["inside"] or OPERATES.search(said) or _AND.match(match[0].lstrip(" ,.;?")))
        if said and is_told and not _WHAT.search(said):
            return f"{asking[: match.start()]} {asking[match.end() :]}".strip(), said
    return None


def plainer(question: str) -> Iterator[str]:
    """A question without the words that say nothing of what is asked for, and without a clause before it too."""
    known = language()
    for text in dict.fromkeys((question, known.forms["a clause ahead"].sub("", question))):
        said = _SAID.sub(lambda word: "" if word[0].lower() in known.words["idle"] else word[0], text)
        plain = " ".join(said.split())
        if plain != " ".join(question.split()):
            yield plain


def scales_in(lower: str) -> Iterator[int]:
    """The scales in which a question wants its answer, those of one dollar too."""
    for match in _SCALE.finditer(lower):
        yield 1 if match[1] == "dollars" else language().scales[match[1].rstrip("s")]


def asked_in_words(lower: str, named: Sequence[Named]) -> str:
    """What a text asks for that reports tell in words; "" for nothing, as where it names a figure: `revenue by the
    headquarters of customers`. A name that is as well that of what is told, `CFO`, is of no figure."""
    for name, each in language().told.items():
        if each.asked.search(lower, 0, MOST_TOLD):
            own = {near.lower() for near in each.near}
            return name if each.is_besides or all(figure.said.lower() in own for figure in named) else ""
    return ""


def sort_of(cues: Set[str]) -> str:
    """What sort of amount is asked for, as far as the words say."""
    if cues & {"percent", "rate"}:
        return "rate"
    if cues & {"per share", "price"}:
        return "price"
    if "duration" in cues:
        return "duration"
    if "shares" in cues and "money" not in cues:
        return "shares"
    return "count" if "how many" in cues else "plain"


def pointing_in(left: str, right: str) -> str:
    """Which of two sides points back: `left`, `right`, `both` or `neither`; "" where there are no sides."""
    if not (left or right):
        return ""
    cue = language().cues["points back"]
    points = [side for side, text in (("left", left), ("right", right)) if cue.search(text)]
    return "both" if len(points) == 2 else points[0] if points else "neither"


def searched_in(lower: str) -> tuple[str, ...]:
    """The words of a question that are looked for in reports, each once."""
    known = language().words
    manner = known["function"] | known["asking"]
    found = (POSSESSIVE.sub("", word) for word in _SEARCHED.findall(lower))
    return tuple(
        dict.fromkeys(word for word in found if len(word) > 1 and word not in manner and not YEAR.fullmatch(word))
    )
