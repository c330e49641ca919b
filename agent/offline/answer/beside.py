"""A reply held against what its question asks for, and against other ways to read that, that go wrong apart."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

from tieout.agent.answers.checks.sanity import other_qualifiers
from tieout.agent.offline.answer.by_name import DONE_BY
from tieout.agent.offline.answer.company import without_company
from tieout.agent.offline.answer.reply import Missing, ask_back, doubtful, used_by
from tieout.agent.offline.answer.stated_days import in_fiscal_quarter, in_latest_part
from tieout.agent.offline.answer.unprinted import is_other_balance
from tieout.agent.offline.operands.linking import OF_NO_PART, Lines
from tieout.agent.offline.ranking.by_measure import by_measure
from tieout.agent.protocol.message import Card, Reply, Request
from tieout.agent.question.question import Question
from tieout.agent.question.read import read_question
from tieout.agent.question.topic import MOVES
from tieout.data.arithmetic.chance import log_odds, share_of
from tieout.data.printed.unit import Unit, is_currency
from tieout.kg.fact import Fact, FactKind
from tieout.kg.figure import amount_of, is_of_odd_length, report_of, table_of, without_inside, words_around, words_of
from tieout.kg.moves import is_moved
from tieout.kg.reports.outline import listed_in
from tieout.kg.sense import is_other_sort
from tieout.ontology.asked.language import language
from tieout.ontology.asked.listed import names_alone
from tieout.ontology.asked.sort import CALLED
from tieout.ontology.asked.tree import joined_by
from tieout.ontology.asked.when import YEAR
from tieout.ontology.asked.words import leaves_out
from tieout.ontology.metrics.formula import Apply
from tieout.ontology.metrics.formula import Operand as Part
from tieout.ontology.metrics.line_item import find_line_item, line_items
from tieout.ontology.metrics.metric import metrics

# What another way that comes to something else takes off the logarithm of the odds of a reply, and its least chance for
# that: what is named, in all that is shown; the words; the words as a step of the talk. Fitted to answers on reports.
OTHER = {"named": (0.7, 0.0), "words": (0.25, 0.3), "talk": (0.7, 0.0)}
SAME, IN_PERCENT = Decimal("0.005"), (1, 100, Decimal("0.01"))  # the share of an amount within which two are one


def held_against(reply: Reply, others: Mapping[str, object], facts: Mapping[str, Fact]) -> Reply:
    """A reply, the less sure, the more of the other ways come to something else, with the first of these as what may be
    meant instead. others: what each way gives, a reply or none. facts: that are shown, by name."""
    made = {name: each for name, each in others.items() if isinstance(each, Reply) and not each.asks_back}
    likely = {name: each for name, each in made.items() if each.chance >= OTHER[name][1]}
    apart = [name for name, each in likely.items() if not is_same(reply, each, facts)]
    if not apart:
        return reply
    chance = share_of(log_odds(reply.chance) - sum(OTHER[name][0] for name in apart))
    told = str(made[apart[0]].calls[0].arguments.get("description", ""))
    return reply.model_copy(update={"confidence": chance, "alternative": reply.alternative or told})


def is_same(one: Reply, other: Reply, facts: Mapping[str, Fact], *, is_rounded: bool = False) -> bool:
    """Whether two replies come to the same amount, in percent or not; of what is no amount, or made in several steps,
    whether they rest on the same figures. is_rounded: to the digits of the other, `7%` of 7.17%."""
    values = [made.value for each in (one, other) if (made := by_measure(each, facts)) is not None]
    first, second = values if len(values) > 1 else (None, None)
    if isinstance(first, Decimal) and isinstance(second, Decimal):
        one_size, size = first.copy_abs(), second.copy_abs()
        apart = Decimal(5).scaleb(int(size.as_tuple().exponent) - 1) if is_rounded else SAME * size
        return any((one_size * times - size).copy_abs() <= apart for times in IN_PERCENT)
    if None not in (first, second):
        return first is second  # `yes` is not 1
    return one.looked_up == other.looked_up != frozenset()


def surer(one: Reply, other: Reply) -> Reply:
    """The likelier of two replies; the less sure, the likelier the other is, where they rest on other figures."""
    first, second = sorted((one, other), key=lambda reply: -reply.chance)
    return _doubted(first, second)


def _doubted(reply: Reply, other: Reply) -> Reply:
    """A reply, the less sure, the likelier another one is that rests on other figures."""
    if reply.looked_up == other.looked_up or not other.looked_up:
        return reply
    left = round(reply.chance * (1 - other.chance), 4)
    return reply.model_copy(update={"confidence": left})


def of_same_figures(found: Reply, weighed: Reply) -> Reply:
    """A reply that another one, of another form, makes as sure as it is itself of a figure, or less sure by others."""
    if not weighed.looked_up <= found.looked_up:
        return _doubted(found, weighed)
    return found.model_copy(update={"confidence": max(found.chance, weighed.chance)})


KINDS = {"year": "period", "measure": "name with value"}  # of the answers to questions of these forms
OTHER_ITEM = 0.45  # chance below which a line that is known as another is not the one that is meant
OTHER_EXPENSE = 0.7  # the same of an expense, of which each is like any other
# The operations by which readings make what a tree of several measures is, where it is not its own alone.
OF_TREES = {"divide": {"divide", "percentage"}, "add": {"add", "sum"}}


def of_its_sort(request: Request, reply: Reply) -> Reply:
    """A reply; asked back where the one figure of it is of another sort than is asked for, or is a number that the
    question says itself, in a sentence: `the four segments`."""
    text = request.question if request.in_full is None else request.in_full.text
    asked = without_company(read_question(text), request)
    if "value" in reply.told and language().forms["which of them"].match(request.question.lower()):
        return doubtful(reply, "which of them it is, is asked for")
    is_step = request.view is None and bool(request.history)  # which goes on from what was before
    if asked.kinds[0] == "boolean" and reply.told.get("kind") == "name with value":
        return doubtful(reply, "whether that is so is asked for")
    named = (*asked.named, *(each for single in asked.several for each in single.asked.named))
    measures = {each.name for each in named}
    if "values" in reply.told and len(measures) == 1 and not (reply.done or asked.halves):
        units = {fact.unit for fact in used_by(reply, request.shown)} - {None, Unit.PERCENT}  # a growth beside it
        is_mixed = any(map(is_currency, units)) and not all(map(is_currency, units))
        return doubtful(reply, "not all of its figures are of money") if is_mixed else reply
    if asked.halves or is_step or "value" not in reply.told:
        return reply
    used, listed = used_by(reply, request.shown), names_alone(asked.lower)
    if listed is not None and not asked.several and "falls due" not in asked.cues:
        return ask_back(Missing(f"Nothing that was found names the {listed.called} that are asked for."))
    is_each = "each" in asked.cues and bool(asked.open & language().words["of a part"])  # `does each segment carry?`
    if ("ranked" in asked.cues or is_each) and not asked.several:
        return doubtful(reply, "it is asked for each of several, and is one figure")
    if len(used) == 1 and used[0].sentence is not None and used[0].value in asked.counts and not asked.bound:
        return ask_back(Missing(f"{used[0].value} is what the question says itself."))
    counted = words_of(used[0].label.partition("…")[2]) if len(used) == 1 and used[0].sentence is not None else ()
    if counted and asked.asks_for == "count":
        if not asked.named and counted.isdisjoint(asked.open):
            return doubtful(reply, "it counts others than are asked for")
        if asked.asks_change and not (reply.done or language().forms["what has moved"].search(used[0].context)):
            return doubtful(reply, "how it moved is asked for")
    is_two = len({table_of(fact) for fact in used}) == len(used) == 2
    of = asked.whole.open if asked.whole is not None and is_two else ()
    if of and not all(of <= words_around(fact) for fact in used):
        return doubtful(reply, f"nothing says that it is a part of what is of {' '.join(sorted(of))!r}")
    if not asked.asks_for:
        return reply
    operation = "lookup" if not reply.done else reply.done[0] if len(reply.done) == 1 else ""
    if not is_other_sort(asked.asks_for, operation, used):
        return reply
    return ask_back(Missing(f"No {CALLED[asked.asks_for]} of {' '.join(asked.search)} was found."))


def in_parts(request: Request, reply: Reply) -> Reply:
    """A reply that names years where the question asks for a quarter or another part of a year, as a guess."""
    asked, words = read_question(request.question), reply.told.get("words", ())
    is_year = bool(words) and all(YEAR.fullmatch(str(word)) for word in words)
    is_other = asked.kinds[0] == "period" and asked.part_of_year and is_year
    return doubtful(reply, "the question asks for a part of a year") if is_other else reply


def tied(request: Request, reply: Reply) -> Reply:
    """A reply, no more than a guess where a question goes back to what was before, and how is not known."""
    own, is_tied = read_question(request.question), request.in_full is not None or not request.history
    if is_tied or request.view is None or own.told or reply.asks_back or listed_in(request.card.text):
        return reply
    goes_back = not own.named or "points back" in own.cues or joined_by(own.joins[0]) is not None
    is_whole = own.years or own.part_of_year or language().forms["a whole question"].match(own.lower) is not None
    return doubtful(reply, "what it goes back to is not clear") if goes_back or not is_whole else reply


def is_another(weighed: Reply, asked: Question, card: Card, lines: Lines) -> bool:
    """Whether a reply by the words of a question is another measure than one that the question names: without what
    qualifies it, or a part of what is calculated."""
    used = used_by(weighed, card)
    if any(other_qualifiers(asked, used)):
        return True
    if isinstance(asked.tree, Apply):
        return not {*weighed.done} & OF_TREES.get(asked.tree.operation, {asked.tree.operation})
    if not isinstance(asked.tree, Part):
        return False
    if asked.calculation in ("change", "growth") and asked.tree.name in line_items():
        is_spent = line_items()[asked.tree.name].spent
        return any(each is not None and each.spent != is_spent for each in (find_line_item(f.label) for f in used))
    if len(used) != 1 or {*weighed.done} - {"magnitude"} or asked.calculation != "value":
        return False
    item, metric = line_items().get(asked.tree.name), metrics().get(asked.tree.name)
    if item is not None:
        other, said = find_line_item(used[0].label), words_of(f"{asked.named[0].said} {' '.join(item.labels)}")
        said -= language().words["of many lines"]
        is_opposed = other is not None and other.spent != item.spent  # `Net sales` is no cost of sales
        is_unlike = said.isdisjoint(words_of(used[0].label)) or weighed.chance < OTHER_ITEM
        is_other = other not in (None, item) and (is_opposed or is_unlike)
        is_below = item.sign == "positive" and used[0].value < 0
        if is_other or is_below:
            return True
        return is_other_balance(asked, item, used[0], lines)
    known = find_line_item(used[0].label)
    return metric is not None and known is not None and known.name in asked.items


def of_what_is_named(weighed: Reply, asked: Question, shown: Card) -> Reply | Missing:
    """A reply by the words of a first question, the less sure where nothing around its figures says what that names."""
    used = used_by(weighed, shown)
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


def is_of_other_item(found: Reply, asked: Question, shown: Card) -> bool:
    """Whether a doubtful reply to a question for one line item is of a line that is known as another."""
    used = used_by(found, shown) if len(asked.named) == 1 else []
    item = find_line_item(used[0].label) if len(used) == 1 else None
    least = OTHER_EXPENSE if item is not None and item.spent else OTHER_ITEM
    if item is None or item.name == asked.named[0].name or found.chance >= least:
        return False
    said = words_of(asked.named[0].said) - language().words["qualifiers"] - language().words["of many lines"]
    return said.isdisjoint(words_of(used[0].label))


def is_of_other_form(weighed: Reply, asked: Question, shown: Card) -> bool:
    """Whether a reply says only amounts or their sum where a question wants a yes or no, a year, or a move; or lists
    amounts where it is for one thing."""
    if "values" in weighed.told and asked.kinds[0] == "number" and len(asked.named) == 1 and not asked.years[1:]:
        return not (asked.several or asked.halves or asked.form == "list")
    if asked.form in KINDS:
        return weighed.told.get("kind") != KINDS[asked.form]
    if (
        asked.calculation in MOVES
        and {*weighed.done} <= {"sum", "add", "magnitude"}
        and (used := used_by(weighed, shown))
    ):
        return all(is_currency(each.unit) and not is_moved(each) for each in used)
    return asked.form == "yes or no" and weighed.done[-1:] != ["greater"]


def is_as_asked(fact: Fact, asked: Question, lines: Lines) -> bool:
    """Whether all words of a question for one figure stand at this one, and at no other of its time that is as near."""
    is_plain = asked.calculation == "value" and asked.form == "figure" and asked.kinds[0] == "number"
    is_more = bool(asked.doing & DONE_BY.keys() or asked.halves) or asked.compares
    is_other = leaves_out(fact.label, asked.lower) or is_other_sort(asked.asks_for, "lookup", [fact])
    if not is_plain or is_more or is_other or fact.kind is not FactKind.TABLE:
        return False
    timed = in_fiscal_quarter(in_latest_part(asked, lines, report_of(fact)), lines)
    of_time = lines.of_time(report_of(fact), timed)
    is_timed = fact in of_time and (timed.span is not None if asked.part_of_year else not is_of_odd_length(fact))
    known = (asked.open - OF_NO_PART).union(*(words_of(each.said) for each in asked.named))
    if (near := _nearness(fact, asked, lines, known)) is None or not (near[1] and is_timed):
        return False
    if near[1] < len(known) and near[1] + near[2] < 0:  # most of its label is of something else, and it lacks a word
        return False
    least = near[1] if near[0] else 0  # words of its label, without which none is as near
    alike = (each for each in of_time if len(words_of(without_inside(each.label)) & known) >= least)
    others = (each for each in alike if each.unit == fact.unit and amount_of(each) != amount_of(fact))
    return not any((other := _nearness(each, asked, lines, known)) is not None and other >= near for each in others)


def _nearness(fact: Fact, asked: Question, lines: Lines, known: frozenset[str]) -> tuple[bool, int, int, date] | None:
    """Whether all words of a question stand at the figure itself, how many in its label, how few others that has, and
    its last day; None where some stand nowhere around it. known: all that the question says."""
    words, label = asked.open - OF_NO_PART, words_of(without_inside(fact.label))
    at, around = label | words_of(f"{fact.section} {fact.header}"), lines.about(fact)
    names = [_ways(each.name, each.said, fact) for each in asked.named]
    if words - around or not all(any(said <= around for said in each) for each in names):
        return None
    is_at = words <= at and all(any(said <= at for said in each) for each in names)
    end = fact.period and fact.period.end
    return is_at, len(label & known), -len(label - known), end or date.min


def _ways(name: str, said: str, fact: Fact) -> list[frozenset[str]]:
    """The words by each of which what is named may be said of a figure: none where its line is known as that."""
    item = line_items().get(name)
    if item is not None and find_line_item(fact.label) == item:
        return [frozenset(), words_of(fact.label)]
    return [words_of(each) - OF_NO_PART for each in (said, *(item.labels if item is not None else ()))]
