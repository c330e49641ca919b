"""The reply to a question with what it leaves out, or that holds two amounts against each other or claims something."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import zip_longest

from tieout.agent.answers.checks.check import CERTAIN, SURE_ENOUGH
from tieout.agent.offline.answer.reply import (
    BY_CHANCE,
    GUESS,
    Call,
    Missing,
    ask_back,
    doubtful,
    is_sure,
    reply_of,
    says_so,
)
from tieout.agent.offline.answer.several import Ask, as_written, together
from tieout.agent.offline.ranking.by_measure import by_measure
from tieout.agent.protocol.message import PriorTurn, Reply, Request
from tieout.agent.question.question import Question, Single
from tieout.agent.question.read import read_question
from tieout.agent.question.sides import in_claims, in_sides, is_claim
from tieout.agent.question.topic import Full
from tieout.data.printed.amount import Unit, read_amounts
from tieout.kg.fact import Fact
from tieout.kg.figure import sort_of, words_of, year_of
from tieout.kg.reports.outline import listed_in
from tieout.kg.sense import makes_no_sense
from tieout.ontology.asked.claim import Claim
from tieout.ontology.asked.language import language
from tieout.ontology.asked.tree import STRONG

# Operations of two figures that are each asked for, whatever the question for both comes to.
HELD = ("greater", "direction", "list", "add", "percentage_points", "add size", "subtract size", *STRONG)
MAGNITUDE = "magnitude"
RATES = ("percentage", "percentage_change")
SURE = 0.97  # that what a question leaves out is that of the one before
SURE_OF_MEASURE = 0.8  # chance from which what a question names is not weighed against other readings
KEPT_RATE = 0.85  # that a share or a growth is asked for again where another line is named alone


def answer_in_full(request: Request, full: Full, ask: Ask) -> Reply:
    """The reply to a question with what it leaves out, the less sure, the less that is known."""
    found, own = _likeliest(request, full, ask), read_question(request.question)
    names = [turn for turn in request.history if turn.names and turn.names in full.text]
    chance = 1 if full.is_first else min([SURE, *(turn.probability or 0 for turn in names)])
    last = request.history[-1] if request.history and not full.is_first else None
    before = None if last is None else GUESS if last.answer is None else last.probability
    is_rate = full.operation in RATES and not (full.is_first or own.asks_share)
    if is_rate and own.named and own.calculation == "value":
        chance = min(chance, KEPT_RATE)  # `and marketing?` behind a share of sales may ask for the amount
    if before is not None and before < SURE_ENOUGH and not own.named:
        chance = min(chance, before)  # it is of what that one is
    is_certain, likely = chance == SURE and not (full.other or full.left), found.chance
    found = found.model_copy(update={"confidence": min(likely, SURE) if is_certain else round(likely * chance, 4)})
    return doubtful(found, full.left) if full.left and not found.asks_back else found


def _likeliest(request: Request, full: Full, ask: Ask) -> Reply:
    """The reply to a question in full, as to a first one; of two figures that are asked for in it where that is
    likelier, or where it is asked which of them is more."""
    first = request.alone(full.text)
    told = [_told(request, number) for number in full.told or (-1,) * len(full.sides)]
    held = ("greater", "direction") if full.is_first else HELD
    is_held = full.operation in held or bool(full.names) or is_of_quarters(full) or (told and None not in told)
    found = None if is_held else ask(first)
    used = frozenset() if found is None or found.chance < BY_CHANCE else found.looked_up
    facts = [fact for name in used if (fact := first.shown.named.get(name))]
    both = {word for word in words_of(" ".join(full.sides)) - language().words["function"] if not word.isdigit()}
    is_share = full.operation == "percentage" and all(fact.unit == Unit.PERCENT for fact in facts)
    is_rate = full.operation == "divide" and all(both <= words_of(fact.label) for fact in facts)  # `Sales per store`
    is_printed = (is_share or is_rate) and len(facts) == len(used) > 0
    if found is not None and full.sides and not found.asks_back:  # it has to be of both amounts
        is_made = not full.is_first or is_printed or bool(found.done)
        is_list = "value" not in found.told
        found = found if (is_list if full.operation == "list" else is_made and not is_list) else None
    if full.other and not (is_held or is_printed):
        found = _or_other(request, full, found, ask)
    is_sure = found is not None and found.chance >= SURE_ENOUGH and found.is_calculated
    if full.sides and not (is_printed or is_sure):
        made = _made(request, full, told, ask)
        is_likelier = made is not None and (found is None or made.chance > found.chance)
        found = made if is_likelier else found
    return found or ask(first)


def _or_other(request: Request, full: Full, found: Reply | None, ask: Ask) -> Reply | None:
    """A reply; where it is not sure, the likelier of it and of that to the other way to understand the question."""
    if found is not None and found.chance >= (SURE_OF_MEASURE if full.apart else SURE_ENOUGH):
        return found
    other = ask(request.alone(full.other))
    if full.is_first and not full.sides:  # a share is not asked for
        other = doubtful(other)
    own = {each.name for each in read_question(full.other).named} | {"revenue"}  # which a part is asked for by its name
    lost = [each.said for each in read_question(full.text).named if each.name not in own]
    if lost and not (full.is_first or full.apart or full.left):
        if found is not None and not found.asks_back:
            return found
        return doubtful(other, f"nothing of {lost[0]!r} is in it")
    chosen = max(found or other, other, key=lambda each: each.chance)
    return doubtful(other, f"nothing of {full.apart!r} is in it") if full.apart and chosen is other else chosen


def _made(request: Request, full: Full, told: Sequence[Reply | None], ask: Ask) -> Reply | None:
    """The reply that is made of those to the sides of a question, told before or asked for now, with what is said
    beside a yes or no, or which of them is most; {0} and {1} stand for them."""
    both, known = [request.alone(each) for each in full.sides], request.known
    replies = [each or ask(side) for each, side in zip(told, both, strict=True)]
    turns = (request.history[number] if each else None for number, each in zip(full.told, told, strict=False))
    values = [turn or by_measure(reply, known) for turn, reply in zip_longest(turns, replies)]
    amounts = [each.value if each is not None and isinstance(each.value, Decimal) else None for each in values]
    if full.operation == "percentage" and (share := _printed_share(replies, both)) is not None:
        return share
    if full.names:
        asked = "; ".join(turn.question for turn in request.history)
        names = [as_written(each, asked) or each for each in full.names]
        return chosen_of(calculated("sum", both, replies, ""), names, amounts, full.operation)
    said = "told greater" if full.operation == "greater" else ""
    last, before = amounts if len(amounts) == 2 else (None, None)
    if full.operation == "direction" and last is not None and before is not None:
        said = "told rise" if last > before else "told fall" if last < before else "told neither"
    return calculated(full.operation, both, replies, language().in_full[said] if said else "")


def _printed_share(replies: Sequence[Reply], asked: Sequence[Request]) -> Reply | None:
    """The reply for a part, where it is one figure that is itself the share of the whole, as a percentage."""
    used = [[request.known[name] for name in reply.looked_up] for reply, request in zip(replies, asked, strict=True)]
    is_one = all(len(facts) == 1 for facts in used) and not any(reply.is_calculated for reply in replies)
    return replies[0] if is_one and makes_no_sense("percentage", [facts[0] for facts in used]) else None


def calculated(
    operation: str,
    asked: Sequence[Request],
    replies: Sequence[Reply],
    basis: str = "",
    than: str = "",
    *,
    is_less: bool = False,
) -> Reply | None:
    """One reply of what several questions come to, calculated with each other, or of one with the number `than`, in
    the other order where it `is_less`; None where one has no figure. basis: what is said of them beside it."""
    singles = tuple(Single("", read_question(each.question)) for each in asked)
    both = together(Question("", "", several=singles), replies)
    answer = both.told
    values = answer.get("values", [answer["value"]] if "value" in answer else ())
    if operation == "list" and not any(reply.asks_back for reply in replies):
        return both
    if not len(values) == len({*values}) == len(replies) or any(reply.asks_back for reply in replies):
        return None
    name = f"turn{asked[0].turn}of"
    values = [*values, *filter(None, [than])][:: -1 if is_less else 1]
    answer = {"value": name} | ({"basis": basis.format(*(f"{{{each}}}" for each in values))} if basis else {})
    made = [(call.tool, call.arguments) for call in both.calls[:-1]]
    operation, _, by_size = ("subtract" if operation == "direction" else operation).partition(" ")
    if by_size:
        made.append(("calculate", {"operation": "magnitude", "values": [values[1]], "name": f"{name}size"}))
        values = [values[0], f"{name}size"]
    made.append(("calculate", {"operation": operation, "values": [*values], "name": name}))
    return reply_of([*made, ("answer", answer)], both.confidence, both.alternative, both.unaccounted)


def chosen_of(added: Reply | None, names: Sequence[str], amounts: Sequence[Decimal | None], end: str) -> Reply | None:
    """One reply that names the one of several amounts that is the `highest`, or the `lowest`, with all of them, instead
    of their sum; None where one is not known or has no name, or two are alike."""
    known = [each for each in amounts if each is not None]
    if added is None or len({*known}) < len(names) or not all(names):
        return None
    values = added.calls[-2].arguments["values"]
    at = known.index(min(known) if end == "lowest" else max(known))
    others = [each for number, each in enumerate(values) if number != at]
    answer = {"words": [names[at]], "values": [values[at], *others], "kind": "name with value"}
    calls = [(call.tool, call.arguments) for call in added.calls[:-2]]
    return reply_of([*calls, ("answer", answer)], added.confidence, added.alternative, added.unaccounted)


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


def is_of_quarters(full: Full) -> bool:
    """Whether the two or more figures of a question are each of another quarter."""
    return len({read_question(each).when.quarters for each in full.sides} - {()}) > 1


def same_line(request: Request) -> Reply | None:
    """The reply to a question that asks on for another year alone: the line of the answer before."""
    if request.in_full is None or not request.history:
        return None
    own, last, full = read_question(request.question), request.history[-1], read_question(request.in_full.text)
    if "asks on" not in own.cues or own.core or full.calculation != "value" or len(full.years) != 1:
        return None
    kept = _in_year(full.years[0], last, request.shown.facts, request.turn)
    chance = SURE * (1 if last.probability is None else last.probability)
    return None if kept is None else reply_of(kept, round(chance, 4))


def is_turn(full: Full, question: str) -> bool:
    """Whether what is asked in full is made of several figures, which no page is looked through for as a whole."""
    is_list = full.is_first or language().forms["of each told"].search(question.lower()) is not None
    is_made = full.operation == "list" if is_list else full.operation in STRONG
    return is_made or is_of_quarters(full) or len(read_question(question).when.days) > 1


def read_alone(request: Request) -> str:
    """The question in full, where it is for a measure alone, or of one that an answer named, which a page is not looked
    through for again; "" where it is read as a step of the talk."""
    full, names = request.in_full, [turn.names for turn in request.history if turn.names]
    if full is None or all(turn.answer is None for turn in request.history[-1:]):
        return "" if full is None else full.text
    asked = read_question(full.text)
    is_named = any(name in full.text for name in names) or (bool(asked.named) and not asked.open)
    return full.text if is_named and not full.left else ""


def names_all(text: str) -> bool:
    """Whether a question calls all that it asks for by the names of its lines."""
    own = read_question(text)
    return bool(own.named) and not own.open and "points back" not in own.cues


def _in_year(year: int, last: PriorTurn, facts: Sequence[Fact], turn: int) -> list[Call] | None:
    """The calls that look up the line of the figure of the last turn in another year; None where that is no figure of
    a row, or where the row has none or several."""
    if last.operation not in ("lookup", MAGNITUDE, None, "") or len(last.facts) != 1:
        return None
    before = next((fact for fact in facts if fact.name == last.facts[0]), None)
    if before is None or before.table is None:
        return None
    row = [fact for fact in facts if (fact.table, fact.row, fact.section) == (before.table, before.row, before.section)]
    found = [fact for fact in row if year_of(fact) == year and _is_alike(fact, before)]
    if len({fact.value for fact in found}) != 1:
        return None
    fact = found[0]
    said = {"description": f"{fact.label[:200]} ({fact.period.label if fact.period else year})"}
    understood = {**said, "requires_calculation": False, "reasoning": "The same line as before, in another year."}
    understood |= {"entity_type": fact.entity_type, "property": fact.property}
    calls: list[Call] = [("understand", understood), ("query_kg", {"fact": fact.name})]
    if last.operation != MAGNITUDE:
        return [*calls, ("answer", {"value": fact.name})]
    made = f"turn{turn}"  # what is printed as taken off is said without its sign, as before
    calls.append(("calculate", {"operation": MAGNITUDE, "values": [fact.name], "name": made}))
    return [*calls, ("answer", {"value": made})]


def _is_alike(one: Fact, other: Fact) -> bool:
    """Whether two figures of a row are of one sort and of periods of one kind, in columns of one name."""
    name, other_name = (re.sub(r"\W*\d+\W*", " ", each.header.lower()).strip() for each in (one, other))
    return sort_of(one) == sort_of(other) and name == other_name


def claimed(request: Request, reply: Reply, ask: Ask) -> Reply:
    """A reply to a question for yes or no; where it does not surely say so, by the figures of what it claims."""
    full = request.in_full or Full(request.question, is_first=not request.history)
    text = full.text if full.is_first else ""  # which stands by itself
    is_asked = all(map(is_claim, map(read_question, (text, request.question)))) and not request.exchanges
    if not is_asked or listed_in(request.card.text) or (says_so(reply) and is_sure(reply, CERTAIN)):
        return reply
    reply = doubtful(reply) if reply.unaccounted else reply  # another time may turn a yes into a no
    chance = reply.chance * says_so(reply)
    for claim in in_claims(text):
        sides = [request.alone(each, in_sides(each)) for each in claim.sides]
        if claim.number:
            return _is_number(claim, sides[0], ask(sides[0]))
        made = _held(claim, sides, list(map(ask, sides))) if chance < CERTAIN else None
        if made is not None and made.chance > chance:
            reply, chance = made, made.chance
    is_other = "value" in reply.told and not says_so(reply)
    return ask_back(Missing("No figure or sentence that was found says whether it is so.")) if is_other else reply


def _is_number(claim: Claim, asked: Request, reply: Reply) -> Reply:
    """The reply to whether something is a number: `no` where its figure is another one by the digits of the number;
    else that figure, of which more is printed than is claimed."""
    number, used = next(iter(read_amounts(claim.number)), None), [asked.known[name] for name in reply.looked_up]
    if number is None or len(used) != 1 or reply.is_calculated or reply.unaccounted:
        return ask_back(Missing("No figure or sentence that was found says whether it is so."))
    printed, told = used[0].value * used[0].scale, number.value * number.scale
    unit = Decimal(1).scaleb(int(number.value.as_tuple().exponent)) * number.scale
    if abs(printed.copy_abs() - told) <= unit / 2:
        return doubtful(reply, f"whether it is {claim.number} is asked for")
    than = f"{number.value:f}{'%' if number.unit == Unit.PERCENT else ''}"
    return calculated("greater", [asked], [reply], than=than, is_less=printed > told) or reply


def _is_amount(reply: Reply, asked: Request) -> bool:
    """Whether a reply is a figure as printed that is no rate."""
    units = {asked.known[name].unit for name in reply.looked_up}
    return not reply.is_calculated and not units <= {None, Unit.PERCENT, Unit.RATIO}


def _held(claim: Claim, sides: Sequence[Request], replies: Sequence[Reply]) -> Reply | None:
    """The reply that says whether a claim is so, by those to the questions for its figures; None where one has none, or
    where it is not sure of what there is any of."""
    is_open = any(reply.unaccounted or reply.chance < SURE_ENOUGH for reply in replies)
    is_of_amount = claim.than.endswith("%") and any(map(_is_amount, replies, sides))  # `twice` of what is not said
    if (claim.is_of_any and is_open) or is_of_amount:
        return None
    is_less = claim.is_less
    if claim.than and len(sides) > 1:  # what turned was on the other side before: where it was not, that is told
        was = by_measure(replies[1], sides[1].known)
        at = int(was is not None and isinstance(was.value, Decimal) and (was.value < 0) == is_less)
        is_less, sides, replies = is_less != bool(at), sides[at : at + 1], replies[at : at + 1]
    made = calculated("greater", sides, replies, than=claim.than, is_less=is_less)
    return doubtful(made) if made is not None and made.unaccounted else made
