"""The offline backend: reads the question, weighs its readings, makes the calls that a language model would make."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property, wraps
from itertools import zip_longest
from typing import TypeVar, cast

from tieout.agent.answers.checks.check import CERTAIN, SURE_ENOUGH
from tieout.agent.answers.checks.sanity import other_qualifiers
from tieout.agent.offline.answer.beside import held_against, is_same, looked_up_by
from tieout.agent.offline.answer.by_name import (
    Missing,
    answer_by_measure,
    answer_each,
    ask_back,
    has_words,
    no_question,
    nothing_found,
    reply_of,
)
from tieout.agent.offline.answer.chosen import answered
from tieout.agent.offline.answer.claim import guessed, held, says_so
from tieout.agent.offline.answer.company import of_another, of_the_company, without_company
from tieout.agent.offline.answer.derived import reckoned
from tieout.agent.offline.answer.lacking import lacking, unaccounted
from tieout.agent.offline.answer.printed import is_as_asked
from tieout.agent.offline.answer.row import in_one_row
from tieout.agent.offline.answer.several import (
    GUESS,
    Call,
    as_written,
    calculated,
    chosen_of,
    completed,
    doubtful,
    half,
    in_one_line,
    is_of_all,
    tells_beside,
    together,
    told_of,
)
from tieout.agent.offline.answer.stated_days import timely
from tieout.agent.offline.answer.unprinted import is_other_balance
from tieout.agent.offline.candidates.context import recall
from tieout.agent.offline.candidates.figure import in_fiscal_years, in_printed_days
from tieout.agent.offline.operands.grounding import Aim, aim
from tieout.agent.offline.operands.linking import IS_CONCEPT, Lines
from tieout.agent.offline.operands.same_line import same_line
from tieout.agent.offline.ranking.by_measure import ByMeasure, by_measure
from tieout.agent.offline.ranking.choose import Choice, choose
from tieout.agent.offline.ranking.model import Model, Ranked, load_model
from tieout.agent.offline.ranking.reader import Found, WholeReader
from tieout.agent.offline.ranking.weigh import Weigher, load_weigher
from tieout.agent.protocol.message import Card, Reply, Request, Said
from tieout.agent.question.in_full import Asked, in_full
from tieout.agent.question.question import Question, Single
from tieout.agent.question.read import read_question, things_of
from tieout.agent.question.sides import in_claims, in_sides, is_claim
from tieout.agent.question.topic import MOVES, Full
from tieout.agent.view.outline import listed_in
from tieout.agent.view.told import TELLING_ALL, said_in, told_in
from tieout.data.printed.unit import Unit, is_currency
from tieout.data.system.collecting import without_collecting
from tieout.kg.days import PrintedDays, printed_days
from tieout.kg.fact import Fact
from tieout.kg.figure import is_instant, is_of_odd_length, words_around, words_of, year_of
from tieout.kg.index.statement import main_facts
from tieout.kg.made_of import rows_made_of
from tieout.kg.moves import is_moved
from tieout.kg.page import Page
from tieout.kg.sense import is_other_sort
from tieout.ontology.asked.answered import answered_in
from tieout.ontology.asked.apart import taken_apart
from tieout.ontology.asked.language import language
from tieout.ontology.asked.listed import names_alone
from tieout.ontology.asked.measures import find_measures
from tieout.ontology.asked.members import asks_of_parts
from tieout.ontology.asked.quoted import YES_OR_NO, other_part, says_year, years_told
from tieout.ontology.asked.several import dated_as, of_one
from tieout.ontology.asked.sort import CALLED
from tieout.ontology.asked.tree import STRONG, joined_by
from tieout.ontology.asked.when import YEAR
from tieout.ontology.asked.wish import plainer
from tieout.ontology.metrics.formula import Apply
from tieout.ontology.metrics.formula import Operand as Part
from tieout.ontology.metrics.line_item import MAIN_STATEMENTS, find_line_item, line_items
from tieout.ontology.metrics.metric import has_optional, metrics

Made = TypeVar("Made")
KINDS = {"year": "period", "measure": "name with value"}  # of the answers to questions of these forms
NOTHING = Missing("The report has no figure to answer this from.")
ASIDE = "The likeliest reading has no answer that can be given"
MOST_QUOTED = 300  # characters of what a tool says
SURE_OF_MEASURE = 0.8  # chance from which what a question names is not weighed against other readings
LEAST_GUESS = 0.1  # chance from which a question is answered by its words, though what it names is not there
# The operations by which readings make what a tree of several measures is, where it is not its own alone.
OF_TREES = {"divide": {"divide", "percentage"}, "add": {"add", "sum"}}
MOST_PREPARED = 16  # cards: the statements of reports that are asked in turn, and what was shown beside them
SURE_OF_SENTENCE = 0.75  # chance that the figure of a sentence with all words of a question is what is asked for
# That such a sentence answers as a whole: where it has a figure or day as is asked for, where words are asked for, and
# where a figure is and it has none. Of those quoted for new questions over reports 6, 4 and 1 of 10 did.
QUOTED, IN_WORDS, NO_FIGURE = 0.55, 0.4, 0.2
YES_SAID = 0.85  # that one which has all words of a question, or denies them, says yes or no to it
MADE_OF = 0.6  # chance that rows which make up what is asked for are the ones that it asks for
TELLING = 0.65  # the share of the words of a question from which a sentence answers it
NEAR_TELLING = 0.75  # and from which it has what the question names, though it does not call it so
LEAST_TELLING = 0.55  # and from which it does where else the question is asked back
LEAST_OF_BACK, LEAST_SAID = 0.6, 0.3  # and from which it is quoted as a guess; of a time that is yet to come
# Operations of two figures that are each asked for, whatever the question for both comes to.
HELD = ("greater", "direction", "list", "add", "percentage_points", "add size", "subtract size", *STRONG)
LEAST_PRINTED, SURE_PRINTED = 0.5, 0.9  # chance of a figure that may be printed as it is asked for, and if it is
SURE_OF_LINE = 0.94  # chance of one figure of a line that a question calls by its name, which is seldom another one
SURE = 0.97  # that what a question leaves out is that of the one before
KEPT_RATE = 0.85  # that a share or a growth is asked for again where another line is named alone
RATES, _YEARS = ("percentage", "percentage_change"), frozenset(("whole year", "yearly"))
NAMED, NAMED_ONLY = 0.85, 0.65  # that a sentence names all that is asked for, where it says how many, and where not
BY_CHANCE = 0.3  # chance below which an answer is as good as none
OTHER_ITEM = 0.45  # chance below which a line that is known as another is not the one that is meant


@dataclass(frozen=True)
class Prepared:
    """What is shown, prepared once for all questions that see the same, each part of it for the first that needs it."""

    card: Card
    weigher: Weigher | None

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """The figures that may answer: `No customer accounted for 10% or more of sales` tells none."""
        denies = language().forms["denies"]
        return tuple([each for each in self.card.facts if each.sentence is None or not denies.match(each.context)])

    @cached_property
    def lines(self) -> Lines:
        return Lines(self.facts, self.card.statements, self.card.concepts)

    @cached_property
    def days(self) -> PrintedDays:
        return printed_days(self.card.facts)

    @cached_property
    def page(self) -> Page:
        return Page(self.facts)

    @cached_property
    def stated(self) -> Card | None:
        """The statements alone, of a report or of a page that has all three."""
        facts = main_facts(self.card.facts) if self.card.first is None and self.card.sentences else ()
        return Card(document_id=self.card.document_id, facts=facts, text="") if facts else self.card.first

    @cached_property
    def reader(self) -> WholeReader:
        return WholeReader(self.page, self.card.sentences, self.weigher)


class OfflineBackend:
    """Answers without any model of language: the same request always gets the same reply, in milliseconds.

    What a question leaves out is put into it, and what it asks in several is asked apart. What it names is read of the
    statements alone where these surely have it, and all else of all that is shown, a page or a view of reports alike.
    In a view the figures of what is named are held against those that the words may mean, by themselves and as a step
    of the conversation. A sentence is quoted where it is likelier, and it is asked back where nothing is likely. Last
    the chance is held against what other ways to read the question come to; below `CERTAIN` it says what else is meant.

    model, weigher: the weights; those that come with tieout unless given.
    """

    name = "offline"

    def __init__(self, model: Model | None = None, weigher: Weigher | None = None) -> None:
        self.model, self._weigher = model, weigher
        self._prepared: tuple[Prepared, ...] = ()

    def reply(self, request: Request) -> Reply:
        """One reply with all calls of the turn."""
        if request.in_full is not None and listed_in(request.card.text):
            request = _as_first(request, request.in_full.text)
        with without_collecting(is_kept=True):  # which could take longer than the reply, of all that is open
            turn = _Turn(self)
            return turn.beside(request, turn.answered(request))

    def shown(self, card: Card) -> Prepared:
        """What is shown, prepared once for all turns that see it."""
        known = next((each for each in self._prepared if each.card is card), None)
        if known is None:
            known = Prepared(card, self._weigher)
        self._prepared = (known, *(each for each in self._prepared if each is not known))[:MOST_PREPARED]
        return known

    def choose(
        self, found: Found | None, readings: Sequence[Ranked], goal: Aim, named: ByMeasure | None
    ) -> Choice | None:
        """The likeliest of what both readers have."""
        return choose(found, readings, goal, self._weigher or load_weigher(), named)


def _once(read: Callable[..., Made]) -> Callable[..., Made]:
    """A way to read that is gone once in a turn for each question and what is shown for it."""

    @wraps(read)
    def kept(turn: _Turn, request: Request, *of: Hashable) -> Made:
        key = read, request.question, request.in_full, len(request.history), id(request.shown), *of
        if key not in turn.made:
            turn.made[key] = read(turn, request, *of)
        return cast(Made, turn.made[key])

    return kept


class _Turn:
    """One turn of a backend, with what was read for it so far."""

    def __init__(self, backend: OfflineBackend) -> None:
        self.backend, self._shown = backend, backend.shown
        self.made: dict[Hashable, object] = {}

    def answered(self, request: Request) -> Reply:
        """The reply to a question, or to one of those that are asked in it."""
        reply = _of_its_sort(request, self._apart(request, _in_parts(request, _tied(request, self._replied(request)))))
        reply = self._plainly(request) or _said_of(request) or reply if _is_asked_back(reply) else reply
        return self._claimed(request, self._settled(request, reply))

    def _claimed(self, request: Request, reply: Reply) -> Reply:
        """A reply to a question for yes or no; where it does not surely say so, by the figures of what it claims."""
        full = request.in_full or Full(request.question, is_first=not request.history)
        text = full.text if full.is_first else ""  # which stands by itself
        is_asked = all(map(is_claim, map(read_question, (text, request.question)))) and not request.exchanges
        if not is_asked or listed_in(request.card.text) or (says_so(reply) and _is_sure(reply, CERTAIN)):
            return reply
        reply = guessed(reply) if reply.unaccounted else reply
        chance = (reply.confidence or 0) * says_so(reply)
        for claim in in_claims(text):
            sides = [_as_first(request, each, in_sides(each)) for each in claim.sides]
            made = held(claim, sides, list(map(self.answered, sides))) if chance < CERTAIN else None
            if made is not None and (made.confidence or 0) > chance:
                reply, chance = made, made.confidence or 0
        is_other = "value" in reply.calls[-1].arguments and not says_so(reply)
        return ask_back(Missing("No figure or sentence that was found says whether it is so.")) if is_other else reply

    def beside(self, request: Request, reply: Reply) -> Reply:
        """A reply of one value that is certain, with the chance that it has beside what other ways to read the question
        come to: by what it names in all that is shown, by its words, and by its words in talk. A first one from the
        statements is as sure as on a page of them."""
        used, chance, full = looked_up_by(reply), reply.confidence or 0, request.in_full
        is_said = _names_all(request.question) and len(used) == 1 and chance >= SURE_OF_LINE
        if full is not None and not (full.is_first or full.left or full.apart or full.other):
            is_said = is_said or all(map(_names_all, full.sides or (full.text,)))
        is_talk = bool(request.history) and not (full is not None and full.is_first)
        printed = frozenset() if is_talk or request.shown.first is None else request.shown.first.named.keys()
        is_settled = chance < CERTAIN or "value" not in reply.calls[-1].arguments or is_said or used <= printed
        if is_settled or request.view is None or listed_in(request.card.text):
            return reply
        first, asked = _asked(_as_first(request, request.question if full is None else full.text))
        others = {"named": self._by_measure(first, asked), "words": self._weighed(first, None)[0]}
        if is_talk:
            others["talk"] = self._weighed(request, None)[0]
        return held_against(reply, others, {**(first.shown.first or first.shown).named, **first.shown.named})

    @_once
    def _replied(self, request: Request) -> Reply:
        if not has_words(request.question):
            return no_question(request.question)
        request = in_printed_days(request, self._shown(request.shown.first or request.shown).days)
        full = request.in_full
        if full is not None:
            is_made = full.operation == "list" if full.is_first else full.operation in STRONG
            is_turn = is_made or _is_of_quarters(full) or len(read_question(request.question).when.days) > 1
            if is_turn or request.view is not None:
                return self._in_full(request, full)
        names = [turn.names for turn in request.history if turn.names]
        is_first = all(turn.answer is None for turn in request.history[-1:])
        is_read = full is not None and (is_first or (not full.left and _is_named(full, names)))
        request, asked = _asked(request, full.text if full is not None and is_read else "")
        if (name := of_another(asked, request)) is not None:
            return ask_back(Missing(f"No report of {name!r} is open."))
        if (said := _over_several(request) or _refused(request)) is not None:
            return half(asked, completed(asked, said, request.turn) or said)
        meant = _meant(request, asked) or _made_of(request, asked) or _naming(request, asked)
        if (meant := meant or in_one_row(request, asked, self._shown(request.shown).lines)) is not None:
            return meant
        if asked.several:
            both = self._of_each(request, asked)
            if not asked.halves and (both.confidence or 0) < SURE_ENOUGH:
                as_one = self._by_statements(request, replace(asked, several=()))  # a line of its own has both
                both = max(both, as_one, key=lambda each: each.confidence or 0)
            return _or_sentence(both, request, asked, is_half=False)
        quoted = _quoted(request, asked)
        if quoted is not None and not language().told[asked.told].is_count:
            return _or_sentence(quoted, request, asked, is_half=True) if asked.halves else quoted
        if (found := _over_several(request, self._shown(request.shown))) is not None:
            return half(asked, found)
        if request.view is not None and not request.view.facts:
            return nothing_found(asked, request.card.text)
        if full is not None and request.history and (kept := _same_line(request, read_question(full.text))) is not None:
            return kept
        reply = self._by_statements(request, asked)
        chance = 0 if _is_asked_back(reply) else reply.confidence or 0
        if quoted is not None and not _is_asked_back(quoted) and chance < (quoted.confidence or 0):
            told = _or_sentence(quoted, request, asked, is_half=True) if asked.halves else quoted
            return half(asked, quoted) if told is quoted else told
        whole = completed(asked, reply, request.turn) or self._of_the_one(request, asked, reply)
        chosen = _or_sentence(whole or reply, request, asked, is_half=whole is None and not asked.named)
        is_ahead = language().forms["looks ahead"].search(asked.lower) is not None  # which no line of a statement does
        is_one = asked.kinds[0] == "number" and not (asked.is_told or is_ahead) and len(things_of(asked)) == 1
        if chosen is not (whole or reply) and is_one:
            line = self._by_measure(request, asked)  # which has all words that are asked for goes before a sentence
            chosen = line if isinstance(line, Reply) and not line.unaccounted else chosen
        is_left = chosen is reply and whole is None
        chosen = _of_named(request, doubtful(reply, f"{asked.halves[-1]!r} is not answered") if is_left else chosen)
        return chosen if quoted is None or _is_of_staff(request, asked, chosen) else quoted

    def _apart(self, request: Request, reply: Reply) -> Reply:
        """The reply to a question, or to each of several that it may be, where those are likelier."""
        asked = read_question(request.question if request.in_full is None else request.in_full.text)
        chance = 0 if _is_asked_back(reply) or (reply.unaccounted and not asked.several) else reply.confidence or 0
        is_one = asked.kinds[0] in ("boolean", "name", "period") or asked.form == "why" or bool(request.exchanges)
        is_tied = bool(request.history) and (request.in_full is None or not taken_apart(request.question))
        is_one = is_one or is_tied or listed_in(request.card.text) != ()
        for way in () if is_one or is_of_all(reply, asked) else taken_apart(asked.text):
            is_less = way.is_plain and told_of(reply, asked) < len(way.texts)
            if (chance >= SURE_ENOUGH and not is_less) or (request.history and not way.is_plain):
                break  # behind other questions, of another time alone
            singles = tuple(Single(said, read_question(text)) for said, text in zip(way.said, way.texts, strict=True))
            made = self._of_each(request, replace(asked, several=singles, named=(), halves=()))
            least = (0 if tells_beside(made, reply) else min(chance, GUESS)) if is_less else max(chance, SURE_ENOUGH)
            is_more = told_of(made, asked) > told_of(reply, asked) if is_less else not made.unaccounted
            if is_more and (made.confidence or 0) > least:
                reply, chance = made, made.confidence or 0
        if is_one or request.history or chance > SURE_OF_SENTENCE:
            return reply
        return answer_each(_asked(request, asked.text)[1], self._shown(request.shown).lines) or reply

    def _of_each(self, request: Request, asked: Question) -> Reply:
        """One reply to the several questions that are asked in one, each as if it stood alone."""
        return together(asked, [self._alone(request, each) for each in asked.several])

    def _alone(self, request: Request, single: Single) -> Reply:
        """The reply to one of several questions that are asked in one, in full."""
        text, after = single.asked.text, single.after
        full = in_sides(text) if after is None else in_full(text, [Asked(after.text)])
        request = _as_first(request, text, full)
        reply = self._replied(request)
        reply = (_said_of(request) if _is_asked_back(reply) else None) or reply
        if single.plain is None or not (_is_asked_back(reply) or (reply.confidence or 0) < CERTAIN):
            return reply
        plain = self._alone(request, replace(single, asked=single.plain, plain=None))
        left = f"it is not known whether {single.said!r} is asked of a part"
        return plain.model_copy(update={"unaccounted": (*plain.unaccounted, left)})

    def _plainly(self, request: Request) -> Reply | None:
        """The reply to a question that was asked back, without its words that say nothing: no more than a guess."""
        for text in plainer(request.question) if not request.exchanges else ():
            plain = request.model_copy(update={"question": text, "in_full": in_sides(text)})
            reply = _of_its_sort(request, _tied(request, self._replied(plain)))
            if not _is_asked_back(reply):
                return doubtful(reply, f"it is read as {text!r}")
        return None

    def _in_full(self, request: Request, full: Full) -> Reply:
        """The reply to a question with what it leaves out, as to a first one; of two figures that are asked for in it
        where that is likelier, or where it is asked which of them is more."""
        first, both = _as_first(request, full.text), [_as_first(request, each) for each in full.sides]
        told = [_told(request, number) for number in full.told or (-1,) * len(both)]
        if any(each is not None and (each.confidence or 0) < SURE_ENOUGH for each in told):
            told = [None] * len(both)  # all are asked for in one way
        names = [turn for turn in request.history if turn.names and turn.names in full.text]
        held = ("greater", "direction") if full.is_first else HELD
        is_held = full.operation in held or bool(full.names) or _is_of_quarters(full) or (told and None not in told)
        found = None if is_held else self._first(first)
        used = frozenset() if found is None or (found.confidence or 0) < BY_CHANCE else looked_up_by(found)
        rates = [fact for name in used if (fact := first.shown.named.get(name)) and fact.unit == Unit.PERCENT]
        is_printed = full.operation == "percentage" and len(rates) == len(used) > 0  # the share itself
        if found is not None and full.sides and not _is_asked_back(found):  # it has to be of both amounts
            is_made = not full.is_first or is_printed or any(call.tool == "calculate" for call in found.calls)
            is_list = "value" not in found.calls[-1].arguments
            found = found if (is_list if full.operation == "list" else is_made and not is_list) else None
        least = SURE_OF_MEASURE if full.apart else SURE_ENOUGH
        if full.other and not (is_held or is_printed) and (found is None or (found.confidence or 0) < least):
            other = self._first(_as_first(request, full.other))
            if full.is_first and not full.sides:  # a share is not asked for
                other = other.model_copy(update={"confidence": min(other.confidence or 0, GUESS)})
            found = max(found or other, other, key=lambda each: 0 if _is_asked_back(each) else each.confidence or 0)
            found = doubtful(other, f"nothing of {full.apart!r} is in it") if full.apart and found is other else found
        is_sure = found is not None and (found.confidence or 0) >= SURE_ENOUGH and _is_calculated(found)
        if both and not (is_printed or is_sure):
            made = self._made(request, full, both, told)
            is_likelier = made is not None and (found is None or (made.confidence or 0) > (found.confidence or 0))
            found = made if is_likelier else found
        found = found or self._first(first)
        chance = 1 if full.is_first else min([SURE, *(turn.probability or 0 for turn in names)])
        last = request.history[-1] if request.history and not full.is_first else None
        before = None if last is None else GUESS if last.answer is None else last.probability
        own = read_question(request.question)
        is_rate = full.operation in RATES and not (full.is_first or own.asks_share)
        if is_rate and own.named and own.calculation == "value":
            chance = min(chance, KEPT_RATE)  # `and marketing?` behind a share of sales may ask for the amount
        if before is not None and before < SURE_ENOUGH and not own.named:
            chance = min(chance, before)  # it is of what that one is
        is_certain, likely = chance == SURE and not (full.other or full.left), found.confidence or 0
        found = found.model_copy(update={"confidence": min(likely, SURE) if is_certain else round(likely * chance, 4)})
        return doubtful(found, full.left) if full.left and not _is_asked_back(found) else found

    def _first(self, request: Request) -> Reply:
        return self._settled(request, self._replied(request))

    def _made(self, request: Request, full: Full, both: list[Request], told: list[Reply | None]) -> Reply | None:
        """The reply that is made of those to the sides of a question, told before or asked for now, with what is said
        beside a yes or no, or which of them is most; {0} and {1} stand for them."""
        replies = [each or self._first(side) for each, side in zip(told, both, strict=True)]
        known = {**(request.shown.first or request.shown).named, **request.shown.named}
        turns = (request.history[number] if each else None for number, each in zip(full.told, told, strict=False))
        values = [turn or by_measure(reply, known) for turn, reply in zip_longest(turns, replies)]
        amounts = [each.value if each is not None and isinstance(each.value, Decimal) else None for each in values]
        if full.names:
            asked = "; ".join(turn.question for turn in request.history)
            names = [as_written(each, asked) or each for each in full.names]
            return chosen_of(calculated("sum", both, replies, ""), names, amounts, full.operation)
        said = "told greater" if full.operation == "greater" else ""
        last, before = amounts if len(amounts) == 2 else (None, None)
        if full.operation == "direction" and last is not None and before is not None:
            said = "told rise" if last > before else "told fall" if last < before else "told neither"
        return calculated(full.operation, both, replies, language().in_full[said] if said else "")

    def _of_the_one(self, request: Request, asked: Question, reply: Reply) -> Reply | None:
        """A reply that tells which one it is, with what is measured of that one; None where nothing of it is asked."""
        words, then = reply.calls[-1].arguments.get("words", ()), asked.halves[-1]
        if _is_asked_back(reply) or len(words) != 1 or not find_measures(then.lower()):
            return None
        first, second = read_question(asked.halves[0]), of_one(then, words[0])
        own = request.model_copy(update={"question": dated_as(second, asked.halves[0], first.when)})
        both = (Single(words[0], first), Single(then, read_question(own.question)))
        made = together(replace(asked, several=both), [reply, self.answered(own)])
        return made if len(made.calls) > len(reply.calls) else None

    def _of_stated(self, request: Request, asked: Question) -> Request | None:
        """A request as one that is shown the statements alone; None where a question is of what else there is."""
        first, before = self._shown(request.shown).stated, {name for turn in request.history for name in turn.facts}
        if first is None or not before <= first.named.keys():
            return None
        is_elsewhere = asks_of_parts(asked.lower) or _is_noted(asked, request.shown, first)
        return None if is_elsewhere or listed_in(request.card.text) else request.model_copy(update={"view": first})

    def _by_statements(self, request: Request, asked: Question) -> Reply:
        """What the statements of a report answer by themselves, where they surely have what a question names; else the
        likelier of that and of what all that is shown answers, which is alone where they have nothing of it."""
        within = None if request.shown.first is None else self._of_stated(request, asked)
        named = None if within is None else self._by_measure(within, asked)
        if within is None or (asked.named and not isinstance(named, Reply)):
            return self._of_view(request, asked)
        stated = self._of_view(within, asked)
        chance, is_full = stated.confidence or 0, not _is_asked_back(stated) and not stated.unaccounted
        sure = (named.confidence or 0) if isinstance(named, Reply) else 0  # of no line that is only like it
        has_named = sure >= SURE_ENOUGH if asked.named else chance >= CERTAIN
        is_metric = any(each.is_metric for each in asked.named)  # a note may print a part of it that no statement has
        known = {**within.shown.named, **request.shown.named}
        is_of_year = not asked.part_of_year and bool(asked.years or asked.when.last or asked.cues & _YEARS)
        is_odd = is_of_year and any(is_of_odd_length(known[name]) for name in looked_up_by(stated))
        if is_full and has_named and not (is_metric or is_odd):
            return stated
        whole = self._of_view(request, asked)
        is_printed = "value" in whole.calls[-1].arguments and not (_is_calculated(whole) or whole.unaccounted)
        is_other = is_metric and is_printed and not is_same(stated, whole, known, is_rounded=True)
        if is_odd or is_other:  # a release prints the quarter first; a metric is as the report reckons it
            return whole
        is_it = is_metric and is_full and chance >= CERTAIN and not any(has_optional(each.name) for each in asked.named)
        if is_it or is_same(stated, whole, known):
            return stated
        may_be = is_full and (has_named or not asked.named) and not looked_up_by(stated) < looked_up_by(whole)
        return stated if may_be and chance > (whole.confidence or 0) else whole

    def _settled(self, request: Request, reply: Reply) -> Reply:
        """The reply to a first question for lines of the statements: what they answer by themselves, where all the rest
        has no more than a guess that says no more of it. Notes neither add a guess nor take one."""
        asked = read_question(request.question)
        within = None if request.history or _is_sure(reply) else self._of_stated(request, asked)
        if within is None or not _is_of_statements(asked):
            return reply
        stated, used, chance = self._replied(within), looked_up_by(reply), reply.confidence or 0
        is_less, is_left = _is_asked_back(stated), bool(used) and bool(reply.unaccounted)
        if asked.open or _is_ahead(asked, request.shown):  # a note may have what is open
            return stated if (is_left and chance < GUESS) or (chance < BY_CHANCE and not is_less) else reply
        is_more = isinstance(self._by_measure(request, asked), Reply) if is_less else bool(stated.unaccounted)
        is_more = is_more and chance >= (BY_CHANCE if is_less else GUESS)
        return reply if is_more and used and not is_left else stated

    @_once
    def _of_view(self, request: Request, asked: Question) -> Reply:
        """The likeliest reply by one view: of what a question names, with the words that no line has or without them,
        and of what its words may mean; surer where one figure alone is printed as a first question asks for it."""
        found, lines = self._by_measure(request, asked), self._shown(request.shown).lines
        reply, near = self._of_words(request, asked, found), found.nearest if isinstance(found, Missing) else None
        is_told = asked.kinds[0] == "words" and "words" in reply.calls[-1].arguments
        if near is not None and not is_told and looked_up_by(reply) != looked_up_by(near):
            reply = max(reply, near, key=lambda each: 1 if each.confidence is None else each.confidence)
        used, is_first = _used_by(reply, request.shown), not (request.history or asked.several or reply.unaccounted)
        is_one = len(used) == 1 and "value" in reply.calls[-1].arguments and not _is_calculated(reply)
        is_likely = is_first and is_one and LEAST_PRINTED <= (reply.confidence or 0) < SURE_PRINTED
        knows_other = isinstance(found, Reply) and bool(found.alternative)
        if not is_likely or knows_other or not is_as_asked(used[0], asked, lines):
            return reply
        return reply.model_copy(update={"confidence": SURE_PRINTED, "alternative": ""})

    @_once
    def _by_measure(self, request: Request, asked: Question) -> Reply | Missing | None:
        """What is answered by what a question names; `margin` alone, which no line has, is the operating one."""
        lines = self._shown(request.shown).lines
        found = answer_by_measure(request, asked, lines)
        sure = (found.confidence or 0) if isinstance(found, Reply) else 0
        if sure >= SURE_ENOUGH or "margin" not in asked.open or len(asked.open) == 1:
            return found
        margin = find_measures("operating margin")
        own = replace(asked, named=margin, tree=Part(margin[0].name), open=asked.open - {"margin"})
        made = answer_by_measure(request, own, lines)
        return made if isinstance(made, Reply) and (made.confidence or 0) > sure else found

    def _of_words(self, request: Request, asked: Question, found: Reply | Missing | None) -> Reply:
        is_bound = asked.form == "why" or "due after" in asked.cues or asked.on_base  # words take the year itself
        if isinstance(found, Reply) and _is_of_other_item(found, asked, request.shown):
            found = Missing(f"The report has no figure for {asked.named[0].said!r}.")
        if isinstance(found, Reply) and (is_bound or (found.confidence or 0) >= SURE_OF_MEASURE):
            return found
        shown, (weighed, knows_named) = self._shown(request.shown), self._weighed(request, found)
        if isinstance(found, Reply) and isinstance(weighed, Reply):
            if _is_of_other_form(weighed, asked, request.shown):
                return _of_same_figures(found, weighed)
            used = _used_by(weighed, request.shown) if asked.part_of_year else []
            if used and not any(is_instant(fact) or is_of_odd_length(fact) for fact in used):
                return found  # what is of whole years is no part of one
            is_it = knows_named and looked_up_by(found) == looked_up_by(weighed)
            return _surer(found, weighed) if is_it or not _is_another(weighed, asked, shown) else found
        if isinstance(found, Reply):
            return found
        if isinstance(weighed, Reply) and found is not None and _is_another(weighed, asked, shown):
            weighed = found
        elif isinstance(weighed, Reply) and not request.history:
            weighed = _of_what_is_named(weighed, asked, request.shown)
        if isinstance(weighed, Missing):
            return ask_back(found or weighed)
        is_of_other_year = found is not None and found.of_year and "asks on" in asked.cues and asked.named
        least = GUESS if is_of_other_year else 0 if request.history else LEAST_GUESS
        chance = weighed.confidence or 0  # from the least its words are followed where what it names is not there
        is_printed = found is not None and found.of_time and chance >= SURE_OF_MEASURE and not weighed.unaccounted
        asks = found is not None and ((found.is_bound and not is_printed) or 0 < chance < least)
        return ask_back(found) if found is not None and asks else weighed

    @_once
    def _words(self, request: Request) -> tuple[Question, Aim, list[Ranked], Found | None]:
        """A question, what its words aim at, and what they may mean: as a step of the talk, and by themselves."""
        shown = self._shown(request.shown)
        page = shown.page
        question = in_fiscal_years(read_question(request.question), request.shown.facts)
        goal = aim(question, recall(request.history, page.facts, page.known), page)
        is_of_words = question.kinds == ("words",)  # `who is the chief executive?`: no figure answers that
        is_timely = timely(question, shown.lines, is_first=not request.history)
        readings = [] if is_of_words else (self.backend.model or load_model()).readings(goal, page)
        readings = [each for each in readings if is_timely(each.candidate.facts)] or readings
        return question, goal, readings, shown.reader.read(question, is_timely)

    def _weighed(self, request: Request, named: Reply | Missing | None) -> tuple[Reply | Missing, bool]:
        """The reply of what the words of a question may mean, weighed; what is missing where they mean nothing. And
        whether the reply by what it names was among what was weighed."""
        page = self._shown(request.shown).page
        question, goal, readings, found = self._words(request)
        by_name = by_measure(named, page.facts) if isinstance(named, Reply) else None
        chosen = self.backend.choose(found, readings, goal, by_name)
        unknown, facts = () if chosen is None else chosen.unknown, tuple(page.facts.values())
        if (made := reckoned(question, found, facts, unknown, request.turn)) is not None:
            return reply_of(made[0], confidence=made[1]), False
        if chosen is None:
            no_sentence = f"No sentence that was found tells of {', '.join(map(repr, sorted(question.open)))}."
            return (Missing(no_sentence) if question.kinds == ("words",) else NOTHING), False
        missing = unaccounted(chosen, goal, page) or lacking(chosen, goal, page)
        return missing or answered(request, chosen, goal, facts), chosen.knows_named


def _as_first(request: Request, text: str, full: Full | None = None) -> Request:
    """A request for a question that stands by itself."""
    alone = {"question": text, "in_full": full, "history": (), "answered": len(request.history)}
    return request.model_copy(update=alone)


def _asked(request: Request, text: str = "") -> tuple[Request, Question]:
    """A request and what it asks, with its company called so, and the days and years of the report."""
    request = of_the_company(request)
    asked = in_fiscal_years(read_question(text or request.question), request.shown.facts)
    return request, in_one_line(without_company(asked, request), request.shown.facts)


def _of_its_sort(request: Request, reply: Reply) -> Reply:
    """A reply; asked back where the one figure of it is of another sort than is asked for, or is a number that the
    question says itself, in a sentence: `the four segments`."""
    text = request.question if request.in_full is None else request.in_full.text
    asked = without_company(read_question(text), request)
    is_step = request.view is None and bool(request.history)  # which goes on from what was before
    if asked.halves or is_step or "value" not in reply.calls[-1].arguments:
        return reply
    used, listed = _used_by(reply, request.shown), names_alone(asked.lower)
    if listed is not None and not asked.several and "falls due" not in asked.cues:
        return ask_back(Missing(f"Nothing that was found names the {listed.called} that are asked for."))
    if "ranked" in asked.cues and not asked.several:
        return doubtful(reply, "it is asked for each of several, and is one figure")
    if len(used) == 1 and used[0].sentence is not None and used[0].value in asked.counts and not asked.bound:
        return ask_back(Missing(f"{used[0].value} is what the question says itself."))
    if not asked.asks_for:
        return reply
    done = [str(call.arguments["operation"]) for call in reply.calls if call.tool == "calculate"]
    operation = done[0] if len(done) == 1 else "" if done else "lookup"
    if not is_other_sort(asked.asks_for, operation, used):
        return reply
    return ask_back(Missing(f"No {CALLED[asked.asks_for]} of {' '.join(asked.search)} was found."))


def _told(request: Request, number: int) -> Reply | None:
    """The amount that an earlier turn told, by its number from 0, as a reply of its own; None for none of ours."""
    turn = request.history[number] if 0 <= number < len(request.history) else None
    if turn is None or turn.given or turn.entry is None or not isinstance(turn.value, Decimal):
        return None
    value, chance = f"prev_{len(request.history) - number}", 1 if turn.probability is None else turn.probability
    told = f"Named: {turn.about}, as told before. Probability {chance:.2f}."
    made: list[Call] = [("understand", {"description": turn.question, "requires_calculation": True, "reasoning": told})]
    if turn.operation == "divide" and turn.calls and turn.calls[-1].arguments.get("format") == "percent":
        made.append(("calculate", {"operation": "in_percent", "values": [value], "name": f"turn{number + 1}rate"}))
        value = f"turn{number + 1}rate"
    return reply_of([*made, ("answer", {"value": value})], min(1, chance / SURE))  # which is said once


def _over_several(request: Request, shown: Prepared | None = None) -> Reply | None:
    """The reply to a question over several companies, by measures, or by the lines of the reports that are shown; the
    code is loaded where several are open."""
    if not listed_in(request.card.text):
        return None
    from tieout.agent.offline.companies.answer import over_companies
    from tieout.agent.offline.companies.lines import over_lines

    return over_companies(request) if shown is None else over_lines(request, shown.lines)


def _of_named(request: Request, reply: Reply) -> Reply:
    """A reply, a guess where the question names several companies and its figures are of fewer."""
    listed = listed_in(request.card.text)
    if not listed or _is_asked_back(reply):
        return reply
    from tieout.agent.offline.companies.wanted import names_of

    reports = {name.partition(":")[0] for name in looked_up_by(reply)}
    named = {each.key for each in names_of(listed).mentions(request.question)}
    left = named - {each.names[0] for each in listed if not reports.isdisjoint(each.filings)}
    return doubtful(reply, f"nothing of {', '.join(sorted(left))} is in it") if left and len(named) > 1 else reply


def _same_line(request: Request, full: Question) -> Reply | None:
    """The reply to a question that asks on for another year alone: the line of the answer before."""
    own, last = read_question(request.question), request.history[-1]
    if "asks on" not in own.cues or own.core or full.calculation != "value" or len(full.years) != 1:
        return None
    kept = same_line(full.years[0], last, request.shown.facts, request.turn)
    chance = SURE * (1 if last.probability is None else last.probability)
    return None if kept is None else reply_of(kept, round(chance, 4))


def _is_named(full: Full, names: Sequence[str]) -> bool:
    """Whether a question is for a measure alone, or of one that an answer named, which a page is not looked through for
    again."""
    asked = read_question(full.text)
    return any(name in full.text for name in names) or (bool(asked.named) and not asked.open)


def _is_of_quarters(full: Full) -> bool:
    """Whether the two or more figures of a question are each of another quarter."""
    return len({read_question(each).when.quarters for each in full.sides} - {()}) > 1


def _names_all(text: str) -> bool:
    """Whether a question calls all that it asks for by the names of its lines."""
    own = read_question(text)
    return bool(own.named) and not own.open and "points back" not in own.cues


def _in_parts(request: Request, reply: Reply) -> Reply:
    """A reply that names years where the question asks for a quarter or another part of a year, as a guess."""
    asked, words = read_question(request.question), reply.calls[-1].arguments.get("words", ())
    is_year = bool(words) and all(YEAR.fullmatch(str(word)) for word in words)
    is_other = asked.kinds[0] == "period" and asked.part_of_year and is_year
    return doubtful(reply, "the question asks for a part of a year") if is_other else reply


def _tied(request: Request, reply: Reply) -> Reply:
    """A reply, no more than a guess where a question goes back to what was before, and how is not known."""
    own, is_tied = read_question(request.question), request.in_full is not None or not request.history
    if is_tied or request.view is None or own.told or _is_asked_back(reply) or listed_in(request.card.text):
        return reply
    goes_back = not own.named or "points back" in own.cues or joined_by(own.joins[0]) is not None
    is_whole = own.years or own.part_of_year or language().forms["a whole question"].match(own.lower) is not None
    return doubtful(reply, "what it goes back to is not clear") if goes_back or not is_whole else reply


def _meant(request: Request, asked: Question) -> Reply | None:
    """What a page says in words that a first question asks for, likely; None where it has no such sentence."""
    is_page = request.shown.first is None and not request.history
    marked = {mark.strip("()[]"): fact.label for fact in request.shown.facts for mark in fact.marks} if is_page else {}
    found = answered_in(asked.lower, request.shown.sentences, marked) if is_page else None
    return _in_words(found[:1], found[1]) if found else None


def _made_of(request: Request, asked: Question) -> Reply | None:
    """Which rows of a page a first question asks for by what they make up, or how many: a likely answer; None where no
    rows do."""
    found = language().forms["what it is made of"].fullmatch(asked.lower)
    if found is None or request.shown.first is not None or request.history or asked.bound is not None:
        return None
    facts = rows_made_of(found["early"] or found["of"] or "", request.shown.facts)
    names = [fact.name for fact in facts]
    calls: list[Call] = [("query_kg", {"fact": name}) for name in names]
    calls.append(("answer", {"words": [fact.label for fact in facts], "values": names, "kind": "list"}))
    if found["many"]:
        calls[-1] = ("calculate", {"operation": "count", "values": names, "name": f"turn{request.turn}"})
        calls.append(("answer", {"value": f"turn{request.turn}", "kind": "count"}))
    return reply_of(calls, MADE_OF) if facts else None


def _quoted(request: Request, asked: Question) -> Reply | None:
    """The reply to a question for what reports tell in words: as it is printed; asked back where it is nowhere told, as
    no figure answers it. None where something else is asked for."""
    if not asked.told:
        return None
    told = request.shown.told.get(asked.told) or told_in(asked, request.card.sentences)
    if not told:
        return ask_back(Missing(f"No sentence, cover or signature that was found tells of the {asked.told}."))
    wanted = language().told[asked.told]
    reply = _in_words(told, wanted.chance)
    if part := other_part(asked.lower, asked.open, told):
        return doubtful(reply, f"nothing that is quoted says that it is of {part}")
    years = years_told(told)
    if (wanted.is_count or wanted.is_latest) and asked.years and years and years.isdisjoint(asked.years):
        return doubtful(reply, f"what is quoted is of {max(years)}, and not of {asked.years[0]}")
    if (asked.asks_for == "date" or asked.form == "year") and not says_year(told):
        return doubtful(reply, "when is asked for, and no year is quoted")
    is_moved = not wanted.is_besides and (asked.asks_change or not asked.cues.isdisjoint(("fewer", "compared")))
    return doubtful(reply, "how it moved is asked for") if is_moved else reply


def _naming(request: Request, asked: Question) -> Reply | None:
    """The sentence that names all that a first question wants the names of; None where none does, or where a table says
    which of them are so."""
    if request.history or listed_in(request.card.text) or names_alone(asked.lower) is None:
        return None
    said = said_in(asked, request.card) if request.view is None else request.shown.said()
    if said is None or said.names is None or said.share < (TELLING if said.names.is_counted else NEAR_TELLING):
        return None
    reply = _in_words(said.texts, said.share * (NAMED if said.names.is_counted else NAMED_ONLY))
    return doubtful(reply, "there may be more of them") if said.names.is_open else reply


def _is_of_staff(request: Request, asked: Question, reply: Reply) -> bool:
    """Whether what a reply tells says that it counts what a question for a number of people counts; so for all else."""
    used, near = looked_up_by(reply), language().told[asked.told].near
    facts = (f"{fact.label} {fact.context} {fact.unit}" for fact in request.shown.facts if fact.name in used)
    said = " ".join((*facts, *map(str, reply.calls[-1].arguments.get("words") or ()))).lower()
    return not asked.asks_count or _is_asked_back(reply) or any(each in said for each in near)


def _or_sentence(reply: Reply, request: Request, asked: Question, *, is_half: bool) -> Reply:
    """A reply, or in its place the sentence that has nearly all words of a question, where that is likelier; surer
    where it is of the one figure of that sentence that may be asked for. is_half: of two questions it answers one."""
    is_so = asked.form != "yes or no" or says_so(reply)
    if says_so(reply) and _compares_nothing(asked):
        reply = doubtful(reply, "nothing is said that its figures are held against")
    if asked.is_told and reply.calls[-1].arguments.get("kind") == "period":
        reply = ask_back(Missing(f"No {CALLED[asked.asks_for]} of {' '.join(asked.search)} was found."))
    is_told, is_back, sure = asked.is_told, _is_asked_back(reply), reply.confidence or 0
    ahead = language().forms["looks ahead"]
    is_ahead = asked.calculation == "value" and ahead.search(asked.lower) is not None
    is_sure = is_so and sure >= SURE_OF_SENTENCE and not (is_back or asked.halves or is_half or is_told or is_ahead)
    if is_sure or asked.form == "why" or (asked.bound is not None and asks_of_parts(asked.lower)):
        return reply  # which no sentence makes surer, nor says which parts are beyond a bound
    said = None if request.history and "points back" in asked.cues else request.shown.said()
    if said is None and request.view is None and (is_back or is_half or asked.form == "yes or no"):
        said = said_in(asked, request.card)  # all else is weighed
    if said is None:
        return reply
    if said.texts[0] in YES_OR_NO:
        likely = said.share * YES_SAID
        return _in_words(said.texts, likely) if likely > sure * is_so or is_back else reply
    chance = round(min(said.share, 1) * SURE_OF_SENTENCE, 4)
    if len(said.figures) == 1 and looked_up_by(reply) == frozenset(said.figures) and not is_told:
        return reply.model_copy(update={"confidence": max(sure, chance)})
    things = things_of(asked)
    is_open = bool(reply.unaccounted) or sure < (BY_CHANCE if len(asked.several) > 1 else SURE_ENOUGH)
    is_both = len(said.figures) >= len(things) > 1 and (is_open or told_of(reply, asked) < len(things))
    likely, is_all = min(said.share, 1) * _chance_of(said, asked), said.share >= TELLING_ALL
    is_left = (not asked.named or asked.kinds[0] == "words") and asked.calculation == "value"
    is_guess = is_left and (sure < BY_CHANCE or (bool(reply.unaccounted) and is_all))
    is_guess |= asked.calculation in ("value", "share") and bool(said.figures) and is_all and likely > sure
    is_ahead = is_ahead and said.share >= NEAR_TELLING and ahead.search(said.texts[0].lower()) is not None
    is_meant = is_back or is_half or is_told or is_ahead or is_both or is_guess
    if not is_meant or said.share < LEAST_TELLING or not (is_half or is_told or is_ahead or chance > sure):
        return reply
    tells_all = _tells_of_all(said, asked)
    if is_both and tells_all and said.share >= NEAR_TELLING:
        return _in_words(said.texts, min(said.share, 1) * QUOTED)
    may_be_named = is_back and bool(asked.open) and said.share >= NEAR_TELLING  # under another name
    if not (tells_all or asked.kinds[0] == "words" or is_told or is_half or may_be_named):
        return reply  # no sentence has what a statement lacks
    has_names = all(word in words_of(" ".join(said.texts)) for word in asked.open if asked.writes_as_name(word))
    if said.share < (LEAST_TELLING if has_names and is_back and tells_all else TELLING):
        return reply
    return _in_words(said.texts, likely)


def _said_of(request: Request) -> Reply | None:
    """The sentence that has most words of a first question that nothing else answers, with its names: no more than a
    guess. None where none has, or where what is asked for is a line of a statement that the report does not have."""
    said = request.shown.said() if request.shown.said is not None and not request.history else None
    asked = without_company(read_question(request.question), request)
    is_ahead, is_why = _is_ahead(asked, request.shown), asked.form == "why"
    if said is None or (asked.told and asked.asks_count) or said.share < (LEAST_SAID if is_ahead else LEAST_OF_BACK):
        return None
    around = words_of(" ".join(said.texts))
    is_of_time = not is_ahead or not around.isdisjoint(map(str, asked.years))
    names = {word for word in asked.open if asked.writes_as_name(word)}
    is_value = asked.calculation == "value" and (said.figures or asked.kinds[0] == "words" or asked.is_told)
    is_told = (is_value or is_why) and is_of_time and names <= around and (asked.open or is_ahead)
    if not is_told or not (is_ahead or asked.is_told or _tells_of_all(said, asked)):
        return None
    return _in_words(said.texts, min(said.share, 1) * _chance_of(said, asked))


def _compares_nothing(asked: Question) -> bool:
    """Whether a question for yes or no holds nothing against anything."""
    is_plain = asked.form == "yes or no" and asked.calculation == "value" and asked.bound is None
    return is_plain and asked.cues.isdisjoint(("above", "below", "more", "fewer", "compared", "since"))


def _chance_of(said: Said, asked: Question) -> float:
    """The chance that a sentence which has all words of a question answers it as a whole."""
    is_number = asked.kinds[0] == "number" and asked.form != "yes or no"
    return QUOTED if said.figures or asked.is_told else NO_FIGURE if is_number else IN_WORDS


def _in_words(texts: Iterable[str], chance: float) -> Reply:
    """The reply that quotes sentences, with the chance that they answer."""
    return reply_of([("answer", {"words": [*texts], "kind": "prose"})], confidence=round(chance, 4))


def _is_ahead(asked: Question, shown: Card) -> bool:
    """Whether a question is of a year that is yet to come: a report says in sentences what it expects of that."""
    facts = shown.first.facts if shown.first is not None and asked.years else ()
    latest = max((year for fact in facts if (year := year_of(fact)) is not None), default=None)
    return latest is not None and min(asked.years) > latest


def _tells_of_all(said: Said, asked: Question) -> bool:
    """Whether sentences name all that a question does; what is left of it, no statement has."""
    left = {each.name for each in asked.named}
    is_rest = not left or language().forms["what is left"].search(asked.lower) is not None
    return is_rest or left <= {each.name for text in said.texts for each in find_measures(text.lower())}


def _is_noted(asked: Question, shown: Card, first: Card) -> bool:
    """Whether the line that a question names is known to stand in a note, and none of the statements is called so."""
    item = line_items().get(asked.named[0].name) if len(asked.named) == 1 else None
    sure = (shown.concepts or {}).get(item.name, {}).items() if item is not None else ()
    known = {name for name, chance in sure if chance >= IS_CONCEPT}
    is_there = not known.isdisjoint(first.named) or not known
    return item is not None and not is_there and all(item.rank(fact.label) is None for fact in first.facts)


def _is_of_statements(asked: Question) -> bool:
    """Whether lines of the main statements are all that a question names."""
    items = [line_items().get(each.name) for each in asked.named]
    is_figure = asked.form == "figure" and not asked.told and not asks_of_parts(asked.lower)
    return is_figure and bool(items) and all(each and each.statement in MAIN_STATEMENTS for each in items)


def _is_asked_back(reply: Reply) -> bool:
    return reply.calls[-1].tool == "clarify"


def _is_sure(reply: Reply, least: float = SURE_ENOUGH) -> bool:
    return (reply.confidence or 0) >= least and not reply.unaccounted


def _is_calculated(reply: Reply) -> bool:
    return any(call.tool == "calculate" and call.arguments["operation"] != "magnitude" for call in reply.calls)


def _is_another(weighed: Reply, asked: Question, shown: Prepared) -> bool:
    """Whether a reply by the words of a question is another measure than one that the question names: without what
    qualifies it, or a part of what is calculated."""
    used = _used_by(weighed, shown.card)
    if any(other_qualifiers(asked, used)):
        return True
    done = {str(call.arguments["operation"]) for call in weighed.calls if call.tool == "calculate"}
    if isinstance(asked.tree, Apply):
        return not done & OF_TREES.get(asked.tree.operation, {asked.tree.operation})
    if not isinstance(asked.tree, Part):
        return False
    if asked.calculation in ("change", "growth") and asked.tree.name in line_items():
        is_spent = line_items()[asked.tree.name].spent
        return any(each is not None and each.spent != is_spent for each in (find_line_item(f.label) for f in used))
    if len(used) != 1 or done or asked.calculation != "value":
        return False
    item, metric = line_items().get(asked.tree.name), metrics().get(asked.tree.name)
    if item is not None:
        other, said = find_line_item(used[0].label), words_of(f"{asked.named[0].said} {' '.join(item.labels)}")
        is_opposed = other is not None and other.spent != item.spent  # `Net sales` is no cost of sales
        is_unlike = said.isdisjoint(words_of(used[0].label)) or (weighed.confidence or 0) < OTHER_ITEM
        is_other = other not in (None, item) and (is_opposed or is_unlike)
        is_below = item.sign == "positive" and used[0].value < 0
        if is_other or is_below:
            return True
        return is_other_balance(asked, item, used[0], shown.lines)
    known = find_line_item(used[0].label)
    return metric is not None and known is not None and known.name in asked.items


def _of_what_is_named(weighed: Reply, asked: Question, shown: Card) -> Reply | Missing:
    """A reply by the words of a first question, the less sure where nothing around its figures says what the question
    names."""
    used = _used_by(weighed, shown)
    labels = [label for each in asked.named if each.name in line_items() for label in line_items()[each.name].labels]
    said = frozenset(word for label in labels for word in words_of(label))
    around = frozenset(word for fact in used for word in words_around(fact) | words_of(f"{fact.label} {fact.context}"))
    is_of_figures = bool(used) and not asked.named and asked.kinds[0] in ("number", "boolean")
    if is_of_figures and asked.open and asked.open.isdisjoint(around):
        return Missing(f"Nothing that was found tells of {', '.join(map(repr, sorted(asked.open)))}.")
    if not said or said & around or not any(is_currency(fact.unit) for fact in used):
        return weighed
    told = f"nothing around the figures says that they are of {asked.named[0].said!r}"
    return doubtful(weighed, told)


def _is_of_other_item(found: Reply, asked: Question, shown: Card) -> bool:
    """Whether a doubtful reply to a question for one line item is of a line that is known as another."""
    used = _used_by(found, shown) if len(asked.named) == 1 and (found.confidence or 0) < OTHER_ITEM else []
    item = find_line_item(used[0].label) if len(used) == 1 else None
    if item is None or item.name == asked.named[0].name:
        return False
    return (words_of(asked.named[0].said) - language().words["qualifiers"]).isdisjoint(words_of(used[0].label))


def _is_of_other_form(weighed: Reply, asked: Question, shown: Card) -> bool:
    """Whether a reply says neither yes nor no, no year, or no move, only amounts or their sum, where a question wants
    that."""
    tool, made = weighed.calls[-1].tool, weighed.calls[-1].arguments
    if asked.form in KINDS:
        return tool == "answer" and made.get("kind") != KINDS[asked.form]
    done = [str(call.arguments["operation"]) for call in weighed.calls if call.tool == "calculate"]
    if asked.calculation in MOVES and {*done} <= {"sum", "add", "magnitude"} and (used := _used_by(weighed, shown)):
        return all(is_currency(each.unit) and not is_moved(each) for each in used)
    return asked.form == "yes or no" and tool == "answer" and "value" in made and done[-1:] != ["greater"]


def _surer(one: Reply, other: Reply) -> Reply:
    """The likelier of two replies; the less sure, the likelier the other is, where they rest on other figures."""
    first, second = sorted((one, other), key=lambda reply: -(reply.confidence or 0))
    return _doubted(first, second)


def _doubted(reply: Reply, other: Reply) -> Reply:
    """A reply, the less sure, the likelier another one is that rests on other figures."""
    if looked_up_by(reply) == looked_up_by(other) or not looked_up_by(other):
        return reply
    left = round((reply.confidence or 0) * (1 - (other.confidence or 0)), 4)
    return reply.model_copy(update={"confidence": left})


def _of_same_figures(found: Reply, weighed: Reply) -> Reply:
    """A reply that another one, of another form, makes as sure as it is itself of a figure, or less sure by others."""
    if not looked_up_by(weighed) <= looked_up_by(found):
        return _doubted(found, weighed)
    return found.model_copy(update={"confidence": max(found.confidence or 0, weighed.confidence or 0)})


def _used_by(reply: Reply, shown: Card) -> list[Fact]:
    """The figures that a reply looks up, of those that are shown."""
    names = looked_up_by(reply)
    few = shown.facts if len(names) > 1 else filter(None, map(shown.named.get, names))
    return [fact for fact in few if fact.name in names]


def _refused(request: Request) -> Reply | None:
    """The question back where a tool has refused the answer of this turn: the same calls would be refused again."""
    if not request.exchanges:
        return None
    from tieout.agent.offline.companies.answer import is_look_up

    last = request.exchanges[-1]
    results = () if any(map(is_look_up, last.reply.calls)) else last.results  # of a company: it may be elsewhere
    refusal = next((result for result in reversed(results) if result.error), None)
    return None if refusal is None else ask_back(Missing(f"{ASIDE}: {_why(refusal.content)}."))


def _why(told: str) -> str:
    """What a tool says of an error: one line, or an object with it."""
    try:
        return str(json.loads(told)["error"])[:MOST_QUOTED]
    except (ValueError, KeyError, TypeError):
        return told[:MOST_QUOTED]
