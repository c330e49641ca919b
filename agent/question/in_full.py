"""A question written out in full: what it says takes the place of what the one before said of that kind, and the rest
stays (`and in 2023?`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tieout.agent.question.among import FIGURES, added_up, by_how_much, made_of, told_before, which_one
from tieout.agent.question.question import ENDS, Question
from tieout.agent.question.read import read_question
from tieout.agent.question.topic import KEPT, MOVES, WORD, Full, Said, Topic, said_in, time_after, time_in, time_over
from tieout.ontology.asked.language import language
from tieout.ontology.asked.measures import find_measures, items_of
from tieout.ontology.asked.tree import STRONG, is_percent, joined_by
from tieout.ontology.asked.when import YEAR, dated, timeless, years_in
from tieout.ontology.asked.words import POSSESSIVE, stems
from tieout.ontology.labels.lexicon import singular
from tieout.ontology.metrics.formula import Apply
from tieout.ontology.metrics.line_item import line_items
from tieout.ontology.metrics.metric import metrics

RATES = ("share", "share of")  # what is made of a part and of its whole
OF_PARTS = ("revenue", "cost_of_revenue", "gross_profit", "operating_income")  # what segments are told by
SHORT = 7  # words of a question that asks on
GOES_ON = frozenset({"asks on", "points back"})
WHAT_IT_IS = "what it goes back to is not clear"


@dataclass(frozen=True, slots=True)
class Asked:
    """An earlier question. names: the one thing that its answer names, period: when its figure is of, "" for none."""

    question: str
    names: str = ""
    period: str = ""


def in_full(question: str, earlier: Sequence[Asked], without: Callable[[str], str] = str) -> Full | None:
    """A question in full: as it is where it says all itself; None for one that cannot be tied to those before it, and
    says nothing itself. without: calls the company so in a text, which is no part of it."""
    known: Topic | None = None
    is_lost = False
    told: dict[str, int] = {}
    for number, turn in enumerate(earlier):
        own, known = _read(without(turn.question), known)
        known = _told_then(known, own, earlier[number - 1].period)
        after = _after(known, own)
        made = after or of_itself(own, known)
        is_own = after is None or known is None or after.what == known.what or bool(own.named)
        is_left = not is_own and bool(after and known and _not_asked(after, known, own))
        told |= dict.fromkeys(_told_by(made, own, is_after=made is after) if made and not is_left else (), number)
        known, is_lost = made or known, made is None or is_left or (is_lost and after is not None)
        known = _as_answered(known, turn.names) if known is not None else None
    own, known = _read(question if _names_alone(without(question)) else without(question), known)
    known = _told_then(known, own, earlier[-1].period if earlier else "")
    counts = language().forms["a count of its own"].match(own.lower)
    if known is not None and counts is not None and (counts["whose"] or not known.part):
        time = dated(str(max(years_in(known.time), default=""))) if counts["then"] and not own.years else ""
        return Full(f"{own.text.rstrip('?. ')} {time}".strip(), is_first=True)
    made = _after(known, own)
    if known is None or (made is None and not (own.named or own.open)):
        return None
    if (made is None or _names_more(made, own)) and _stands_alone(own) and own.kinds[0] != "words":
        text = language().forms["same time"].sub(dated(known.time), own.text) if known.time else own.text
        # A part may be called as the company is. What sentences tell is looked for with what was before.
        return Full(question if text == without(question) else text, is_first=True)
    if made is None:
        return None
    is_of_part = made.part != known.part and _stands_alone(own)
    # `what was income?` asks for no part
    if is_of_part and not made.full.sides and language().forms["what it was"].match(own.lower):
        return Full(own.text if own.years else f"{own.text.rstrip('?. ')} {dated(known.time)}".strip(), is_first=True)
    left, sides = WHAT_IT_IS if is_lost else _not_asked(made, known, own), made.full.sides
    is_same = stems(made.full.text) == stems(own.text) and read_question(made.full.text).years == own.years
    other = made.full.other or (own.text if is_of_part and not is_same else "")
    return replace(made.full, other=other, left=left, told=tuple(told.get(each, -1) for each in sides))


def _names_alone(text: str) -> bool:
    """Whether a question says nothing but the name of the company, which a part of it may have: `what about Alder?`"""
    return language().forms["the company alone"].fullmatch(text.lower().strip(" ?.!")) is not None


def _told_then(known: Topic | None, own: Question, period: str) -> Topic | None:
    """What is known, of the year for which it was told where it was asked for the latest, and the year beside it or a
    move is asked for now."""
    is_beside = own.when.back or own.calculation in MOVES or "year after" in own.cues or _goes_back(own)
    years = years_in(period.lower()) if is_beside else ()
    if known is None or not years or years_in(known.time):
        return known
    part = language().forms["part of a year"].search(known.full.text.lower())
    if part is None and language().forms["part of a year"].search(period.lower()) is not None:
        return known  # the latest of them is meant
    return replace(known, time=f"the {part[0]} {years[-1]}" if part is not None else str(years[-1]))


def _as_answered(known: Topic, name: str) -> Topic:
    """What is known behind an answer. name: the one thing that it names, "" for none: one of several as it was asked
    for, by its label (`Dividends paid`), or by its year; else a year, or a part."""
    if not name:
        return replace(known, is_all=False) if known.wish == "which" else known
    as_asked = [each for each in known.among if name.lower() in f"{each.what} {each.time}"]
    labelled = (each for each in known.among if {*stems(each.what)} <= {*stems(name)})
    if (one := next(iter(as_asked), next(labelled, None))) is not None:
        return replace(one, before=known)
    if YEAR.fullmatch(name):
        return replace(known, time=name, wish="value")
    return replace(known, part=name, leads=False, wish="value")


def _told_by(made: Topic, own: Question, *, is_after: bool) -> tuple[str, ...]:
    """The questions in full that the answer to a question tells: as it was asked, and in the words for its amount."""
    is_amount = made.wish in FIGURES and (is_after or (own.form == "figure" and own.calculation in ("value", "share")))
    is_amount = is_amount and (is_after or made.is_all) and not own.compares
    return (made.full.text, *((made.text(made.wish, **made.more),) if is_amount and made.what else ()))


def _read(question: str, known: Topic | None) -> tuple[Question, Topic | None]:
    """A question as read, and what it goes on from: one that goes on as people do in talk in the words that others use
    for it, and `back to Asia: ...` from what was asked of that."""
    if known is None:
        return read_question(question), None
    if back := language().forms["back to"].fullmatch(question.lower()):
        said = {*stems(back["what"])}
        if topic := next((each for each in known.earlier() if said and said <= {*stems(each.what)}), None):
            question, known = question[back.start("rest") :], replace(topic, before=known)
    own = read_question(question)
    for way, other in language().turns:
        if (found := way.fullmatch(own.lower)) is not None:
            own = read_question(found.expand(other).strip())
    return own, known


def read_in_conversation(question: str, earlier: Sequence[str]) -> Question:
    """What a question wants that was asked after others."""
    full = in_full(question, [Asked(each) for each in earlier])
    return read_question(question if full is None else full.text)


def of_itself(own: Question, before: Topic | None) -> Topic | None:
    """What a question by itself is about; None for one of several things, or of none."""
    said, full = said_in(own.part or own), Full(own.text)
    some = language().forms["some of"].match(own.text)  # `how much of sales came from Asia?`
    share = read_question(f"what share of {own.text[some.end() :]}") if some is not None else own
    if some is not None and share.part is not None and share.whole is not None and said_in(share.whole).measure:
        said = replace(said, measure=said_in(share.whole).measure, part=said_in(share.part).part, is_all=True)
    is_which = own.compares and bool(own.cues & ENDS)
    if which := _of_which(Topic(full=full), own, said) if is_which or "ranked" in own.cues else None:
        return replace(which, full=full, before=before)
    if is_which:
        return None
    if own.several and len(own.named) > 1 and not (own.halves or own.open or own.bound or own.whole):
        said = Said(own.lower[own.named[0].start : own.named[-1].end], time=said.time)  # `sales and income`, as one
    elif (
        (own.several and not (said.part and said.is_all))
        or own.halves
        or own.bound
        or not (said.measure or said.part or own.told or own.open)
    ):
        return None
    elif own.told and not said.measure:
        said = replace(said, part="")  # the auditor has no sales
    more = {"moved": moved_in(own)} | ({"whole": timeless(own.whole.lower, time_in(own.whole))} if own.whole else {})
    is_move = own.form == "yes or no" and own.calculation in MOVES
    wish = "share of" if own.whole is not None else "moved" if is_move else own.calculation
    wish = wish if wish in language().in_full and wish != "share" and said.is_all else "value"
    time = time_in(own) or (before.time if before is not None else "")
    return Topic(said.measure, said.part, said.leads, time, said.is_all, full, wish, more, before, some is not None)


def _after(known: Topic | None, own: Question) -> Topic | None:
    """What a question is about that was asked after another; None where it stands by itself, or nothing is known of how
    the two go together."""
    if known is None or (own.several and not _is_of_parts(own)) or own.halves or own.defines:
        return None
    forms = language().forms
    known = _as_part(known) if forms["that part"].search(own.lower) else known
    whole = forms["the whole company"].search(own.lower) or forms["the company alone"].fullmatch(own.lower)
    if whole is not None:
        known = replace(known, part="", is_all=True, wish="value")
        own = read_question(own.lower.replace(whole[0], " ").strip(" :,") or "and it?")
    is_amount = known.wish in RATES and own.calculation == "value"
    if is_amount and (said_so := language().forms["its amount"].search(own.lower)) is not None:
        known, own = known.as_amount(), read_question(own.lower.replace(said_so[0], " ").strip(" :,") or "and it?")
    now = language().forms["now"].search(own.lower)
    if now is not None or (own.named and (own.part_of_year or own.when.months) and not (own.years or own.when.back)):
        own = own if now is None else read_question(own.lower.replace(now[0], ""))
        # What was asked without a year is of the latest.
        latest = max((each.time for each in known.earlier()), key=lambda time: years_in(time) or (9999,))
        known = replace(known, time=latest, wish="value" if now is not None and own.named else known.wish)
    if _goes_back(own) and (years := years_in(known.time)) and not known.part_of_year:
        own = read_question(f"and in {' and '.join(str(min(years) - each) for each in range(1, own.counted + 1))}")
    if known.part == "adjusted" and language().forms["not adjusted"].search(own.text.lower()) is not None:
        known = replace(known, part="")
    said = said_in(own)
    if "in unit" in own.cues and not said.measure:  # `per share? and in 2022, in dollars?`
        amount = next((each for each in known.earlier() if known.measure == f"{each.measure} per share"), known)
        known = replace(known, measure=amount.measure)
    if own.rate and said.part == own.rate and (known.wish in RATES or own.rate in known.measure.split()):
        said = replace(said, part="")  # `was the margin higher in 2022?`
    if said.measure and not said.part and known.measure and language().forms["how much of it"].search(own.lower):
        said = replace(said, measure="", part=said.measure)  # `how much of it sits in R&D?`: a part is called so
    if (per := _per(known, own, said)) is not None:
        return replace(per, before=known)
    is_qualifier = language().words["qualifiers"].issuperset(said.measure.split())
    is_dated = own.years or (own.when.last and language().forms["several told"].search(own.lower) is None)
    if said.measure and not is_qualifier and is_dated and _stands_alone(own):
        return None  # it says all itself
    for way in WAYS:
        made = way(known, own, said)
        if made is not None:
            is_own = made.full.text == own.text or (made.wish != "as asked" and _left_over(made, own, said))
            return _at_time(known, own, said) if is_own else replace(made, before=known)
        if way is _of_which and own.kinds[0] == "name" and not own.told:
            return None  # which one is asked for is not known
    return _at_time(known, own, said)


def _as_part(known: Topic) -> Topic:
    """What was asked for under a name of its own, as what it is of a part: `services revenue`."""
    part, _, measure = known.measure.rpartition(" ")
    is_part = part and not known.part and not language().words["qualifiers"] & {*part.split()}
    return replace(known, measure=measure, part=part, leads=True) if is_part and find_measures(measure) else known


def _is_of_parts(own: Question) -> bool:
    """Whether a question names parts alone, or one that has `and` in its name: `and for tools and saws?`"""
    said = said_in(own)
    return bool(said.part and said.is_all and "asks on" in own.cues) and not (own.named or own.years or said.measure)


def _goes_back(own: Question) -> bool:
    """Whether a question asks for several years before one: `and the two years before that?`"""
    return own.counted > 0 and language().forms["years before"].fullmatch(own.lower) is not None


def _stands_alone(own: Question) -> bool:
    """Whether nothing in a question goes back to another: `which region grew its sales?` goes back to the region, and
    `did they pay dividends?` to the company alone."""
    is_any = language().forms["whether any"].match(own.lower) is not None and own.calculation == "value"
    is_of_all = is_any and bool(own.named) and own.cues.isdisjoint(("more", "fewer", "above", "below", "compared"))
    is_own = "which" in own.cues and own.named and "asks on" not in own.cues
    return own.cues.isdisjoint(GOES_ON) or is_of_all or bool(is_own)


def _names_more(made: Topic, own: Question) -> bool:
    """Whether a question names a measure that is not in what it was read as."""
    text = " ".join((made.full.text, *made.full.sides)).lower()
    read = {each.name for each in find_measures(text)}
    return not all(each.name in read or each.said in text for each in own.named)


def _left_over(made: Topic, own: Question, said: Said) -> bool:
    """Whether a question says more than what it was read as."""
    text = " ".join((made.full.text, *made.full.sides, said.time, own.rate * (made.wish in ("share of", "more"))))
    kept = {singular(word) for word in re.findall(r"[a-z0-9]+", text.lower())}
    ends = {word for word in own.open if any(language().cues[end].fullmatch(word) for end in (*ENDS, "change"))}
    known = language().words
    return not own.open <= kept | ends | known["of turns"] | known["of a part"] | known["portion"]


def _not_asked(made: Topic, known: Topic, own: Question) -> str:
    """What a question asks that is not in how it was read, "" for nothing: what is made of a figure, and of when."""
    text, told = " ".join((made.full.text, *made.full.sides)), f"is not in what was understood, {made.full.text!r}"
    if len(own.named) > 1 and _names_more(made, own):
        return f"{own.named[-1].said!r} {told}"
    read, added = language().cues_of(text) | {made.full.operation}, language().forms["added up"].search(own.lower)
    doing = own.doing | ({"sum"} if added is not None else set())
    for asked, alike in language().doing:
        if doing & asked and not read & alike:
            return f"{min(doing & asked)!r} {told}"
    count = own.counted if doing & {"sum", "average", "total"} and not own.part_of_year else 0
    if count and language().forms["several told"].search(own.lower) is not None:
        when = read_question(made.full.text).when
        if count not in (len(made.full.sides), len(when.years), when.last):
            return f"that it is of {count} {told}"
    names = (each for each in own.words if each in language().words["of a part"] and own.writes_as_name(each))
    if name := next((each for each in names if each not in text.lower()), ""):
        return f"{name!r} {told}"  # `and Business?`
    if not made.part and (part := language().forms["that part"].search(own.lower)) is not None:
        return f"{part[0]!r} {told}"
    is_within = made.of and made.wish == "value" and not known.of and made.measure == known.measure
    if is_within and known.part not in ("", made.part) and made.part and known.part not in made.full.text:
        return f"{known.part!r} {told}"  # `sales of Asia? how much of that was services?`
    texts = {timeless(each.full.text.lower(), each.time) for each in made.operands}
    if (other := next((each.text() for each in made.operands if not each.what), "")) and count and len(texts) > 1:
        return f"whether {other!r} is of the same kind {told}"
    if (qualifier := {*made.part.split()} & language().words["qualifiers"]) and made.part != known.part:
        return f"{min(qualifier)!r} {told}"
    is_shifted = own.when.back and not own.years and made.time == known.time and made.wish not in (*KEPT, "more", "gap")
    return f"the time of the question {told}" if is_shifted or not {*own.years} <= {*years_in(text)} else ""


def _told(known: Topic, own: Question, said: Said) -> Topic | None:
    """What is told in words leaves nothing out; `since when?` is asked of that which was."""
    if own.told:
        return replace(known, full=Full(own.text))
    if known.measure or language().forms["since when"].fullmatch(own.lower) is None:
        return None
    return replace(known, full=Full(f"{own.lower} {known.full.text}"), wish="as asked")


def _of_which(known: Topic, own: Question, said: Said) -> Topic | None:
    """`which segment was the largest?`, `which year?`, `which is larger?`, `by segment?`: by what is known."""
    kinds = frozenset.union(*map(language().words.__getitem__, ("of a part", "of small parts", "of an amount")))
    measure, most = said.measure or known.measure, "smallest" if "lowest" in own.cues else "largest"
    is_split = "ranked" in own.cues
    if not (own.cues & ENDS or is_split) or own.kinds[0] == "boolean":
        return None
    if own.form == "year" or own.kinds[0] == "period":
        most = "lowest" if "lowest" in own.cues else "highest"
        return known.asks("which year", most=most) if known.what else None
    at = [number for number, word in enumerate(own.words) if singular(word) in kinds]
    if at and measure:
        first = own.words[at[0] - 1] if at[0] else ""
        ends = any(language().cues[end].fullmatch(first) for end in ENDS)
        kind = " ".join(own.words[at[0] - (first not in language().words["function"] | {""} and not ends) : at[-1] + 1])
        topic = replace(known, measure=measure, part=known.part if known.leads and not said.measure else "")
        return replace(topic, time=time_after(known.time, said.time, own)).asks(
            "split" if is_split else "which", kind=kind, most=most
        )
    topic = next((each for each in known.earlier() if "kind" in each.more), known)
    if "kind" in topic.more and known.measure and language().forms["the one"].fullmatch(own.lower):
        moved = own.calculation in MOVES and known.wish == "split"
        of = replace(known, part="", measure=f"{known.measure} growth" if moved else known.measure)
        return of.asks("which", kind=topic.more["kind"], most=most)
    return None


def _joined(known: Topic, own: Question, said: Said) -> Topic | None:
    """`minus cash?`, `divided by 4?`, `per share?`: what is known with that."""
    forms, less = language().forms, language().forms["net of"].match(own.lower)
    if known.what and said.measure and (by := forms["divided by that"].fullmatch(own.lower)) is not None:
        one = known.at(said_in(read_question(by["what"])), own)
        return one.asks_of((one, known), "by that", "divide", other=known.what)
    if (days := forms["in days of"].fullmatch(own.lower)) is not None:
        return _in_days(known, own, said, days["what"])
    if (without := forms["left out"].match(own.lower)) is not None and known.measure:
        return _without(known, own, said, own.lower[without.end() :])
    joins = less or forms["per one"].fullmatch(own.lower) or joined_by(own.joins[0])
    is_moved = known.wish in MOVES and (less or joined_by(own.joins[0]) == "add")
    if not known.measure or (known.wish != "value" and not is_moved) or not joins:
        return None
    operation = joined_by(own.joins[0]) or ""
    if operation in STRONG and said.measure and isinstance(read_question(known.measure).tree, Apply):
        sides = known.full.text, replace(known, measure=said.measure).text()
        return replace(known, measure=f"{known.measure} {own.lower}").asks("value", sides, operation)
    lower = f"minus {said.measure}" if less and said.measure else own.lower.removeprefix("and ")
    time = time_after(known.time, said.time, own)
    return replace(known, measure=f"{known.measure} {timeless(lower, said.time)}", time=time).asks("value")


def _per(known: Topic, own: Question, said: Said) -> Topic | None:
    """`so cost per employee?`: an amount that was told by the number that was told of these."""
    per = language().forms["per told"].fullmatch(timeless(own.lower, said.time))
    if per is None or any(" per " in each.said for each in own.named):
        return None
    told = next((each for each in known.earlier() if {*stems(per["one"])} & {*stems(each.what)}), None)
    over = next((each for each in known.earlier() if each is not told), None)
    if told is None or over is None:
        return None
    named, time = said_in(read_question(per["what"])), time_after(known.time, said.time, own)
    over = over.at(replace(named, time=""), own) if named.measure else over
    both = replace(over, time=time, wish="value"), replace(told, time=time, wish="value")
    return both[0].asks_of(both, "by that", "divide", other=told.what)


def _in_days(known: Topic, own: Question, said: Said, what: str) -> Topic | None:
    """`how many days of sales is that?`: the metric that holds the two against each other, at the end of the year."""
    both, years = {*_names(known.measure), *_names(what)}, years_in(known.time)
    days = [find_measures(each.labels[0])[0] for each in metrics().values() if each.unit == "days"]
    named = next((f"{each.said} on closing balances" for each in days if both == {*items_of(each)}), None)
    topic = replace(known, time=str(years[-1]) if years else known.time, part="", measure=named or "")
    return topic.asks("value") if named else None


def _without(known: Topic, own: Question, said: Said, what: str) -> Topic:
    """`excluding restructuring charges?`: what is left; earnings without a charge are more than with it. The size
    counts: lists of what is spent print a gain below zero."""
    items = [line_items().get(name) for name in _names(known.measure)]
    topic = replace(known, time=time_over(known, own, said.time))
    is_earned = any(item is not None and item.statement == "income" and not item.spent for item in items)
    operation = "add" if is_earned and "spent" in language().cues_of(what) else "subtract"
    name = f"{known.measure} {'plus' if operation == 'add' else 'minus'} {timeless(what, said.time)}"
    other = replace(topic, measure=timeless(what, said.time), part="")
    return replace(topic, measure=name).asks("value", (topic.text(), other.text()), f"{operation} size")


def _qualified(known: Topic, own: Question, said: Said) -> Topic | None:
    """`diluted?`, `and non-current?`, `in total?`: the same measure with another qualifier, or of all parts."""
    qualifiers = language().words["qualifiers"] | language().words["of one measure"]
    known_words, portion = known.measure.split(), language().words["portion"]
    words = [word for word in WORD.findall(own.lower) if word in qualifiers]
    is_bare = not (said.part or said.measure)
    more = {*WORD.findall(timeless(own.lower, said.time))} - language().words["function"]
    is_said = own.whole is not None or "percent" in own.cues or (is_bare and len(more) > len(words))
    if not words or not known.measure or is_said:
        return None
    if words == ["total"] and (known.part or known.of or known.wish == "split") and is_bare:
        whole = next((each for each in known.earlier() if not each.of), known)  # of which the parts are told
        whole = whole if known.of else replace(known, part="")
        of_all = replace(whole, time=time_after(known.time, said.time, own))
        return None if own.lower.startswith("total of") else of_all.asks("value")
    others = said.part.split() if len(own.named) == 1 and own.named[0].said in qualifiers else ()
    others = [word for word in others if word not in words]
    is_all = {*said.part.split()} - {*known_words} <= {*words, *others, *portion}
    if not (is_all and {*said.measure.split()} <= {*words, *others, *portion}) or len(own.named) > 1:
        return None
    rest = [word for word in known_words if word not in qualifiers]
    ways = ((*words, *known_words), (*words, "portion of", *known_words)) if words != ["total"] else (rest,)
    told = (" ".join(each) for each in (*ways, (*words, *rest)) if len(each) > len(words))
    as_is = known.measure if {*words} <= {*known_words} else None
    measure = next((each for each in told if [named.said for named in find_measures(each)] == [each]), as_is)
    at = [word for word in known.measure.split() if word in language().words["qualifiers"]]
    if measure is None and len(words) == len(at) == 1 and words[0] in language().words["qualifiers"]:
        measure = known.measure.replace(at[0], words[0])  # `net income per diluted share`
    if measure is None:
        return None
    topic = replace(known, measure=measure, time=time_over(known, own, said.time))
    return _calculated_of(replace(topic, part=" ".join(others), leads=True) if others else topic, own)


def _held(known: Topic, own: Question, said: Said) -> Topic | None:
    """`more than in 2021?`, `was it lower in 2022?`, `how does that compare to Europe?`: both figures, and which is
    more; `how much more than in 2021?`: by how much."""
    forms, before, is_less = language().forms, known.before, "fewer" in own.cues and "more" not in own.cues
    than = forms["more than"].match(own.lower) or forms["compares"].match(own.lower)
    is_held = own.cues & {"more", "fewer"} and not {"more", "fewer"} <= own.cues  # `bigger or smaller?`
    is_held = is_held and own.kinds[0] == "boolean" and (not said.measure or "pace" in own.cues)
    if not known.what or (than is None and not is_held):
        return None
    if than is not None:
        own_side = _named_behind(known, than["one"] or "it")
        side = _named_behind(own_side or known, than["other"])
        if own_side is None or side is None:
            return None
    elif said.time or said.measure:
        own_side = known.at(said, own)  # `was it lower in 2022?`, `did costs grow faster?`
        side = before if before is not None and own_side.text() == known.text() else known
    else:
        side, own_side = before or known, known  # `was that higher?`
    is_of_made = known.wish in ("average", "sum") and known.wish in own.cues  # `above that average?`
    is_rate = own_side.wish in RATES and side.wish in RATES
    other, value = (each.text(each.wish, **each.more) if is_rate else each.text() for each in (side, own_side))
    other = known.full.text if is_of_made else other
    if other == value:
        return None
    told = {"more": "less" if is_less else "more", "other": side.what, "then": dated(side.time)}
    told |= {"what": own_side.rate, "other": side.rate} if is_rate else {}
    if than is not None and than["gap"]:
        wish = "gap in percent" if "percent" in own.cues and not is_rate else "gap"
        operation = "percentage_points" if is_rate else "subtract" if wish == "gap" else "percentage_change"
        years = sorted(years_in(f"{own_side.time} {side.time}"))
        if not (than["more"] or is_rate or own_side.part_of_year) and own_side.what == side.what and len(years) == 2:
            time = language().in_full["between"].format(first=years[0], last=years[1])
            moved = replace(own_side, time=time)  # `how does that compare to 2022?` says nothing of which is more
            return moved.asks("change" if wish == "gap" else "growth", (value, other), operation, moved="change")
        return own_side.asks(wish, (value, other), operation, **told)
    if "pace" in own.cues:
        value, other = (each.text("growth", moved="change") for each in (own_side, side))
    return own_side.asks("more", (other, value) if is_less else (value, other), "greater", **told)


def _named_behind(known: Topic, text: str) -> Topic | None:
    """What a text names behind what is known: `it`, `its margin`, `that of Europe`, `2022`."""
    if language().cues["points back"].fullmatch(text.lower()):
        return known
    that = language().forms["that one"].match(text.lower())
    own = read_question(text[that.end() :].strip() if that else text)
    said = said_in(own)
    if said.measure and not said.part and not own.open and own.tree is not None and not own.rate:
        return replace(known.at(said, own), part="", wish="value")
    return _after(known, _read(f"and {own.lower}", known)[0])


def _went(known: Topic, own: Question, said: Said) -> Topic | None:
    """`did net income fall too?`, `so it went down?`: yes or no; `why did it fall?`"""
    forms, moved = language().forms, moved_in(own)
    is_way = moved == "rise or fall" or forms["so it moved"].match(own.lower) is not None
    is_way = is_way and forms["by how much"].search(own.lower) is None
    is_way = is_way and own.cues.isdisjoint(("percent", "in percent"))
    is_asked = own.form in ("yes or no", "why") or is_way
    if not is_asked or forms["moved it"].search(own.lower) is None or not (known.what or said.measure):
        return None
    topic = replace(known.at(said, own), time=time_over(known, own, said.time))
    if own.form == "why":
        return topic.asks("why", moved=moved)
    is_rate = known.wish in RATES and not (said.measure or said.part)
    sides, told = topic.both_years(known.wish if is_rate else "value"), {"what": known.rate} if is_rate else {}
    operation = "direction" if moved == "rise or fall" else "greater"
    return topic.asks("moved", sides[::-1] if moved == "fall" else sides, operation, moved=moved, **told)


def _share(known: Topic, own: Question, said: Said) -> Topic | None:
    """`as % of sales?`, `what share is that?`: of what is known."""
    is_of_all = language().forms["of it all"].match(own.lower) is not None
    is_share = is_of_all or own.calculation == "share" or "share wanted" in own.cues
    is_of_it = known.of or (said.part and language().forms["of what was told"].search(own.lower))
    is_share |= bool(is_of_it and "in percent" in own.cues and own.calculation == "value" and not said.measure)
    if (
        (own.calculation in MOVES and own.whole is None)
        or not known.what
        or not (is_share or ("share" in own.cues and "a figure" not in own.cues))
    ):
        return None
    topic = replace(known, time=time_after(known.time, said.time, own))
    whole = timeless(own.whole.lower, time_in(own.whole)) if own.whole else f"{said.part} {said.measure}".strip()
    whole = re.sub(r"^(?:of|the|its|their) ", "", whole)
    these = own.part is not None and language().forms["these told"].fullmatch(own.part.lower.strip(" ,"))
    if two := known.operands if known.wish == "both" and not said.part else told_before(known, 2) if these else ():
        return replace(topic, measure=" plus ".join(each.what for each in two), part="").as_rate(whole)
    names, part = _names(whole), said_in(own.part) if own.part else Said()
    if not own.part and said.measure and language().forms["of that"].search(own.lower):
        whole, part = "that", said  # `equity as a share of that?`
    if not own.whole and said.part and not said.measure and known.measure and not is_of_all:
        whole, part = known.measure, said  # `what percent was Europe?`
    if part.measure:
        points = language().cues["points back"].fullmatch(whole)
        of = known.before if _names(part.measure) == _names(known.measure) else known
        return replace(topic, measure=part.measure, part=part.part).as_rate(of.what) if points and of else None
    if part.part:
        topic = replace(topic, measure=whole if names else known.measure, part=part.part, leads=False)
        return topic.as_share(topic.measure)
    if names and names == _names(known.measure) and not known.part and known.before is not None:
        topic = replace(known.before, time=topic.time)  # `cash? and total assets? as % of total assets?`
    if names and names != _names(topic.measure):
        return topic.as_rate(whole)
    of = _of_which_whole(known, set(WORD.findall(whole)) - {"total", "it", "all", "whole"})
    if of is not None and not names and of.what != topic.measure:
        sides = topic.text(), replace(of, time=topic.time).text()
        made = topic.asks("share of", sides, "percentage", whole=of.what)
        return replace(made, wish="share" if topic.part else made.wish)
    if known.wish in RATES and not whole:
        return topic.in_the_same_way(known, is_new=False)
    if topic.part and topic.measure:
        return topic.as_share(whole if names and len(whole) > len(topic.measure) else topic.measure)
    return None


def _of_which_whole(known: Topic, said: set[str]) -> Topic | None:
    """What a part that was asked for is one of: what is said, where that was asked for before, else that of which it
    was asked for as a part."""
    may_be = known.earlier() if known.of or said else ()
    return next((each for each in may_be if (said <= {*each.part.split()} if said else not each.of)), None)


def _rate(known: Topic, own: Question, said: Said) -> Topic | None:
    """`margin?`: of the profit that was asked for."""
    of = said_in(read_question(own.lower.replace("margin", "figure")))  # `same margin for Europe?`
    if own.rate == "margin" and known.wish in RATES and of.part and not of.measure:
        return known.at(of, own).in_the_same_way(known, is_new=False)
    topic = next((each for each in known.earlier() if _names(each.measure) not in ([], ["revenue"])), None)
    if own.rate != "margin" or said.measure or topic is None or "margin" in topic.measure:
        return None
    return replace(topic, time=time_after(known.time, said.time, own)).as_rate("revenue")


def _calculated(known: Topic, own: Question, said: Said) -> Topic | None:
    """`how much did it fall?`, `in percent?`, `the average?`, `by how much?`: of what is known."""
    forms, is_bare = language().forms, not (said.measure or said.part)
    is_gap, is_ratio = (forms[each].fullmatch(own.lower.strip()) is not None for each in ("the gap", "the ratio"))
    in_percent = bool(own.cues & {"in percent", "rate of change"}) or (is_bare and "percent" in own.cues)
    wish = "growth" if in_percent else "change"
    if is_bare and (is_gap or "points" in own.cues) and (how := by_how_much(known, own, wish)) is not None:
        return how
    if said.measure and forms["both times"].search(own.lower) and (both := told_before(known, 2)):
        both = tuple(replace(known.at(said, own), time=each.time, wish="value") for each in both)
        return both[0].asks_of(both, "value", "list") if both[0].time != both[1].time else None
    if said.measure and forms["of each told"].search(own.lower) and (before := told_before(known, own.counted)):
        each_of = tuple(replace(known.at(said, own), part=each.part, wish="value") for each in before)
        return each_of[0].asks_of(each_of, "value", "list") if each_of[0].part != each_of[1].part else None
    parts = forms["between parts"].split(said.part) if not said.measure and forms["added up"].search(own.lower) else []
    if len(parts) == 2 and known.measure:  # `cars and vans together?`
        return added_up(*(replace(known, part=part, leads=False, wish="value") for part in parts))
    if known.wish in ("more", "gap") and is_bare and (is_gap or own.calculation in MOVES or in_percent):
        sides = known.full.sides[::-1] if known.wish == "more" and known.more["more"] == "less" else known.full.sides
        operation = "percentage_change" if in_percent else "subtract"
        operation = "percentage_points" if "percent" in language().cues_of(sides[0]) else operation
        gap = known.asks("gap in percent" if in_percent else "gap", sides, operation, **known.more)
        return replace(gap, wish="gap")
    is_sum = bool(own.cues & {"sum", "average"}) and own.calculation == "value"
    is_held = known.wish == "value" and len(years_in(known.time)) == 2 and (in_percent or is_gap)
    if is_held and forms["held against"].search(known.full.text.lower()) is not None:
        known = replace(known, wish="change")  # which is told behind both
    is_rate = bool(said.measure) and is_percent(own.tree)  # `what margin is that, in percent?` is no move of it
    is_move = known.wish in (*MOVES, "moved") and (in_percent or is_gap) and not is_rate
    if own.calculation not in (*MOVES, "average", "sum") and not (is_move or is_sum or is_gap or is_ratio):
        return None
    two = _held_last(known) if (is_gap or is_ratio) and is_bare else ()
    if two and (two[0].what != two[1].what or (known.before and known.before.among)):
        told = {"more": "more", "other": two[1].what, "then": dated(two[1].time)}
        way, operation = ("gap", "subtract") if is_gap else ("by that", "divide")
        return two[0].asks_of(two, way, operation, **told)
    topic = replace(known if said.part and is_sum else known.at(said, own), time=time_over(known, own, said.time))
    if known.wish in RATES and is_bare and own.calculation in ("change", "growth"):
        years = topic.both_years(known.wish)
        return topic.asks("change", years, "percentage_points", moved="change") if years else None
    return _calculated_of(topic, own) if topic.what else None


def _held_last(known: Topic) -> Sequence[Topic]:
    """The two amounts of which a difference or a ratio is asked for: those of which the last told one, that one first,
    those of which the last told another, or the last two that were told."""
    among = known.before.among if known.before is not None else ()
    if len(among) == 2:
        return sorted(among, key=lambda each: (each.what, each.time) != (known.what, known.time))
    if known.wish in ("gap", "by that"):
        return known.operands
    return told_before(known, 2) if known.wish == "value" else ()


def _calculated_of(topic: Topic, own: Question) -> Topic:
    """The calculation over time that a question asks for, else that which was asked before."""
    wish = topic.wish if topic.wish in KEPT else "value"
    if own.calculation != "value":
        wish = own.calculation if own.calculation in {*language().in_full} - {*RATES} else wish
    elif own.cues & {"sum", "average"}:
        wish = "sum" if "sum" in own.cues else "average"
    if wish == "average" and topic.what and len(years_in(topic.time)) == 1:
        of_one = replace(topic, measure=f"average {topic.measure}") if topic.measure else topic
        return replace(of_one, part=topic.part if topic.measure else f"average {topic.part}").asks("value")
    if wish in ("moved", "change", "growth"):
        wish = "growth" if own.calculation == "growth" or own.cues & {"in percent", "percent"} else "change"
        wish = "change" if topic.measure and is_percent(read_question(topic.measure).tree) else wish
    moved = {"rose": "rise", "fell": "fall", "": "change"}[own.moved]
    return topic.made(wish, **{**topic.more, "moved": moved})


def _changed(known: Topic, own: Question, said: Said) -> Topic | None:
    """`and in 2023?`, `capex?`, `how much of that was services?`: another time, measure or part of the same."""
    forms, asks_on = language().forms, "asks on" in own.cues
    rest = timeless(own.lower, said.time)
    is_of_it = bool(language().cues["points back"].search(rest) or forms["there"].search(rest))
    is_value = _asks_figure(own) or (known.wish == "growth" and "in unit" in own.cues)
    in_a_part = forms["in a part"].match(own.lower) is not None
    if own.form not in ("figure", "list") or own.calculation != "value" or own.compares:
        return None
    if own.kinds[0] == "words" and not (asks_on and own.named):
        return None
    if not (said.measure or said.part):
        return _of_time(known, own, said, is_of_it=is_of_it)
    if not known.what or not (asks_on or is_of_it or len(own.words) <= SHORT):
        return None
    if said.part and not (said.measure or known.measure):
        text = f"{known.full.text.rstrip('?. ')} {own.lower}"
        return replace(known, full=Full(text), wish="as asked") if in_a_part else None
    time = time_after(known.time, said.time, own)
    if said.part and not said.measure and language().cues_of(said.part) & {"earned", "spent"}:
        said = replace(said, measure=said.part, part="")  # `dyeing costs`
    if said.part and known.part and known.measure and not said.measure and forms["only"].search(own.lower):
        return replace(known, measure=f"{known.part} {known.measure}", part=said.part, leads=False, time=time).asks(
            "value"
        )
    is_within = forms["how much of it"].search(own.lower) is not None and said.part and not said.measure
    if is_within and known.part and known.measure and known.wish == "value":  # `how much of that was in Asia?`
        within = replace(known, measure=f"{known.part} {known.measure}", part=said.part, leads=False, time=time)
        made, alone = within.asks("value"), replace(known, part=said.part, leads=False, time=time)
        return replace(made, full=replace(made.full, other=alone.text(), apart=known.part), of=True)
    words = POSSESSIVE.sub("", said.part).split()  # `of that segment`, `the segment's profit`, not `Business profit`
    is_of_part = language().words["of a part"].issuperset(words) and not any(map(own.writes_as_name, words))
    if said.part and is_of_part:
        of = next((each for each in known.earlier() if not each.of), known)  # of which what was told is a part
        known = replace(known, part=of.part, leads=of.leads) if known.of and of.part else known
        said = replace(said, part="", measure=f"{said.part} {said.measure}" if said.leads else said.measure)
    elif not said.part and not is_of_it:
        is_total = "total" in own.words and "total" not in known.measure  # `total revenue?` behind that of a part
        if (own.named and is_total) or any(each.name not in OF_PARTS for each in own.named):
            known = replace(known, part="", leads=False)
    topic = known.at(said, own)
    is_the = own.named and forms["a figure of its own"].search(own.lower[: own.named[0].start]) is not None
    is_dated = bool(said.time or (said.measure and is_of_it)) and own.cues.isdisjoint(("since", "base year"))
    is_anew = is_dated or said.measure == known.measure or known.wish == "share" or said.part  # `and sales of Asia?`
    is_new = bool(is_the or is_value or (said.measure and (is_percent(own.tree) or (known.wish in RATES and is_anew))))
    is_again = forms["in the same way"].match(own.lower) is not None and (not is_dated or "same" in rest.split())
    is_new = is_new or (bool(known.measure) and known.wish in MOVES and not is_again)
    is_new = is_new or (known.wish == "split" and bool(said.part or "total" in own.words or not asks_on))
    made = topic.in_the_same_way(known, is_new=is_new)
    made = replace(made, of=made.wish == "value" and (known.of or forms["of what was told"].search(rest) is not None))
    is_of_rate = said.part and is_percent(read_question(topic.measure).tree)  # which a part alone has not
    if topic.part and not (is_of_it or in_a_part or is_value or is_of_rate or (said.part and said.measure)):
        alone = replace(topic, measure=said.measure or said.part, part="").in_the_same_way(known, is_new=is_new)
        apart = "" if said.part else topic.part
        made = replace(made, full=replace(made.full, other=alone.full.text, apart=apart))
    return made


def _at_time(known: Topic, own: Question, said: Said) -> Topic | None:
    """A question of its own, of the time of the one before: `what did Europe sell that year?`"""
    time, at = time_after(known.time, said.time, own), own.text.lower().find(said.time)
    is_figure = own.form == "figure" and own.kinds[0] == "number" and not (own.told or own.several or own.halves)
    is_dated = own.years or own.when.last or (own.part_of_year and not said.time)
    if is_dated or not time or at < 0 or not is_figure or not (own.named or (said.time and said.is_all)):
        return None
    head, tail = (own.text[:at], own.text[at + len(said.time) :]) if said.time else (f"{own.text.rstrip('?. ')} ", "")
    full = Full(f"{head}{dated(time)}{tail}")
    return Topic(said.measure, said.part, said.leads, time, said.is_all, full, before=known)


def _of_time(known: Topic, own: Question, said: Said, *, is_of_it: bool) -> Topic | None:
    """The same of another time; in the words in which it was asked where it has no measure."""
    time, text = time_after(known.time, said.time, own), known.full.text
    if not known.is_all and not said.time:
        return replace(known, wish="as asked")  # of which part is not known: it is asked again
    if not (said.time or is_of_it or own.cues & {"asks on", "in unit"}):
        return None
    operands = [replace(each, time=time_after(each.time, said.time, own)) for each in known.operands]
    if operands and len({each.full.text + each.time for each in operands}) == len(operands):
        return replace(known, time=time).asks_of(operands, known.wish, known.full.operation, **known.more)
    if known.measure and known.is_all:
        return replace(known, time=time).in_the_same_way(known, is_new=_asks_figure(own))
    start = text.lower().find(known.time) if known.time else -1
    if start < 0:
        return None
    return replace(known, full=Full(text[:start] + time + text[start + len(known.time) :]), time=time)


WAYS = (_told, which_one, _of_which, _joined, _qualified, made_of, _held, _went, _share, _rate, _calculated, _changed)


def _asks_figure(own: Question) -> bool:
    """Whether an amount itself is asked for, behind its share too: `how much`, `and what did they spend in 2023?`"""
    return "a figure" in own.cues or language().forms["what was spent"].match(own.lower) is not None


def moved_in(own: Question) -> str:
    up, down = bool(own.cues & {"up", "more"}), bool(own.cues & {"down", "fewer"})
    return "rise or fall" if up and down else "rise" if up else "fall" if down else "change"


def _names(measure: str) -> list[str]:
    return [each.name for each in find_measures(measure)]
