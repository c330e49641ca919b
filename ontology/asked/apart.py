"""A question for several things taken apart: complete questions, each for one thing at one time.

`sales and profit, 2023 vs 2022` is four of them; what a later one leaves out, `its book value`, is that of the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from tieout.ontology.asked.language import language
from tieout.ontology.asked.measures import find_measures
from tieout.ontology.asked.several import dated_as
from tieout.ontology.asked.when import YEAR, When, shifted, years_in
from tieout.ontology.asked.wish import asked_part

MOST_PIECES = 8
MOST_WAYS = 4  # in which one question is taken apart
# What makes a way less likely, in words by which its pieces differ in length: each that does not name one measure, what
# stands before a colon left out, pieces that begin differently, and each `and` that is not taken to join them.
UNNAMED, UNTITLED, UNLIKE = 8, 12, 6
_SHORT_YEAR = re.compile(r"\bfy ?'?(\d\d)\b", re.IGNORECASE)
_IN_NAME = re.compile(r"[A-Z][a-z][\w.’']* & [A-Z][a-z]")  # `Pratt & Whitney`
_COMMA = re.compile(r"\s*[,;]\s*")


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which a question may be several. said: what each is called, "" where its figure tells that; texts: the
    questions. is_plain: it names several times, or asks again, so that it is several for sure."""

    said: tuple[str, ...]
    texts: tuple[str, ...]
    is_plain: bool = False


def taken_apart(text: str) -> tuple[Way, ...]:
    """The ways in which a question may be several, the likeliest first; () for one that asks for one thing."""
    forms, text = language().forms, _SHORT_YEAR.sub(r"fiscal 20\1", " ".join(asked_part(text).split()).strip(" ?!.,"))
    text = forms["a remark in brackets"].sub("", forms["time ahead"].sub(r"\g<rest> \g<time>", text))
    text = forms["and too"].sub("", text)
    if forms["of one answer"].search(text) is not None:
        return ()
    if (listed := _listed(text)) is not None:
        return (listed,)
    found = forms["several times"].search(text)
    said = [] if found is None else [each[0] for each in forms["one time"].finditer(found[0])]
    if found is None or len(said) < 2:
        return _in_parts(text)
    if forms["held against"].search(found[0]) and forms["moved it"].search(text.lower()):
        return ()
    head, tail = text[: found.start()].rstrip(" ,:-–—"), text[found.end() :]
    texts = tuple(f"{head} {time}{tail}".strip() for time in _in_full(said))
    ways = [Way(("",) * len(texts), texts, is_plain=True)] if texts else []
    for alike in zip(*map(_in_parts, texts), strict=False):  # but for the time
        each_said, each = (
            zip(*pieces, strict=False) for pieces in zip(*((way.said, way.texts) for way in alike), strict=True)
        )
        ways.append(Way(tuple(chain.from_iterable(each_said)), tuple(chain.from_iterable(each)), alike[0].is_plain))
    return tuple(way for way in ways if len(way.texts) <= MOST_PIECES)[:MOST_WAYS]


def _in_full(said: Sequence[str]) -> tuple[str, ...]:
    """Times that are named one beside the other, each with what it leaves out, as the first says it: `q2 2022` for the
    `2022` behind `q2 2023`; () where that is not known."""
    forms, year = language().forms, next((each[0] for each in YEAR.finditer(" ".join(said))), "")
    first = said[0] if years_in(said[0].lower()) or not year else f"{said[0]} {year}"
    times = [first]
    for time in said[1:]:
        bare, end = forms["words of time"].sub("", time), forms["end of a time"]
        if forms["a year earlier"].fullmatch(time):
            times.append(shifted(first, -1) if year else time)
        elif forms["the year end before"].fullmatch(time):
            times.append("at the beginning of the year")
        elif end.fullmatch(bare) is None:
            times.append(time if years_in(time.lower()) or not year else f"{time} {year}")
        else:
            last = YEAR.search(first) if YEAR.fullmatch(bare) else end.search(first)
            times.append(time if last is None else first[: last.start()] + bare + first[last.end() :])
    return tuple(times) if len({*times}) == len(said) else ()


def _in_parts(text: str) -> tuple[Way, ...]:
    """The ways in which a question may be for several things beside each other, the likeliest first."""
    found: dict[tuple[str, ...], tuple[int, Way]] = {}
    is_share = language().forms["as a share"].search(text) is not None  # `services and parts as a share of sales`
    for number, whole in enumerate(dict.fromkeys((text, text.partition(": ")[2])) if not is_share else ()):
        for said, texts, left in _ways(whole):
            full = [texts[0], *(_completed(one, texts[0]) for one in texts[1:])]
            each = tuple(_dated(one, full) for one in full)
            cost = UNTITLED * number + UNLIKE * left + _cost(said, each)
            if len({*each}) == len(said) and (each not in found or cost < found[each][0]):
                found[each] = cost, Way(tuple(said), each, len(said) == 2 and _is_more(said[1]))
    return tuple(way for _, way in sorted(found.values(), key=lambda each: each[0])[:MOST_WAYS])


def _is_more(said: str) -> bool:
    """Whether the second of two things is surely one more."""
    forms = language().forms
    return bool(forms["asks by itself"].match(said) or forms["a figure of another sort"].fullmatch(said))


def _cost(said: Sequence[str], texts: Sequence[str]) -> int:
    """How unlikely it is that pieces are what is asked for beside each other: of things that are, each names one
    measure, as many words as the others, and begins as they do."""
    lengths = [len(each.split()) for each in said]
    heads = {found[0] if (found := language().forms["head of a piece"].match(each)) else "" for each in said}
    named = ({len(find_measures(each.lower())) for each in both} for both in zip(said, texts, strict=True))
    return max(lengths) - min(lengths) + UNNAMED * sum(1 not in each for each in named) + UNLIKE * (len(heads) > 1)


def _ways(text: str) -> Iterator[tuple[list[str], list[str], int]]:
    """What is asked for on all sides of what joins several, with the question for each, and how much speaks against it:
    what stands before the second, or behind the first, may be of all."""
    forms, named = language().forms, find_measures(text.lower())
    joints = [each.span() for each in forms["between pieces"].finditer(text)]
    joints = [each for each in joints if not any(one.start <= each[0] < one.end for one in named)]
    joints = [each for each in joints if _IN_NAME.match(text, text.rfind(" ", 0, each[0]) + 1) is None][
        : MOST_PIECES - 1
    ]
    for taken in dict.fromkeys((tuple(joints), *((each,) for each in joints))) if joints else ():
        pieces = [text[one:other] for one, other in pairwise((0, *chain.from_iterable(taken), len(text)))]
        first, *between, last = pieces[::2]
        is_own, is_bare = _is_more(last), not any(text[one:other].strip(" ,") for one, other in taken)
        if is_own and is_bare:
            continue  # `in that year, what was it?`
        is_dated = bool(YEAR.search(first) and YEAR.search(last))  # each is asked at its own time
        for head in _ends_of_head(first):
            for tail in (len(last),) if is_own else _starts_of_tail(last):
                said = [each.strip(" ,:") for each in (first[head:], *between, last[:tail])]
                is_titled = first[:head].rstrip().endswith(":") and len(said) > 2
                if is_bare and not is_titled and not all(find_measures(each.lower()) for each in said):
                    continue  # `sales in 2023, whole company`
                is_other = is_dated and bool(YEAR.search(last[tail:]) or YEAR.search(first[:head]))
                if all(said) and not is_other and forms["it"].search(last[tail:]) is None:
                    left = (is_dated and head > 0) + (0 if is_own else len(joints) - len(taken))
                    yield said, _with_rest(first[:head], said, last[tail:]), left


def _with_rest(head: str, said: Sequence[str], tail: str) -> list[str]:
    """A question for each of several things; one that asks by itself has nothing before it."""
    asks = language().forms["asks by itself"]
    heads = (head if not number or asks.match(each) is None else "" for number, each in enumerate(said))
    return [" ".join(f"{before} {each} {tail}".split()) for before, each in zip(heads, said, strict=True)]


def _dated(text: str, others: Sequence[str]) -> str:
    """A question that says no time, or a part of no year, at that of the first other one that does."""
    for each in others:
        text = dated_as(text, each, When())
    year = next(filter(None, map(YEAR.search, others)), None)
    return text if year is None or YEAR.search(text) else f"{text} {year[0]}"


def _listed(text: str) -> Way | None:
    """The things that a question lists in brackets, or behind a colon by what they are, with a question for each; None
    where it lists none: `sales by region (Asia, Europe)`."""
    forms = language().forms
    ways = (forms[each].fullmatch(text) for each in ("a list in brackets", "a list behind a colon"))
    if (found := next(filter(None, ways), None)) is None:
        return None
    *parts, last = _COMMA.split(found["parts"])
    joint = forms["last of a list"]
    parts += [last] if any(map(joint.search, parts)) else joint.split(last)  # `parts and service, used cars and other`
    said = [each.strip() for each in parts if each.strip()]
    texts = _with_rest(f"{found['head']} of", said, found["tail"])
    if all(len(named := find_measures(each.lower())) == 1 and named[0].said == each.lower() for each in said):
        texts = [_dated(each, [text]) for each, text in zip(said, texts, strict=True)]  # `raw materials and goods`
    return Way(tuple(said), tuple(texts), is_plain=True) if 1 < len(said) <= MOST_PIECES else None


def _completed(text: str, first: str) -> str:
    """A later one of several questions with what it leaves out, as the first says it: what it is of, and what is done
    with that."""
    forms, year = language().forms, YEAR.search(first)
    text = forms["what about"].sub("", text)
    text = text if year is None else forms["at the end of it"].sub(f"at the end of {year[0]}", text)
    ways = (way(text, first) for way in (_of_other_sort, _of_what_is_done, _of_its_owner))
    return next(filter(None, ways), text)


def _of_other_sort(text: str, first: str) -> str:
    """`the net figure` behind `gross sales in 2023`: the same, of another sort; "" for what is no such thing."""
    forms = language().forms
    if (other := forms["a figure of another sort"].fullmatch(text)) is None:
        return ""
    if (sort := forms["sort of a figure"].search(first)) is not None:
        rest = first[sort.end() :]
        return f"{first[: sort.start()]}{other['sort']}{forms['way it went'].sub('', rest)}"
    at = next((each.start for each in find_measures(first.lower())), None)
    return f"{first[:at]}{other['sort']} {first[at:]}" if at is not None else ""


def _of_what_is_done(text: str, first: str) -> str:
    """`at what price` behind `how many shares did they buy`: with what was done; "" for what is no such thing."""
    done = language().forms["a count and what is done"].fullmatch(first)
    if done is None or language().forms["asks of what is done"].fullmatch(text) is None:
        return ""
    of, rest = done["of"], done["rest"]
    return " ".join((text, done["aux"], *((rest, of) if done["active"] else (of, rest))))


def _of_its_owner(text: str, first: str) -> str:
    """`its book value`, `what was paid for it`: of what the first is about; "" where that is not known."""
    forms = language().forms
    events = [forms[each].search(first) for each in ("what was bought", "what somebody bought", "what was joined")]
    found = next(filter(None, (*events, forms["of what it is"].search(first))), None)
    of = "" if found is None else found["of"].strip()
    if not of or of.lower() in text.lower():
        return ""
    if (its := forms["of it"].search(text)) is not None:
        rest = text[its.end() :].strip()
        return f"{text[: its.start()]}{of}'s {rest}" if YEAR.search(rest) else f"{text[: its.start()]}{rest} of {of}"
    if (it := forms["it"].search(text)) is not None:
        return text[: it.start("it")] + of + text[it.end("it") :]
    return f"{text} for {of}" if any(events) and forms["asks by itself"].match(text) is not None else ""


def _ends_of_head(left: str) -> list[int]:
    """Where what all ask in one may end before what the first asks for alone: behind nothing, the words that ask, what
    is named, a time, and what joins a part to it."""
    forms, lower = language().forms, left.lower()
    asks = forms["asks a figure"].match(lower)
    ends = {0, asks.end() if asks is not None else 0, *(each.end for each in find_measures(lower))}
    ends |= {at for match in forms["joins a part"].finditer(lower) for at in match.span()}
    ends |= {match.end() for match in (*re.finditer(": ", left), *YEAR.finditer(left))}
    return sorted(each for each in ends if each < len(left) and forms["a year ahead"].match(lower, each) is None)


def _starts_of_tail(right: str) -> list[int]:
    """Where what all ask in one may begin behind what the last asks for alone."""
    lower = right.lower()
    starts = {len(lower), *(at for each in find_measures(lower) for at in (each.start, each.end))}
    starts |= {match.start() for match in (*language().forms["joins a part"].finditer(lower), *YEAR.finditer(lower))}
    return sorted(each for each in starts if each > 0)
