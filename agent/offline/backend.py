"""The offline backend: reads the question, weighs its readings, makes the calls that a language model would make."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, wraps
from typing import TypeVar, cast

from tieout.agent.answers.checks.check import CERTAIN, SURE_ENOUGH
from tieout.agent.offline.answer import another_line, beside, sentence, step
from tieout.agent.offline.answer.by_name import answer_by_measure, answer_each, asks_nothing, no_question, nothing_found
from tieout.agent.offline.answer.chosen import answered, nothing_about
from tieout.agent.offline.answer.company import (
    of_another,
    of_its_parts,
    of_the_company,
    without_company,
    without_heading,
)
from tieout.agent.offline.answer.derived import reckoned
from tieout.agent.offline.answer.in_full import (
    SURE_OF_MEASURE,
    answer_in_full,
    claimed,
    is_turn,
    names_all,
    read_alone,
    same_line,
)
from tieout.agent.offline.answer.reply import BY_CHANCE, GUESS, Missing, ask_back, doubtful, is_sure, reply_of, used_by
from tieout.agent.offline.answer.row import in_count, in_one_row, in_schedule, made_of
from tieout.agent.offline.answer.several import completed, half, in_one_line, likelier_apart, of_each, of_the_one
from tieout.agent.offline.answer.stated_days import in_fiscal_years, in_printed_days, timely
from tieout.agent.offline.operands.context import recall
from tieout.agent.offline.operands.grounding import Aim, aim
from tieout.agent.offline.operands.linking import IS_CONCEPT, Lines
from tieout.agent.offline.ranking.by_measure import ByMeasure, by_measure
from tieout.agent.offline.ranking.choose import Choice, choose
from tieout.agent.offline.ranking.left import never_said
from tieout.agent.offline.ranking.model import Model, Ranked, load_model
from tieout.agent.offline.ranking.reader import Found, WholeReader
from tieout.agent.offline.ranking.weigh import Weigher, load_weigher
from tieout.agent.protocol.message import Card, Reply, Request
from tieout.agent.question.question import Question
from tieout.agent.question.read import read_question, things_of
from tieout.agent.question.sides import in_sides
from tieout.data.arithmetic.chance import along
from tieout.data.limits import DATA
from tieout.data.system.collecting import without_collecting
from tieout.kg.days import PrintedDays, printed_days
from tieout.kg.fact import Fact
from tieout.kg.figure import is_of_odd_length
from tieout.kg.index.statement import main_facts
from tieout.kg.page import Page, is_of_data
from tieout.kg.reports.outline import listed_in
from tieout.ontology.asked.apart import taken_apart
from tieout.ontology.asked.language import language
from tieout.ontology.asked.measures import find_measures
from tieout.ontology.asked.members import asks_of_parts
from tieout.ontology.asked.wording.otherwise import otherwise
from tieout.ontology.metrics.formula import Operand as Part
from tieout.ontology.metrics.line_item import MAIN_STATEMENTS, line_items
from tieout.ontology.metrics.metric import has_optional

Made = TypeVar("Made")
NOTHING = Missing("The report has no figure to answer this from.")
ASIDE = "The likeliest reading has no answer that can be given"
MOST_QUOTED = 300  # characters of what a tool says
NAMES = ("name", "period")  # kinds of answers that are chosen by figures
LEAST_OTHERWISE = 0.4  # chance from which a reply to a question in other words of its own is told where none else is
LEAST_GUESS = 0.1  # chance from which a question is answered by its words, though what it names is not there
MOST_PREPARED = 16  # cards: the statements of reports that are asked in turn, and what was shown beside them
LEAST_PRINTED, SURE_PRINTED = 0.5, 0.9  # chance of a figure that may be printed as it is asked for, and if it is
SURE_OF_LINE = 0.94  # chance of one figure of a line that a question calls by its name, which is seldom another one
# Of 1,798 answers from whole reports to unseen questions, the share that was right, by the chance that comes out first;
# none comes over a bound of doubt by it, so that a page of a report has the same doubts.
RIGHT = (
    *((0.2, 0.33), (0.35, 0.5), (0.45, 0.56), (0.52, 0.599), (0.599, 0.599)),  # a guess
    *((0.6, 0.72), (0.7, 0.79), (0.899, 0.8)),  # not certain
    *((0.9, 0.94), (0.97, 0.993)),
)


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

    A question is read, with what it leaves out put into it, and asked apart where it asks for several things. What it
    names is looked up in the statements alone where these surely have it, and in all that is shown; what its words may
    mean is weighed, by themselves and as a step of the conversation; sentences tell what no figure does. Of these the
    likeliest is chosen, or it is asked back. Last the reply is held against what the question asks for, and its chance
    against other ways to read that; below `CERTAIN` it says what else is meant.

    model, weigher: the weights; those that come with tieout unless given.
    """

    name = "offline"

    def __init__(self, model: Model | None = None, weigher: Weigher | None = None) -> None:
        self.model, self._weigher = model, weigher
        self._prepared: tuple[Prepared, ...] = ()

    def reply(self, request: Request) -> Reply:
        """One reply with all calls of the turn."""
        if request.in_full is not None and listed_in(request.card.text):
            request = request.alone(request.in_full.text)
        with without_collecting(is_kept=True):  # which could take longer than the reply, of all that is open
            turn, request = _Turn(self), without_heading(request)
            reply = turn.as_sure(request, turn.answered(request))
        if is_of_data(reply.looked_up, request.shown.facts):  # of many rows few are shown
            return ask_back(Missing(f"Many rows are of the same time: {DATA}."))
        known = request.view is None or reply.asks_back
        return reply if known else reply.model_copy(update={"confidence": round(along(RIGHT, reply.chance), 4)})

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
        reply = beside.in_parts(request, beside.tied(request, self._replied(request)))
        reply = self._settled(request, beside.of_its_sort(request, self._apart(request, reply)))
        asked = read_question(request.question)
        is_one = asked.kinds[0] == "number" and not (asked.several or asked.halves or request.history)
        if reply.asks_back or (reply.chance < SURE_ENOUGH and is_one):
            reply = self._otherwise(request, LEAST_OTHERWISE if reply.asks_back else CERTAIN) or reply
        reply = self._or_amount(request, self._of_the_line(request, reply))
        return claimed(request, reply, self.answered)

    def _part(self, request: Request) -> Reply:
        """The reply to one of several questions that are asked in one."""
        return self._or_amount(request, self._replied(request))

    def _or_amount(self, request: Request, reply: Reply) -> Reply:
        """A reply to a first question, or the amounts that the running text tells in its place."""
        if request.turn > 1 or request.exchanges or listed_in(request.card.text):
            return reply
        request, asked = _asked(request, read_alone(request))
        return reply if _is_of_statements(asked) else sentence.or_amount(request, asked, reply)

    def _of_the_line(self, request: Request, reply: Reply) -> Reply:
        """A reply, or the question back where its one figure is a guess and of another line than the one asked for."""
        if len(reply.looked_up) != 1 or "value" not in reply.told or reply.chance > another_line.MOST_SURE:
            return reply
        asked = read_question(request.question if request.in_full is None else request.in_full.text)
        fact = request.known.get(next(iter(reply.looked_up)))  # it may be of the statements alone
        if fact is None or not another_line.is_of_another(fact, asked, self._shown(request.shown).lines):
            return reply
        return another_line.or_asked_back(reply, fact, asked)

    def as_sure(self, request: Request, reply: Reply) -> Reply:
        """A reply of one value that is certain, with the chance that it has beside what other ways to read the question
        come to: by what it names in all that is shown, by its words, and by its words in talk. A first one from the
        statements is as sure as on a page of them."""
        used, chance, full = reply.looked_up, reply.chance, request.in_full
        is_said = names_all(request.question) and len(used) == 1 and chance >= SURE_OF_LINE
        if full is not None and not (full.is_first or full.left or full.apart or full.other):
            is_said = is_said or all(map(names_all, full.sides or (full.text,)))
        is_talk = bool(request.history) and not (full is not None and full.is_first)
        printed = frozenset() if is_talk or request.shown.first is None else request.shown.first.named.keys()
        is_settled = chance < CERTAIN or "value" not in reply.told or is_said or used <= printed
        if is_settled or request.view is None or listed_in(request.card.text):
            return reply
        first, asked = _asked(request.alone(request.question if full is None else full.text))
        others = {"named": self._by_measure(first, asked), "words": self._weighed(first, None)[0]}
        if is_talk:
            others["talk"] = self._weighed(request, None)[0]
        return beside.held_against(reply, others, first.known)

    @_once
    def _replied(self, request: Request) -> Reply:
        """The reply to a question: in full, where it leaves something out; else to each thing that it asks for."""
        if asks_nothing(request.question, is_first=not request.history):
            return no_question(request.question)
        if (told := step.of_a_number(request, self._replied)) is not None:
            return told
        request = in_printed_days(request, self._shown(request.shown.first or request.shown).days)
        request = of_its_parts(request, self._shown(request.shown).lines.part_names)
        full = request.in_full
        own = _asked(request) if full is None or full.is_first else None
        told = None if own is None or request.exchanges else in_schedule(*own) or in_count(*own)
        if told is not None:
            return told
        if full is not None and (request.view is not None or is_turn(full, request.question)):
            return answer_in_full(request, full, lambda each: self._settled(each, self._replied(each)))
        request, asked = _asked(request, read_alone(request))
        if (name := of_another(asked, request)) is not None:
            return ask_back(Missing(f"No report of {name!r} is open."))
        if (said := _over_several(request) or _refused(request)) is not None:
            return half(asked, completed(asked, said, request.turn) or said)
        told = sentence.meant(request, asked) or made_of(request, asked) or sentence.naming(request, asked)
        if (told := told or in_one_row(request, asked, self._shown(request.shown).lines)) is not None:
            return told
        return self._severally(request, asked) if asked.several else self._of_one(request, asked)

    def _severally(self, request: Request, asked: Question) -> Reply:
        """One reply to the several questions that are asked in one, or of a line that has all."""
        both = of_each(request, asked, self._part)
        if not asked.halves and both.chance < SURE_ENOUGH:
            as_one = self._by_statements(request, replace(asked, several=()))  # a line of its own has both
            both = max(both, as_one, key=lambda each: each.chance)
        return sentence.or_told(both, request, asked, is_half=False)

    def _of_one(self, request: Request, asked: Question) -> Reply:
        """The reply to a question for one thing: what the report tells of it in words, or a figure."""
        told, shown = sentence.quoted(request, asked), self._shown(request.shown)
        if told is not None and not language().told[asked.told].is_count:
            return sentence.or_told(told, request, asked, is_half=True) if asked.halves else told
        if (found := _over_several(request, shown)) is not None:
            return half(asked, found)
        if request.view is not None and not request.view.facts:
            return nothing_found(asked, request.card.text)
        if (kept := same_line(request)) is not None:
            return kept
        reply = self._by_statements(request, asked)
        if told is not None and sentence.is_figure_of(reply, told, request):
            return reply.model_copy(update={"confidence": max(reply.chance, told.chance), "alternative": ""})
        if told is not None and reply.chance < told.chance:
            other = sentence.or_told(told, request, asked, is_half=True) if asked.halves else told
            return half(asked, told) if other is told else other
        chosen = self._figure_or_sentence(request, asked, reply)
        return chosen if told is None or sentence.is_of_staff(request, asked, chosen) else told

    def _figure_or_sentence(self, request: Request, asked: Question, reply: Reply) -> Reply:
        """A reply by figures with what else is asked of them, or the sentence that is likelier; a line that has all
        words that are asked for goes before a sentence."""
        whole = completed(asked, reply, request.turn) or of_the_one(request, asked, reply, self.answered)
        chosen = sentence.or_told(whole or reply, request, asked, is_half=whole is None and not asked.named)
        is_told = asked.is_told or sentence.looks_ahead(asked)
        is_one = asked.kinds[0] == "number" and len(things_of(asked)) == 1 and not is_told
        if chosen is not (whole or reply) and is_one:
            line = self._by_measure(request, asked)
            chosen = line if isinstance(line, Reply) and not line.unaccounted else chosen
        if chosen is reply and whole is None:
            chosen = doubtful(reply, f"{asked.halves[-1]!r} is not answered")
        return _of_named(request, chosen)

    def _apart(self, request: Request, reply: Reply) -> Reply:
        """The reply to a question, or to each of several that it may be, where those are likelier."""
        asked = read_question(request.question if request.in_full is None else request.in_full.text)
        is_one = asked.kinds[0] in ("boolean", "name", "period") or asked.form == "why" or bool(request.exchanges)
        is_tied = bool(request.history) and (request.in_full is None or not taken_apart(request.question))
        if is_one or is_tied or listed_in(request.card.text):
            return reply
        reply = likelier_apart(request, asked, reply, self._part)
        is_one = "?" not in asked.text.rstrip(" ?")  # `sales: rail? road?`
        if request.history or (is_one and is_sure(reply, sentence.SURE_OF_SENTENCE)):
            return reply
        return answer_each(_asked(request, asked.text)[1], self._shown(request.shown).lines) or reply

    def _otherwise(self, request: Request, least: float) -> Reply | None:
        """The likeliest reply, from a chance on, to a question in fewer or other words of its own: but a guess."""
        made, printed = None, self._shown(request.shown).lines.labels_with
        is_open = not (request.exchanges or listed_in(request.card.text))
        for text in otherwise(request.question, printed) if is_open else ():
            plain = request.model_copy(update={"question": text, "in_full": in_sides(text)})
            reply = beside.of_its_sort(request, beside.tied(request, self._replied(plain)))
            if (reply := self._settled(plain, reply)).chance >= least:
                least, made = reply.chance, doubtful(reply, f"it is read as {text!r}")
            if made is not None and least >= CERTAIN:
                break
        return made

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
            whole = self._of_view(request, asked)
            if within is None or not whole.looked_up <= within.shown.named.keys():
                return whole
        stated = self._of_view(within, asked)
        chance, is_full = stated.chance, not stated.asks_back and not stated.unaccounted
        sure = named.chance if isinstance(named, Reply) else 0  # of no line that is only like it
        has_named = sure >= SURE_ENOUGH if asked.named else chance >= CERTAIN
        is_metric = any(each.is_metric for each in asked.named)  # a note may print a part of it that no statement has
        years = asked.years or asked.when.last or asked.cues & {"whole year", "yearly"}
        is_of_year = bool(years) and not asked.part_of_year
        is_odd = is_of_year and any(is_of_odd_length(request.known[name]) for name in stated.looked_up)
        if is_full and has_named and not (is_metric or is_odd):
            return stated
        whole = self._of_view(request, asked)
        is_printed = "value" in whole.told and not (whole.is_calculated or whole.unaccounted)
        is_printed = is_printed and any(
            request.known[name].value for name in whole.looked_up
        )  # of a part it may be none
        is_other = is_metric and is_printed and not beside.is_same(stated, whole, request.known, is_rounded=True)
        if is_odd or is_other:  # a release prints the quarter first; a metric is as the report reckons it
            return whole
        is_it = is_metric and chance >= CERTAIN and not any(has_optional(each.name) for each in asked.named)
        if is_it or beside.is_same(stated, whole, request.known):
            return stated
        is_open = not asked.named or not isinstance(named or self._by_measure(request, asked), Reply)
        may_be = is_full and (has_named or is_open) and not stated.looked_up < whole.looked_up
        return stated if may_be and chance > whole.chance else whole

    def _settled(self, request: Request, reply: Reply) -> Reply:
        """The reply to a first question for lines of the statements: what these answer by themselves, or that they do
        not, where all the rest has no more than a guess that leaves words open, is less likely, or is not called so."""
        asked = read_question(request.question)
        within = None if request.history or is_sure(reply) else self._of_stated(request, asked)
        if within is None or not _is_of_statements(asked):
            return reply
        stated = self._replied(within)
        is_there = not (stated.asks_back or asked.open)  # a note may have what is open
        least = (1 if is_there else GUESS) if reply.unaccounted else BY_CHANCE * (not stated.asks_back)
        least = max(least, min(stated.chance, LEAST_OTHERWISE))  # of two guesses the likelier
        called = self._by_measure(request, asked)
        is_called = isinstance(called, Reply) and called.looked_up == reply.looked_up and not reply.unaccounted
        is_none = stated.asks_back and not (asked.open or (is_called and reply.chance >= BY_CHANCE))
        return stated if reply.chance < least or is_none or (is_there and not stated.unaccounted) else reply

    @_once
    def _of_view(self, request: Request, asked: Question) -> Reply:
        """The likeliest reply by one view: of what a question names, with the words that no line has or without them,
        and of what its words may mean; surer where one figure alone is printed as a first question asks for it."""
        found, lines = self._by_measure(request, asked), self._shown(request.shown).lines
        reply, near = self._of_words(request, asked, found), found.nearest if isinstance(found, Missing) else None
        if near is not None:
            reply = max(reply, near, key=lambda each: each.chance)
        used, is_first = used_by(reply, request.shown), not (request.history or reply.unaccounted)
        is_one = len(used) == 1 and "value" in reply.told and not reply.is_calculated
        is_named = isinstance(found, Reply) and found.chance >= CERTAIN and found.looked_up == reply.looked_up
        if reply.told.get("kind") in NAMES and len(used) == 1 and another_line.is_chosen_by_another(used[0], asked):
            return doubtful(reply, f"it is by {used[0].label!r}")
        is_single = is_one or (len(used) == 1 and another_line.is_sign_turned(reply))
        if is_single and another_line.is_of_another_cell(used[0], asked, lines):
            return doubtful(reply, f"nothing says that it is {asked.named[0].said!r} of that part")
        if is_single and another_line.is_of_another(used[0], asked, lines, is_named=is_named):
            return reply.model_copy(update={"confidence": min(reply.chance, another_line.MOST_SURE)})
        is_likely = is_first and is_one and LEAST_PRINTED <= reply.chance < SURE_PRINTED
        knows_other = isinstance(found, Reply) and bool(found.alternative)
        if not is_likely or knows_other or not beside.is_as_asked(used[0], asked, lines):
            return reply
        return reply.model_copy(update={"confidence": SURE_PRINTED, "alternative": ""})

    @_once
    def _by_measure(self, request: Request, asked: Question) -> Reply | Missing | None:
        """What is answered by what a question names; `margin` alone, which no line has, is the operating one."""
        lines = self._shown(request.shown).lines
        found = answer_by_measure(request, asked, lines)
        sure = found.chance if isinstance(found, Reply) else 0
        if sure >= SURE_ENOUGH or "margin" not in asked.open or len(asked.open) == 1:
            return found
        margin = find_measures("operating margin")
        own = replace(asked, named=margin, tree=Part(margin[0].name), open=asked.open - {"margin"})
        made = answer_by_measure(request, own, lines)
        return made if isinstance(made, Reply) and made.chance > sure else found

    def _of_words(self, request: Request, asked: Question, found: Reply | Missing | None) -> Reply:
        """The likeliest of what a question names and of what its words may mean, asked back where neither is likely."""
        if isinstance(found, Reply) and beside.is_of_other_item(found, asked, request.shown):
            found = Missing(f"The report has no figure for {asked.named[0].said!r}.")
        if isinstance(found, Reply):
            return self._or_weighed(request, asked, found)
        weighed, lines = self._weighed(request, found)[0], self._shown(request.shown).lines
        if isinstance(weighed, Reply) and found is not None and beside.is_another(weighed, asked, request.shown, lines):
            weighed = found
        elif isinstance(weighed, Reply) and not request.history:
            weighed = beside.of_what_is_named(weighed, asked, request.shown)
        if isinstance(weighed, Missing):
            return ask_back(found or weighed)
        least = 0 if request.history else LEAST_GUESS  # from which its words are followed where that is not there
        is_own = asked.calculation != "value" or not weighed.is_calculated
        is_printed = found is not None and found.of_time and is_own and is_sure(weighed, SURE_OF_MEASURE)
        asks = found is not None and ((found.is_bound and not is_printed) or 0 < weighed.chance < least)
        return ask_back(found) if found is not None and asks else weighed

    def _or_weighed(self, request: Request, asked: Question, found: Reply) -> Reply:
        """A reply by what a question names, or the likelier one of what its words may mean, which are the same way."""
        is_bound = asked.form == "why" or "due after" in asked.cues or asked.on_base  # words take the year itself
        if is_bound or found.chance >= SURE_OF_MEASURE:
            return found
        (weighed, knows_named), lines = self._weighed(request, found), self._shown(request.shown).lines
        if isinstance(weighed, Missing):
            return found
        if beside.is_of_other_form(weighed, asked, request.shown):
            return beside.of_same_figures(found, weighed)
        is_it = knows_named and found.looked_up == weighed.looked_up
        is_other = not is_it and beside.is_another(weighed, asked, request.shown, lines)
        return found if is_other else beside.surer(found, weighed)

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
        shown, page = self._shown(request.shown), self._shown(request.shown).page
        asked = in_fiscal_years(read_question(request.question), request.shown.facts)
        if not request.history and (unknown := never_said(asked, shown.reader)):
            return nothing_about(unknown, asked, page), False
        question, goal, readings, found = self._words(request)
        by_name = by_measure(named, page.facts) if isinstance(named, Reply) else None
        chosen = self.backend.choose(found, readings, goal, by_name)
        unknown = () if chosen is None else chosen.unknown
        if (made := reckoned(question, found, tuple(page.facts.values()), unknown, request.turn)) is not None:
            return reply_of(made[0], confidence=made[1]), False
        if chosen is None:
            no_sentence = f"No sentence that was found tells of {', '.join(map(repr, sorted(question.open)))}."
            return (Missing(no_sentence) if question.kinds == ("words",) else NOTHING), False
        return answered(request, chosen, goal, page), chosen.knows_named


def _asked(request: Request, text: str = "") -> tuple[Request, Question]:
    """A request and what it asks, with its company called so, and the days and years of the report."""
    request = of_the_company(request)
    asked = in_fiscal_years(read_question(text or request.question), request.shown.facts)
    return request, in_one_line(without_company(asked, request), request.shown.facts)


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
    if not listed or reply.asks_back:
        return reply
    from tieout.agent.offline.companies.wanted import names_of

    reports = {name.partition(":")[0] for name in reply.looked_up}
    named = {each.key for each in names_of(listed).mentions(request.question)}
    left = named - {each.names[0] for each in listed if not reports.isdisjoint(each.filings)}
    return doubtful(reply, f"nothing of {', '.join(sorted(left))} is in it") if left and len(named) > 1 else reply


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


def _refused(request: Request) -> Reply | None:
    """The question back where a tool has refused the answer of this turn: the same calls would be refused again."""
    if not request.exchanges:
        return None
    from tieout.agent.offline.companies.answer import is_look_up

    last = request.exchanges[-1]
    results = () if any(map(is_look_up, last.reply.calls)) else last.results  # of a company: it may be elsewhere
    refusal = next((result for result in results if result.error), None)
    return None if refusal is None else ask_back(Missing(f"{ASIDE}: {_why(refusal.content)}."))


def _why(told: str) -> str:
    """What a tool says of an error: one line, or an object with it."""
    try:
        return str(json.loads(told)["error"])[:MOST_QUOTED]
    except (ValueError, KeyError, TypeError):
        return told[:MOST_QUOTED]
