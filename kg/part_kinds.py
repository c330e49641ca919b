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
from tieout.ontology.metrics.line_item import find_line_item

LONGEST = 5  # words of the name of a part
INNER = 8  # words that count for parts of parts, which alone may be meant
OTHER_KIND = 4  # words of a question that count less for figures of another kind than it asks for


def mostly(form: str, names: Sequence[str]) -> bool:
    """Whether most of some names are such as a form says."""
    return 2 * sum(language().forms[form].search(name) is not None for name in names) >= len(names)


def of_company(asks: str) -> bool:
    """Whether the words that ask for parts ask for those of the company, which are called as no line is."""
    return not words_of(asks).isdisjoint(language().words["of the company"])


def kind_of(asks: str, but: Set[str]) -> frozenset[str]:
    """The words by which a question calls the parts, of which any segment may be one. asks: its words that ask for
    them; but: words that are of one part alone."""
    known = language().words
    manner = known["function"] | known["asking"] | known["of a part"] | known["of small parts"] | known["of a sort"]
    words = words_of(language().forms["superlative"].sub(" ", asks))
    return words - manner - frozenset(language().numbers) - but


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


def said_over(asks: str, total: str, fact: Fact, names: Sequence[str]) -> int:
    """How much of a question speaks for some parts: its words that stand over them, right over them twice; that it says
    how many they are; that it asks for places, and they are called so. What is asked for may be called otherwise. asks:
    its words that ask for parts; total: what the total below them is called; fact: the first of their figures."""
    known, numbers, forms = language().words, language().numbers, language().forms
    of_part = known["of a part"]  # `operating segment` stands over no operating revenues
    words = words_of(asks) & of_part or words_of(asks) - known["function"] - known["asking"]
    near, over = words_of(f"{fact.caption} {fact.section} {total}"), words_of(fact.heading)
    counted = [numbers[word] == len(names) for word in asks.split() if word in numbers and " of " in asks]
    items = [find_line_item(name) for name in names if " " in name]
    is_line = 2 * all(find_measures(name.lower()) for name in names) + any(items)
    places = [forms["is a country"].search(name) is not None for name in names]
    is_other = (words.isdisjoint(near) or "geographic" in near) and any(places)
    are_places, are_made = mostly("a place", names), words_of(asks) & known["of what is made"]
    is_apt = are_places if forms["of places"].search(asks) else -is_other - 2 * (are_places and bool(are_made))
    own = len(words & near) + any(counted) - bool(counted and not any(counted)) - is_line + is_apt
    made, called = known["of what is made"], of_part & near
    # A division is no product.
    called = called if bool(called & made) == bool(words & made) or words & near else frozenset()
    is_part = bool(words & of_part) * (2 * bool(called) or bool(of_part & over))
    named = [words_of(name) & of_part for name in names]
    is_level = (
        2 * sum(map(bool, named)) > len(named) and bool(words & of_part) and words.isdisjoint(frozenset().union(*named))
    )
    return 2 * own + max(len(words & over), is_part) - INNER * is_level


def is_called(parts: Parts, name: str) -> bool:
    """Whether parts, or what stands over them, are called by the name of such parts, in the singular: `segment`."""
    around = {f"{fact.caption} {fact.heading} {fact.section} {fact.header}" for fact in parts.figures}
    return name in words_of(" ".join((*around, *parts.names)))


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
    it asks for countries, without `Rest of world` too; where it asks for those at home, without other countries."""
    forms = language().forms
    at_home, is_country = forms["home"].match, forms["is a country"].search
    out = [words for name in but if not at_home(name) and (words := words_of(name))]
    is_abroad = is_abroad or any(map(at_home, but))
    called = [words_of(f"{total} {name}") for total, name in zip(totals, parts.names, strict=True)]
    kept = [at for at, words in enumerate(called) if not any(each <= words for each in out)]
    if forms["of countries"].search(asks):
        kept = [at for at in kept if is_country(parts.names[at]) or not forms["a place"].search(parts.names[at])]
    if "united" in words_of(asks):  # `the largest U.S. locations`
        kept = [at for at in kept if at_home(parts.names[at]) or not is_country(parts.names[at])]
    return parts.only([at for at in kept if not (is_abroad and at_home(parts.names[at]))])
