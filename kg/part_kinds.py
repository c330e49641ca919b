"""Of what kind figures side by side are, by what they are called: countries, places, parts of the company or of one of
its parts, or lines of a statement, which are no parts. What a question asks for is given in its own words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from tieout.kg.drafts.parts.places import is_item
from tieout.kg.fact import Fact
from tieout.kg.figure import is_of_same_time, words_of
from tieout.kg.lineup import Parts
from tieout.ontology.asked.language import language
from tieout.ontology.asked.measures import find_measures
from tieout.ontology.labels.lexicon import singular

LONGEST = 5  # words of the name of a part
OTHER_KIND = 4  # words of a question that count less for figures of another kind than it asks for


def mostly(form: str, names: Sequence[str]) -> bool:
    """Whether most of some names are such as a form says."""
    return 2 * sum(language().forms[form].search(name) is not None for name in names) >= len(names)


def of_company(asks: str) -> bool:
    """Whether the words that ask for parts ask for those of the company, which are called as no line is."""
    return not words_of(asks.partition("(")[0]).isdisjoint(language().words["of the company"])


def no_places(asks: str, parts: Parts, told: Parts) -> bool:
    """Whether the words that ask want places, and the parts that are told are none as far as their names, those beside
    them and their table say. parts: all that are beside each other."""
    forms, over = language().forms, f"{parts.figures[0].caption} {parts.figures[0].section}".lower()
    if forms["of countries"].search(asks):
        return not any(map(forms["is a country"].search, told.names))
    if any(map(forms["a place"].search, told.names)) or not forms["of places"].search(asks):
        return False
    return mostly("a place", parts.names) or not forms["of places"].search(over)


def is_inner(asks: str, fact: Fact) -> bool:
    """Whether a table has the parts that are asked for inside others: divisions of one `by segment and division`."""
    of_part = language().words["of a part"]
    levels = [word for text in fact.caption.lower().split() if (word := singular(text.strip(","))) in of_part]
    return len(levels) > 1 and levels[0] != levels[-1] and levels[-1] in words_of(asks)


def kind_score(asks: str, question: str, measured: Set[str], figures: Sequence[Fact], names: Sequence[str]) -> int:
    """How much more or less figures are of the kind that is asked for, in words of a question. asks: its words that ask
    for parts; measured: the names of what it measures. Not meant are lines of statements, costs, countries where any
    part may be, and the parts of one part alone that the question does not name."""
    forms = language().forms
    own = [name for name in names if not forms["of no part"].search(name)] or names
    if forms["of countries"].search(asks):
        return 3 * mostly("is a country", own)
    if forms["of places"].search(asks):
        return 2 * mostly("a place", own)
    if not of_company(asks):
        return -mostly("is a country", own)
    items = [
        low for name in own if is_item(low := name.lower()) or {each.name for each in find_measures(low)} - measured
    ]
    are_items = 2 * len(items) >= len(own) or all(fact.value < 0 for fact in figures)
    shared = frozenset.intersection(*(frozenset(fact.parts) for fact in figures)) - {*names}
    is_of_one = any(words_of(part) - words_of(question) for part in shared if len(part.split()) <= LONGEST)
    return -OTHER_KIND * (are_items + is_of_one) - mostly("is a country", own)


def is_of_one_part(parts: Parts, others: Iterable[Parts], question: str) -> bool:
    """Whether parts are those of one part alone, by whose name their table is called, and the question does not name
    it. others: the parts beside which that one may stand."""
    over = words_of(parts.figures[0].caption)
    return not over <= words_of(question) and any(over == words_of(name) for each in others for name in each.names)


def goes_on(parts: Parts, other: Parts) -> bool:
    """Whether a table that is too wide for its page goes on with other parts: in the same line, under one caption."""
    one, two = parts.figures[0], other.figures[0]
    is_line = bool(one.caption) and (one.caption, one.label) == (two.caption, two.label) and is_of_same_time(one, two)
    return is_line and {*parts.names}.isdisjoint(other.names)


def without(parts: Parts, totals: Iterable[str], but: Sequence[str], asks: str, *, is_abroad: bool) -> Parts:
    """Parts without those that a question leaves out, by their own name or that of the total below each of them; where
    it asks for countries, without `Rest of world` too."""
    forms = language().forms
    at_home, is_country = forms["home"].match, forms["is a country"].search
    out = [words for name in but if not at_home(name) and (words := words_of(name))]
    is_abroad = is_abroad or any(map(at_home, but))
    called = [words_of(f"{total} {name}") for total, name in zip(totals, parts.names, strict=True)]
    kept = [at for at, words in enumerate(called) if not any(each <= words for each in out)]
    if forms["of countries"].search(asks):
        kept = [at for at in kept if is_country(parts.names[at]) or not forms["a place"].search(parts.names[at])]
    return parts.only([at for at in kept if not (is_abroad and at_home(parts.names[at]))])
