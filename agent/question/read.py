"""A question, read once: `read_question` is the only place that looks at its text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise

from tieout.agent.question.question import ENDS, Calculation, Form, Kind, Question, Side, Single
from tieout.data.printed.pattern import later
from tieout.ontology.asked.apart import taken_apart
from tieout.ontology.asked.bound import Bound, bound_in, numbers_in, without_bound
from tieout.ontology.asked.definition import read_definitions, with_definitions
from tieout.ontology.asked.judged import in_amounts
from tieout.ontology.asked.language import cues_of_names, language
from tieout.ontology.asked.measures import Named, beside, find_measures, labels_of, says_mean
from tieout.ontology.asked.several import dated_as, each_named, is_dated, owner, two_questions, with_shared_noun
from tieout.ontology.asked.sides import Share, read_apart, read_parts, read_share, read_sides
from tieout.ontology.asked.spelled import without_calculation
from tieout.ontology.asked.tree import join, units_differ
from tieout.ontology.asked.when import When, read_when, without_time, years_in
from tieout.ontology.asked.wish import (
    asked_in_words,
    asked_part,
    defines,
    pointing_in,
    scales_in,
    searched_in,
    sort_of,
    without_where,
)
from tieout.ontology.asked.wording.notation import in_words
from tieout.ontology.asked.words import POSSESSIVE, amount_stems, content, core_of, stems, words
from tieout.ontology.labels.label import unaccented, with_country
from tieout.ontology.labels.lexicon import singular
from tieout.ontology.metrics.formula import Apply, Formula, Operand
from tieout.ontology.metrics.line_item import line_items
from tieout.ontology.metrics.metric import metrics

_WORD = later(r"[a-z0-9]+(?:[&][a-z0-9]+)?")
# Cues whose words name nothing.
_MANNER = ("closing balances", "in percent", "yearly growth", "yearly", "overtakes", "points", "as many times")
_EXTREMES = ENDS | {"above", "below"}
_RELATIVE = frozenset(("growth", "percent"))
SHORT_NAME = 3  # letters that a company may be called by, as a measure is


@lru_cache(maxsize=1024)
def read_question(text: str) -> Question:
    """The question as read. The same text is read the same, whatever the report and the size of it."""
    plain = with_country(unaccented(text.replace("’", "'").replace("‘", "'")))
    asking = " ".join(asked_part(in_words(plain)).split())
    if asking.endswith("?") and language().forms["claims in short"].match(asking.lower()):
        asking = f"whether {asking}"  # `sales up on 2022?`
    asking = without_where(language().written_out(asking.rstrip("?!. ")))
    asking = with_shared_noun(asking)
    asking, is_own, own, parts = without_calculation(asking)
    question = _read(asking)
    if (plainer := in_amounts(asking, question.named)) != asking:
        asking, question = plainer, _read(plainer)
    question = replace(question, text=text)
    question = _with_several(question, asking)
    share = read_share(POSSESSIVE.sub("", question.lower))
    question = replace(question, defines=defines(plain) or is_own)
    defined = {**own, **read_definitions(plain)}
    if question.tree is not None and question.tree != (made := with_definitions(question.tree, defined)):
        question = replace(question, tree=made, defines=False, named=(*question.named, *parts))
    return question if share is None else _with_share(question, share)


@lru_cache(maxsize=1024)
def things_of(question: Question) -> tuple[Question, ...]:
    """The things that a question asks for beside each other, each as a question of its own; it alone for one."""
    if question.several:
        return tuple(each.asked for each in question.several)
    way = next(iter(taken_apart(question.text)), None)
    return tuple(map(read_question, question.halves or (() if way is None else way.texts))) or (question,)


def _with_several(question: Question, asking: str) -> Question:
    """A question with those that are asked in it one beside the other, or one behind the other."""
    both = two_questions(asking)
    if both is None:
        return replace(question, several=tuple(_beside_each_other(question)))
    first = read_question(both[0])
    if len(first.named) == 1:  # `what were sales, and how much of that came from Peru?`
        said, of = first.named[0].said, owner(first.lower, first.named, first.open)
        held = language().forms["is it more than another"].sub(rf"\g<is> {of} {said}", both[1])
        held = both[1] if first.open and not of else held
        both = both[0], language().forms["how much of it"].sub(f"how much of {said}", held, count=1)
    then = read_question(both[1])
    is_own = bool(then.named or then.told or (then.open and not language().forms["says it"].search(then.lower)))
    is_of_one = is_own and bool(then.named) and "which" not in first.cues
    if is_of_one and (of := owner(first.lower, first.named, first.open)):
        both = both[0], language().forms["of it"].sub(f"{of}'s", both[1], count=1)
        then = read_question(both[1])
    asks = is_own or then.calculation != "value" or then.years or then.when.back or then.part_of_year
    if not (first.named or first.open or first.told):
        return question
    if first.calculation in ("change", "growth") and first.form == "figure" and not first.compares and not asks:
        return question  # `up or down, and by how much?`
    is_of_it = "points back" in then.cues and (then.named or not is_own)  # `which one, and what were its sales?`
    if not asks or ((is_of_it or not is_own) and (first.compares or first.form in ("measure", "year"))):
        return replace(_read(both[0]), text=question.text, halves=both)
    is_in_words = first.told if then.named else then.told if first.named else ""
    if then.kinds[0] == "words" and not is_in_words:
        return replace(question, halves=both)
    if is_in_words:
        pass  # has no time
    elif not is_dated(first.lower, first.when) and not then.when.back:
        first = read_question(dated_as(both[0], both[1], then.when))
    elif is_own and not then.when.back:
        then = read_question(dated_as(both[1], both[0], first.when))
    part = language().forms["months of a part"].search(first.lower)
    if not is_own and part is not None and not (first.when.wanted or then.part_of_year):
        then = read_question(f"{both[1]} of the {part[0]}")
    firsts = first.several or (Single("", first),)
    thens = [Single("", then)] if is_own else [Single("", then, each.asked) for each in firsts]
    search = tuple(dict.fromkeys((*first.search, *then.search)))
    return replace(_read(both[0]), text=question.text, several=(*firsts, *thens), halves=both, search=search)


def _beside_each_other(question: Question) -> Iterator[Single]:
    if isinstance(question.tree, Apply) or question.bound is not None or question.form not in ("figure", "list"):
        return
    is_value = question.kinds[0] == "number" and question.calculation in ("value", "change", "growth")
    if question.kinds[0] == "boolean" or question.calculation == "share" or not (is_value or len(question.named) > 1):
        return
    for said, text, *plain in each_named(question.lower, question.named, question.open):
        yield Single(said, read_question(text), plain=next(map(read_question, plain), None))


@lru_cache(maxsize=1024)
def _read(asking: str) -> Question:
    """A question without what it is a share of."""
    known = language()
    asking = known.forms["what is paid"].sub(r"\g<0> paid", asking)  # `how much tax did it pay?`: what was paid of it
    lower = asking.lower()
    named_so = cues_of_names(asking)
    cues = known.cues_of(lower) - named_so
    bound = bound_in(lower)
    when = read_when(asking if bound is None else without_bound(bound, asking), cues)
    named = find_measures(POSSESSIVE.sub(lambda found: " " * len(found[0]), lower))
    # `GM's auditor`: what owns something is a company, whatever else is called so
    named = tuple(each for each in named if len(each.said) > SHORT_NAME or not POSSESSIVE.match(lower, each.end))
    asks_year = bool(named and cues & ENDS and known.forms["one of years"].search(lower))
    kinds: tuple[Kind, ...] = ("period",) if asks_year else _kinds(lower, cues, beside(lower, named, ()))
    tree, joined = _joined(lower, when, named, cues)
    doing = known.cues_of(beside(lower, named, joined)) - named_so
    calculation = _calculation(lower, doing, kinds, bound, named, when, is_joined=bool(joined))
    if calculation == "value" and kinds[0] != "boolean" and _is_held_against(lower, cues, when, named):
        calculation = "growth" if "percent" in cues else "change"
    if calculation in ("change", "growth") and not when.years and "since" in cues:
        when = replace(when, back=0)  # `grew from the year before`, up to the latest
    form: Form = "year" if asks_year else _form(lower, cues, kinds, calculation, when, named, tree)
    sides, apart = read_sides(lower, read_share(lower)), read_apart(lower, cues)
    return replace(
        _in_words(asking, lower),
        cues=cues,
        doing=doing,
        kinds=kinds,
        form=form,
        calculation=calculation,
        tree=tree if tree is None or not units_differ(tree) else None,
        less="down" in cues or "lowest" in cues,
        compares="which" in cues and "period" not in kinds,
        named=named,
        open=_open(asking, named, joined, when, bound, form),
        left=_side(sides[0]),
        right=_side(sides[1]),
        apart=(_side(apart[0]), _side(apart[1])),
        when=when,
        bound=bound,
        sort=sort_of(cues),
        pointing=pointing_in(*sides),
        told=asked_in_words(lower, named),
    )


def _in_words(asking: str, lower: str) -> Question:
    """A question as far as its words and numbers alone say what it asks."""
    known, said, all_stems, numbers = language(), words(lower), dict.fromkeys(stems(lower)), numbers_in(lower)
    values, rate = [value for value, _, _ in numbers], known.forms["rate"].search(lower)
    pointed = " ".join(match[1] for match in language().forms["pointed at"].finditer(lower))
    return Question(
        text=asking,
        lower=lower,
        words=tuple(said),
        stems=content(lower),
        core=core_of(lower),
        topic=tuple(each for each in all_stems if each not in amount_stems()),
        manner=tuple(each for each in all_stems if each in amount_stems()),
        pairs=frozenset(pairwise(stems(lower))),
        digits=frozenset(re.findall(r"\d+", lower)),
        search=searched_in(lower),
        parts=read_parts(lower),
        numbers=numbers,
        literals=tuple(dict.fromkeys(values)),
        counts=frozenset((*values, *map(Decimal, filter(None, map(known.numbers.get, said))))),
        scales=tuple(scales_in(lower)),
        rate=(rate["said"] or rate["kind"]) if rate else "",
        called=frozenset(each for each, names in known.called.items() if names.search(pointed)),
    )


def _is_held_against(lower: str, cues: frozenset[str], when: When, named: Sequence[Named]) -> bool:
    """Whether it is asked by how much one amount is above or below another, or that of the one year that is named; or
    what a balance is against that at the end of the year."""
    forms, is_on_base = language().forms, {"base year", "compared"} <= cues and len(when.years) == len(named) == 1
    items = [line_items().get(each.name) for each in named] if len(when.years) < 2 else []
    if len(items) == 1 and items[0] is not None and items[0].is_instant and "since" in cues:
        return forms["since the year end"].search(lower) is not None
    return bool(forms["how much more than"].search(lower) or (is_on_base and forms["by how much"].search(lower)))


def _joined(
    lower: str, when: When, named: Sequence[Named], cues: frozenset[str]
) -> tuple[Formula | None, tuple[tuple[int, int], ...]]:
    """What a question calculates of the measures that it names, and where it says so."""
    tree, joined = join(without_time(lower, when), named)
    if isinstance(tree, Apply) and tree.operation == "divide" and "points" in cues:
        return Apply("percentage", tree.operands), joined
    return tree, joined


def _with_share(question: Question, share: Share) -> Question:
    """The question for a share, with its part and its whole read for themselves."""
    if question.asks_change or question.kinds[0] in ("boolean", "name"):
        return question
    part, whole = _read(share.part), _read(share.whole)
    units = [metrics()[each.name].unit if each.is_metric else "money" for each in part.named]
    is_rate = len(units) == 1 and units[0] not in ("money", "per share")
    if is_rate and not part.open:  # `payout as a percentage of earnings` says how it is made
        left = frozenset() if whole.named else whole.open  # `gross margin in % of services`
        return replace(question, calculation="value", named=part.named, tree=part.tree, open=left)
    several = question.when.last > 1 or len(question.years) > 1 or question.when.since or "average" in question.cues
    if several and len(part.named) == len(whole.named) == 1 and not (part.open | whole.open):
        of = Apply("percentage", tuple(Operand(each.name) for each in (*part.named, *whole.named)))
        made = replace(
            question, calculation="value", form="list", tree=of if len(question.named) > 1 else question.tree
        )
        return replace(made, calculation="average", form="figure") if "average" in question.cues else made
    if not (whole.named or whole.open) and "total" in whole.cues:
        whole = replace(whole, named=part.named)  # `as a percentage of the total`: of what the part is of
    if not (whole.named or whole.open) or question.form not in ("figure", "yes or no"):
        return question
    if not share.is_sure and not (whole.named and part.open and not part.named):
        return question
    return replace(
        question,
        calculation="share",
        form="list" if several and "average" not in question.cues else "figure",
        compares=False,
        named=part.named,
        tree=part.tree,
        open=part.open - language().words["of a part"] or part.open,
        part=part,
        whole=whole,
    )


def _side(text: str) -> Side:
    return Side(text, content(text), years_in(text))


def _kinds(lower: str, cues: frozenset[str], beside: str) -> tuple[Kind, ...]:
    """The kinds of answers that may be wanted. beside: the question without what it names, `cost of services`."""
    forms, is_extreme = language().forms, bool(cues & _EXTREMES)
    which = forms["which period"].search(lower)
    is_of_most = is_extreme and "above" not in cues
    if forms["yes or no"].match(lower):
        return ("boolean",)
    if forms["counts"].search(lower):
        return ("count", "number")
    if which and not lower.startswith("when"):
        return ("period",) if is_extreme or which[1] else ("period", "words")
    if "how many" in cues or "how much" in lower[:24]:
        return ("number", "words") if "why" in cues else ("number",)
    if forms["lists"].search(beside) and not is_extreme and not cues & {"change", "average", "ratio", "sum"}:
        return ("names", "words", "number")
    if re.match(r"(?:and |so )?(?:in |for |under )?(?:which|who)\b", lower) and is_of_most:
        return ("name", "words")
    if (forms["names"].search(lower) or lower.startswith("what is the")) and is_of_most:
        return ("name", "number", "words")
    if forms["of people and places"].match(lower) and not is_extreme:
        return ("words",)
    if forms["words"].match(lower) or "why" in cues or forms["meaning"].search(lower):
        return ("words", "number")
    return ("number", "words")


def _calculation(
    lower: str,
    cues: frozenset[str],
    kinds: Sequence[Kind],
    bound: Bound | None,
    named: Sequence[Named],
    when: When,
    *,
    is_joined: bool,
) -> Calculation:
    if bound is not None and kinds[0] == "boolean":
        return "value"
    if "yearly growth" in cues:
        return "yearly growth"
    if cues & ({"share"} if is_joined else {"share", "ratio"}) and len(named) == 2:
        return "share"
    if kinds[0] == "boolean" and "compared" in cues:
        return "change"
    if "as many times" in cues and (len(when.years) > 1 or cues & {"since", "year before", "change"}):
        return "multiple"
    if cues & {"change", "points"} and not (when.last and cues & {"average", "sum"}):
        return "growth" if cues & (_RELATIVE if "in unit" not in cues else {"percent"}) else "change"
    is_rate = any(each.name in metrics() and metrics()[each.name].unit != "money" for each in named)
    if {"in percent", "since"} <= cues and len(named) == 1 and not is_rate:
        return "growth"  # `sales in 2024 against 2023, in %`
    if len(when.years) > 1 or when.last or when.since:
        is_flow = not any(each.name in line_items() and line_items()[each.name].is_instant for each in named)
        said_total = "total" in cues or (is_flow and any(each.said.startswith("total ") for each in named))
        is_span = bool("range" in cues or when.last or when.since) and "yearly" not in cues  # not `in each of them`
        is_span = is_span and not language().forms["a bare span"].search(lower)  # nor `total sales last 3 years`
        is_total = (not is_rate and "sum" in cues) or (said_total and is_span)
        is_own = bool(named) and all("average" in labels_of(each)[0] for each in named)  # `basic shares on average`
        is_mean = not is_own and ("average" in cues or any(map(says_mean, named)))
        return "average" if is_mean else "sum" if is_total else "value"
    is_on_base = "base year" in cues and language().forms["held against"].search(lower) is not None
    is_held_against = "since" in cues and ("year before" in cues or is_on_base)  # `sales versus a year ago`
    is_held_against = is_held_against and kinds[0] != "boolean" and cues.isdisjoint(("more", "fewer"))
    if not is_held_against or len(named) != 1:
        return "value"
    return "change" if "in unit" in cues and "percent" not in cues else "growth"


def _form(
    lower: str,
    cues: frozenset[str],
    kinds: Sequence[Kind],
    calculation: str,
    when: When,
    named: Sequence[Named],
    tree: Formula | None,
) -> Form:
    """The form of the answer, where it is a figure of a statement, or several by year."""
    which = language().forms["which period"].search(lower)
    if "why" in cues:
        return "why"
    if which is not None and (which[1] or "").startswith("year") and "how many" not in cues:
        return "year"
    if kinds[0] == "boolean":
        return "yes or no"
    if (
        len(named) > 1
        and tree is None
        and cues & (ENDS | {"pace", "more", "fewer"})
        and language().forms["one of measures"].match(lower)
    ):
        return "measure"
    if ("yearly" in cues and calculation not in ("average", "sum")) or (
        calculation == "value" and (len(when.years) > 1 or when.last > 1 or when.since)
    ):
        return "list"
    return "figure"


def _open(
    text: str, named: Sequence[Named], joined: Sequence[tuple[int, int]], when: When, bound: Bound | None, form: Form
) -> frozenset[str]:
    """The words that neither a measure, nor a period, nor the manner of asking accounts for, in the singular."""
    known, lower = language().words, text.lower()
    taken = [*when.taken, *joined, *((each.start, each.end) for each in named)]
    said = [
        *_MANNER,
        "respective",
        *(["falls due", "due after", "yet to come"] if when.years else []),
        *(ENDS if form in ("measure", "year") else ()),
    ]
    said += ["change", "rate of change", "sum", "to date"] if named else []
    taken += [match.span() for cue in said for match in language().cues[cue].finditer(lower)]
    for name in ("since the year end", "now") if named else ():
        taken += [match.span() for match in language().forms[name].finditer(lower)]
    if bound is not None:
        at = lower.find(bound.said)
        taken.append((at, at + len(bound.said)))
    rest = lower
    for start, end in taken:
        rest = rest[:start] + " " * (end - start) + rest[end:]
    rest = (
        language()
        .forms["net of all behind"]
        .sub(" ", re.sub(r"\b(?:fy ?'?)?(?:19|20)?\d\d\b", " ", POSSESSIVE.sub(" ", rest)))
    )
    manner = known["function"] | known["asking"] | (known["of what is named"] if named else frozenset())
    manner |= known["of what is due"] if when.years and language().cues["falls due"].search(lower) else frozenset()
    found = {singular(word) for word in _WORD.findall(rest) if word not in manner and not word.isdigit()}
    if (ratio := language().forms["a ratio by name"].search(lower)) is not None:
        found |= {ratio["of"], "ratio"}
    called = {singular(each.lower()) for each in language().forms["a part by its name"].findall(text)}
    return frozenset((found - known["of a part"] | called) or found) if named else frozenset(found | called)
