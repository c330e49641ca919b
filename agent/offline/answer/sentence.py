"""What a report tells in words in the place of a figure: quoted as printed, where that is likelier to answer."""

from __future__ import annotations

from collections.abc import Sequence

from tieout.agent.answers.checks.check import SURE_ENOUGH
from tieout.agent.offline.answer.reply import (
    BY_CHANCE,
    GUESS,
    Missing,
    ask_back,
    doubtful,
    in_words,
    reply_of,
    says_so,
    told_of,
    worked_out,
)
from tieout.agent.protocol.message import Amount, Reply, Request, Said
from tieout.agent.question.question import Question
from tieout.agent.question.read import things_of
from tieout.agent.view.told import TELLING_ALL, said_in, told_in
from tieout.kg.fact import Fact
from tieout.kg.figure import text_around, words_of, year_of
from tieout.kg.reports.outline import listed_in
from tieout.ontology.asked.answered import answered_in
from tieout.ontology.asked.language import language
from tieout.ontology.asked.listed import names_alone
from tieout.ontology.asked.measures import find_measures
from tieout.ontology.asked.members import asks_of_parts
from tieout.ontology.asked.quoted import YES_OR_NO, other_part, says_year, years_told
from tieout.ontology.asked.sort import CALLED
from tieout.ontology.asked.words import stems

SURE_OF_SENTENCE = 0.75  # chance that the figure of a sentence with all words of a question is what is asked for
# That such a sentence answers as a whole: where it has a figure or day as is asked for, where words are asked for, and
# where a figure is and it has none. Of those quoted for new questions over reports 6, 4 and 1 of 10 did.
QUOTED, IN_WORDS, NO_FIGURE = 0.55, 0.4, 0.2
# The share of the words of a question in the passage from which its amount answers where it is asked back else; by how
# much more it shall have than another guess says; by how much it fits better than others.
AMOUNT_TOLD, MORE_TOLD, APART = 0.35, 0.2, 0.03
YES_SAID = 0.85  # that one which has all words of a question, or denies them, says yes or no to it
NAMED, NAMED_ONLY = 0.85, 0.65  # that it names all that is asked for, where it says how many, and where not
TELLING = 0.65  # the share of the words of a question from which a sentence answers it
NEAR_TELLING = 0.75  # and from which it has what the question names, though it does not call it so
LEAST_TELLING = 0.55  # and from which it does where else the question is asked back
NEVER = 2.0  # which no sentence has


def or_told(reply: Reply, request: Request, asked: Question, *, is_half: bool) -> Reply:
    """A reply, or in its place the sentence that has nearly all words of a question, where that is likelier; surer
    where it is of the one figure of that sentence that may be asked for. is_half: of two questions it answers one."""
    reply = _no_other_sort(reply, asked)
    is_back, sure = reply.asks_back, reply.chance
    is_so = asked.form != "yes or no" or says_so(reply)
    is_open = is_half or bool(asked.halves) or asked.is_told or looks_ahead(asked)
    is_of_none = asked.form == "why" or (asked.bound is not None and asks_of_parts(asked.lower))
    if is_of_none or (is_so and sure >= SURE_OF_SENTENCE and not is_open):
        return reply
    if (said := _said(request, asked, is_missing=is_back or is_half)) is None:
        return reply
    if said.texts[0] in YES_OR_NO:
        return in_words(said.texts, likely) if (likely := said.share * YES_SAID) > sure * is_so else reply
    if len(said.figures) == 1 and reply.looked_up == frozenset(said.figures):
        return reply.model_copy(update={"confidence": max(sure, round(min(said.share, 1) * SURE_OF_SENTENCE, 4))})
    is_none = is_back or (sure < SURE_ENOUGH and not is_so)  # a figure by itself does not say whether
    is_wanted = is_none or is_half or asked.is_told or _tells_more(said, asked, reply)
    is_likely = is_wanted and said.share >= (LEAST_TELLING if is_back else TELLING)
    is_chosen = is_likely and said.share >= _least_share(said, asked, is_back=is_back)
    chance, facts = _chance_of(said, asked), request.shown.facts
    if not is_chosen:
        return reply
    return _of_its_years(said, request, asked, chance) or in_words(said.texts, chance, facts, asked.asks_for)


def or_amount(request: Request, asked: Question, reply: Reply) -> Reply:
    """A reply to a question for amounts, or in its place those that the running text tells of all that it asks for:
    where it is asked back, or a guess around which fewer words of the question stand."""
    things = things_of(asked)
    is_plain = asked.form in ("figure", "list") and all(
        each.calculation in ("value", "share") and each.kinds[0] == "number" and not each.is_told for each in things
    )
    qualifiers = language().words["qualifiers"] | language().words["of one measure"]  # which a sentence need not have
    is_open = (reply.asks_back or reply.chance < SURE_ENOUGH) and asked.open.isdisjoint(qualifiers)
    if not (is_plain and is_open) or request.view is None:
        return reply
    told = [each for thing in things if (each := request.shown.amount(thing)) is not None]
    names = [*dict.fromkeys(each.fact.name for each in told)]
    is_told = len(told) == len(things) and len(names) in (1, len(things))  # one may be all of it: `tax and interest`
    if not is_told or reply.looked_up == {*names} or min(each.lead for each in told) < APART:
        return reply
    quoted = " ".join(" ".join(map(str, reply.told.get("words") or ())).split())
    is_quoted = bool(quoted) and all(" ".join(each.fact.context.split()) in quoted for each in told)
    used = [request.known[name] for name in reply.looked_up if name in request.known]
    share = min(each.share for each in told)
    is_likelier = share >= AMOUNT_TOLD and all(_covers_more(each, quoted, used) for each in told)
    if is_quoted or not is_likelier:
        return reply
    calls = [("query_kg", {"fact": name}) for name in names]
    answer = {"value": names[0]} if len(names) == 1 else {"values": names, "kind": "list"}
    return reply_of([*calls, ("answer", answer)], round(share * GUESS, 4))


def _covers_more(told: Amount, quoted: str, used: Sequence[Fact]) -> bool:
    """Whether what stands around an amount has clearly more of the words looked for than what a reply rests on."""
    own, other = text_around(told.fact), " ".join((quoted, *map(text_around, used)))
    return not other or told.covers(frozenset(stems(own))) >= told.covers(frozenset(stems(other))) + MORE_TOLD


def _of_its_years(said: Said, request: Request, asked: Question, chance: float) -> Reply | None:
    """The reply by the figure of a sentence that is of the year asked for, or by its change between two years, where
    all its figures are of one thing: `$242 and $260 as of 2013 and 2012, respectively`; None for another sentence."""
    facts = [request.known[name] for name in said.figures if name in request.known]
    is_one = len(facts) > 1 and len({fact.label for fact in facts}) == 1 and len({year_of(fact) for fact in facts}) > 1
    found = {year: [fact.name for fact in facts if year_of(fact) == year] for year in sorted(asked.years, reverse=True)}
    if not is_one or asked.form != "figure" or asked.is_told or any(len(names) != 1 for names in found.values()):
        return None
    names = [name for each in found.values() for name in each]
    if asked.calculation == "value" and len(names) == 1:
        return reply_of([("query_kg", {"fact": names[0]}), ("answer", {"value": names[0]})], round(chance, 4))
    if asked.calculation == "change" and len(names) == 2:
        return reply_of(worked_out(names, [("subtract", names)], f"turn{request.turn}_"), round(chance, 4))
    return None


def _least_share(said: Said, asked: Question, *, is_back: bool) -> float:
    """The share of the words of a question from which a sentence answers it: what it names under another name too where
    it is asked back else, but no line of a statement that is not there."""
    measured = {each.name for text in said.texts for each in find_measures(text.lower())}
    left = {each.name for each in asked.named} - measured
    if left and language().forms["what is left"].search(asked.lower) is None:  # which no statement has
        return NEAR_TELLING if is_back and asked.open else NEVER
    names = {word for word in asked.open if asked.writes_as_name(word)}
    return LEAST_TELLING if is_back and names <= words_of(" ".join(said.texts)) else TELLING


def _no_other_sort(reply: Reply, asked: Question) -> Reply:
    """A reply; a guess where it says yes or no to what holds nothing against anything, asked back where it is a year
    and a name or a day is asked for."""
    is_plain = asked.form == "yes or no" and asked.calculation == "value" and asked.bound is None
    if says_so(reply) and is_plain and asked.cues.isdisjoint(("above", "below", "more", "fewer", "compared", "since")):
        why = "nothing is said that its figures are held against"
        is_of_none = not asked.named and "value" in reply.told
        return ask_back(Missing(f"No figure is asked for, and {why}.")) if is_of_none else doubtful(reply, why)
    if asked.is_told and reply.told.get("kind") == "period":
        return ask_back(Missing(f"No {CALLED[asked.asks_for]} of {' '.join(asked.search)} was found."))
    return reply


def _said(request: Request, asked: Question, *, is_missing: bool) -> Said | None:
    """The sentence that has most words of a question; of a page only if a figure is not there, or not asked for."""
    said = None if request.history and "points back" in asked.cues else request.shown.said()
    if said is None and request.view is None and (is_missing or asked.form == "yes or no"):
        return said_in(asked, request.card)
    return said


def looks_ahead(asked: Question) -> bool:
    """Whether a question is for what is expected, which no line of a statement is."""
    return asked.calculation == "value" and language().forms["looks ahead"].search(asked.lower) is not None


def _tells_more(said: Said, asked: Question, reply: Reply) -> bool:
    """Whether a sentence has a figure for each thing that a question asks for, where a reply has fewer or is open; or
    all words of it, where that is no more than a guess."""
    things, sure, is_left = things_of(asked), reply.chance, bool(reply.unaccounted)
    is_open = is_left or sure < (BY_CHANCE if len(asked.several) > 1 else SURE_ENOUGH)
    if len(said.figures) >= len(things) > 1 and (is_open or told_of(reply, asked) < len(things)):
        return True
    is_all, is_value = said.share >= TELLING_ALL, asked.calculation == "value"
    is_loose = is_value and (not asked.named or asked.kinds[0] == "words")
    is_less = sure < BY_CHANCE or (is_left and is_all)
    return (is_loose and is_less) or (bool(said.figures) and is_all and _chance_of(said, asked) > sure)


def _chance_of(said: Said, asked: Question) -> float:
    """The chance that a sentence answers as a whole, by how many words of a question it has."""
    is_number = asked.kinds[0] == "number"
    chance = QUOTED if said.figures or asked.is_told else NO_FIGURE if is_number else IN_WORDS
    return min(said.share, 1) * chance


def meant(request: Request, asked: Question) -> Reply | None:
    """What a page says in words that a first question asks for, likely; None where it has no such sentence."""
    is_page = request.shown.first is None and not request.history
    marked = {mark.strip("()[]"): fact.label for fact in request.shown.facts for mark in fact.marks} if is_page else {}
    found = answered_in(asked.lower, request.shown.sentences, marked) if is_page else None
    return in_words(found[:1], found[1]) if found else None


def naming(request: Request, asked: Question) -> Reply | None:
    """The sentence that names all that a first question wants the names of; None where none does."""
    if request.history or listed_in(request.card.text) or names_alone(asked.lower) is None:
        return None
    said = said_in(asked, request.card) if request.view is None else request.shown.said()
    if said is None or said.names is None or said.share < (TELLING if said.names.is_counted else NEAR_TELLING):
        return None
    reply = in_words(said.texts, said.share * (NAMED if said.names.is_counted else NAMED_ONLY))
    return doubtful(reply, "there may be more of them") if said.names.is_open else reply


def quoted(request: Request, asked: Question) -> Reply | None:
    """The reply to a question for what reports tell in words: as it is printed; asked back where it is nowhere told, as
    no figure answers it. None where something else is asked for."""
    if not asked.told:
        return None
    told = request.shown.told.get(asked.told) or told_in(asked, request.card.sentences)
    if not told:
        return ask_back(Missing(f"No sentence, cover or signature that was found tells of the {asked.told}."))
    wanted = language().told[asked.told]
    reply = in_words(told, wanted.chance, request.shown.facts, asked.asks_for)
    if part := other_part(asked.told, asked.lower, asked.open, told):
        return doubtful(reply, f"nothing that is quoted says that it is of {part}")
    years = years_told(told)
    if (wanted.is_count or wanted.is_latest) and asked.years and years and years.isdisjoint(asked.years):
        return doubtful(reply, f"what is quoted is of {max(years)}, and not of {asked.years[0]}")
    if (asked.asks_for == "date" or asked.form == "year") and not says_year(told):
        return doubtful(reply, "when is asked for, and no year is quoted")
    is_moved = asked.asks_change or not asked.cues.isdisjoint(("fewer", "compared"))
    return doubtful(reply, "how it moved is asked for") if is_moved and not wanted.is_besides else reply


def is_figure_of(reply: Reply, told: Reply, request: Request) -> bool:
    """Whether a reply is likely, and one figure of a sentence that is quoted."""
    facts = [request.known[name] for name in reply.looked_up]
    said = " ".join(" ".join(map(str, told.told.get("words") or ())).split())
    is_one = len(facts) == 1 and facts[0].sentence is not None and not reply.is_calculated
    return is_one and reply.chance >= SURE_ENOUGH and " ".join(facts[0].context.split()) in said


def is_of_staff(request: Request, asked: Question, reply: Reply) -> bool:
    """Whether what a reply tells says that it counts what a question for a number of people counts; so for all else."""
    used, near = reply.looked_up, language().told[asked.told].near
    facts = (f"{fact.label} {fact.context} {fact.unit}" for fact in request.shown.facts if fact.name in used)
    said = " ".join((*facts, *map(str, reply.told.get("words") or ()))).lower()
    return not asked.asks_count or reply.asks_back or any(each in said for each in near)
