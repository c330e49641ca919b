"""Texts of neighbouring cells that stand no further apart than words do: told apart by the rules below headers and by
where the amounts of a column end.

A browser prints a column no wider than what is in it, so that the amount of one row nearly touches its label, and a
header the next one.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from tieout.data.printed.pattern import later
from tieout.data.readers.geometry.lines import VALUE, Line, Segment, is_mark_on, is_year_of
from tieout.data.readers.geometry.spans import Column
from tieout.data.readers.geometry.words import CURRENCY, Rule, Word

_ALIGNED = 0.75  # points between the ends of two amounts of one column
HANGS = 0.3  # of the size: how far a closing bracket hangs out of its column
_CENTRED = 2.0  # points that a header may stand off the middle of its rule
_FEWEST = 2  # amounts that begin below one another
_AROUND = 8  # lines on each side, among which the column of an amount is looked for
_STACK = 1.35  # distance of two lines of one header at most, of the size
_WIDE = 0.4  # of the size: a gap that is none between words
_YEAR = later(r"(?:19|20)\d\d")
_DAY = later(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?,?$",
    re.IGNORECASE,
)
_MONTH = later(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul"
    r"|aug|sept?|oct|nov|dec)\b",
    re.IGNORECASE,
)
_LENGTH = later(r"\b(?:ended|ending|months?|weeks|quarters?|years?|fiscal|as of|at)\b", re.IGNORECASE)
_WHEN = later(rf"{_MONTH.pattern}|{_LENGTH.pattern}|\b(?:of|in|on|the|for|and)\b", re.IGNORECASE)
_DIGITS = later(r"\d+")
_TIME = later(
    r"^(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|one|two|three|six|nine|twelve|quarter|year|months|weeks)\b",
    re.I,
)
_ENDED = later(r"end(?:ed|ing)\b", re.IGNORECASE)


def tell_apart(lines: Sequence[Line], drawn: Sequence[Rule], joined: Sequence[Rule]) -> tuple[list[Line], list[Rule]]:
    """The lines of a page with amounts told from the labels in front of them and headers from one another, and its
    rules: those drawn below headers, one each, as they are, of the others those that touch put together.

    drawn: all rules of the page; joined: the same with those put together that touch.
    """
    found = _amounts_apart(lines)
    own = _heads_apart(found, drawn)
    _heads_apart(found, joined)
    heights = [rule.y for rule in own]
    return found, own + [rule for rule in joined if not any(abs(rule.y - y) < 1 for y in heights)]


def _amounts_apart(lines: Sequence[Line]) -> list[Line]:
    """The lines with the amount behind a label, or in front of a remark, a segment of its own, where amounts of other
    lines near it end there, or several begin, or where several remarks begin."""
    behind = [line.segments[1:] for line in lines]
    found: list[Line] = []
    for at, line in enumerate(lines):
        others = (*behind[max(0, at - _AROUND) : at], *behind[at + 1 : at + 1 + _AROUND])
        near = [each for segments in others for each in segments]
        parted = _parted(line, near) if near else None
        found.append(replace(line, segments=parted) if parted else line)
    return found


def _parted(line: Line, near: Sequence[Segment]) -> list[Segment] | None:
    """The segments of a line with amounts told from what they touch; None where there are none. near: segments behind
    the labels of lines around it."""
    amounts = [each for each in near if each.is_value]
    found: list[Segment] = []
    for at, segment in enumerate(line.segments):
        rest = line.segments[at + 1 :]
        parts = _off_label(segment, rest, amounts, line.size) if amounts else None
        if parts is None and at:
            parts = _off_remark(segment, near)
        found += parts or [segment]
    return found if len(found) > len(line.segments) else None


def _off_label(label: Segment, rest: Sequence[Segment], near: Sequence[Segment], size: float) -> list[Segment] | None:
    """A label and the amount at its end; None where no column of the amounts near it ends or begins there. rest: what
    stands behind it."""
    tail = _tail(label.words)
    if tail is None or not any(map(str.isalpha, Segment(label.words[:-tail]).text)):
        return None
    amount = Segment(label.words[-tail:])
    said = Segment(label.words[:-tail]).text
    is_head = bool(rest) and said.endswith(")")  # `Six months ended June 30 (in millions) 2025` beside `2024`
    is_year = _YEAR.fullmatch(amount.text) and not any(
        each.is_value and not _YEAR.fullmatch(each.text) for each in rest
    )
    if is_year and not is_head:
        return None
    if _DAY.search(said) or is_year_of(amount.text, said):
        return None
    ends = sorted(each.x1 for each in near)
    end = next((at for at in _right_ends(amount, size) if _has(ends, at)), None)
    begun = sum(abs(each.x0 - amount.x0) <= _ALIGNED for each in near)
    if (end is None and begun < _FEWEST) or (rest and rest[0].x0 < (end or amount.x1)):
        return None
    return [Segment(label.words[:-tail]), amount]


def _off_remark(segment: Segment, near: Sequence[Segment]) -> list[Segment] | None:
    """An amount and the remark that it touches, as others begin where that one does: `28 Other income`; None else."""
    words = segment.words
    first = 2 if words[0].text in CURRENCY else 1
    if len(words) <= first or not Segment(words[:first]).is_value or not words[first].text[0].isalpha():
        return None
    begun = sum(not each.is_value and abs(each.x0 - words[first].x0) <= _ALIGNED for each in near)
    return [Segment(words[:first]), Segment(words[first:])] if begun >= _FEWEST else None


def _tail(words: Sequence[Word]) -> int | None:
    """How many words at the end of a label are an amount: `$ 1,234`, `(56)`; None for none."""
    if len(words) < 2 or not VALUE.fullmatch(words[-1].text) or not any(map(str.isdigit, words[-1].text)):
        return None
    return 2 if len(words) > 2 and words[-2].text in CURRENCY else 1


def _right_ends(amount: Segment, size: float) -> tuple[float, ...]:
    """Where the column of an amount may end: a closing bracket may hang out of it."""
    return (amount.x1, amount.x1 - HANGS * size) if amount.text.endswith(")") else (amount.x1,)


def _has(ends: Sequence[float], end: float) -> bool:
    """Whether one of the ends, which are in order, is this one."""
    at = bisect_left(ends, end - _ALIGNED)
    return at < len(ends) and ends[at] <= end + _ALIGNED


def _heads_apart(lines: list[Line], rules: Sequence[Rule]) -> list[Rule]:
    """Parts the headers above rules that stand beside one another, line by line upwards, as long as each stands in the
    middle of its rule. Returns the rules that have a header."""
    own: list[Rule] = []
    for _, group in groupby(sorted(rules, key=lambda each: (round(each.y), each.x0)), key=lambda each: round(each.y)):
        row = list(group)
        is_row = len(row) > 1 and all(left.x1 < right.x0 + 1 for left, right in pairwise(row))
        at = _line_above(lines, row[0].y) if is_row else None
        lowest = at
        while at is not None and (parted := _parted_heads(lines[at], row)):
            if at == lowest:
                own += [rule for rule in row if any(abs(part.center - rule.center) <= _CENTRED for part in parted)]
            lines[at] = replace(lines[at], segments=parted)
            is_stacked = at > 0 and lines[at].y - lines[at - 1].y < _STACK * lines[at].size
            at = at - 1 if is_stacked else None
    return own


def _line_above(lines: Sequence[Line], y: float) -> int | None:
    return next((at for at, line in enumerate(lines) if -0.1 * line.size <= y - line.y < 0.9 * line.size), None)


def _parted_heads(line: Line, rules: Sequence[Rule]) -> list[Segment] | None:
    """The segments of a line of headers, one for each rule that it has words over; None where one is not in the middle
    of its rule, or a word is over two of them."""
    found: list[Segment] = []
    is_header = False
    for segment in line.segments:
        parts = [Segment(list(words)) for _, words in groupby(segment.words, key=lambda word: _over(word, rules))]
        for part in parts:
            over = _over(part.words[0], rules)
            if over is None and len(parts) == 1 and part.x1 < rules[0].x0:
                continue  # it stands over the labels
            if over is None or abs(part.center - rules[over].center) > _CENTRED:
                return None
            is_header = True
        found += parts
    return found if is_header else None


def _over(word: Word, rules: Sequence[Rule]) -> int | None:
    """The number of the rule that a word stands over; None for a word that none is below all of."""
    return next((at for at, rule in enumerate(rules) if rule.x0 - 1 <= word.x0 and word.x1 <= rule.x1 + 1), None)


def part_heads(line: Line, columns: Sequence[Column], below: Line | None = None) -> Line:
    """A line of headers with those told apart that begin or end where columns do, or stand further apart than words, or
    each in the middle over one of the line of headers `below`, as the lines of one cell do."""
    parts: list[Segment] = []
    for each in line.segments:
        times = _times(each, columns)
        own = [part for label in _off_labels(each, columns) for part in _by_columns(label, columns)]
        if below is not None:
            own = [part for head in own for part in _by_stack(head, below.segments, columns)]
        parts += times if len(times) > 1 else own
    return replace(line, segments=parts)


def _by_stack(segment: Segment, below: Sequence[Segment], columns: Sequence[Column]) -> list[Segment]:
    """The parts of a header that begin each where one of those below it does, or stand in the middle over it, with one
    in front of them that stands over a column of its own."""
    if flush := begun_below(segment, below):
        return flush
    middles = [head.center for head in below if segment.x0 < head.center < segment.x1]
    for first in range(len(segment.words)) if middles else ():
        parts = _centred(segment.words[first:], middles)
        in_front = Segment(segment.words[:first])
        if parts is None or len(parts) + bool(first) < 2 or (first and not _ends_column(in_front.x1, columns)):
            continue
        found = [in_front, *parts] if first else parts
        return found if are_whole([part.text for part in found]) else [segment]
    return [segment]


def begun_below(segment: Segment, below: Sequence[Segment]) -> list[Segment]:
    """The parts of a header that begin each where one of several headers below it does; [] where they do not."""
    begins = [head.x0 for head in below if segment.x0 - _ALIGNED < head.x0 < segment.x1]
    parts = parted_at(segment, begins)
    return parts if 1 < len(begins) <= len(parts) and abs(segment.x0 - min(begins)) <= _ALIGNED else []


def alike(segment: Segment) -> list[Segment]:
    """The most parts of a segment that say the same of other times: `Three Months Ended Six Months Ended`."""
    words = segment.words
    shapes = [_DIGITS.sub("0", _TIME.sub("-", word.text)) for word in words]
    for wide in range(1, len(words) // 2 + 1):
        if len(words) % wide == 0 and shapes == shapes[:wide] * (len(words) // wide):
            return [Segment(words[at : at + wide]) for at in range(0, len(words), wide)]
    return [segment]


def _times(segment: Segment, columns: Sequence[Column]) -> list[Segment]:
    """The parts of a header that name one time each, told from what stands in front of them: a note over the labels, or
    the header of another column: `(In millions) June 30, 2025 December 31, 2024`, `Level June 30, 2025 ...`."""
    for first in range(len(segment.words) - 1):
        before = Segment(segment.words[:first])
        if first and not _is_label(before, columns) and not _is_other(before, columns):
            continue
        times = alike(Segment(segment.words[first:]))
        if 1 < len(times) <= len(columns) and all(_WHEN.search(each.text) for each in times):
            return [*_off_note(before, columns), *times] if first else times
    return [segment]


def _off_note(text: Segment, columns: Sequence[Column]) -> list[Segment]:
    """A note over the labels and the header of a column behind it: `(in thousands) Useful life (Years)`."""
    words = text.words
    end = next((at for at, word in enumerate(words, 1) if word.text.endswith(")")), 0)
    behind = Segment(words[end:])
    is_note = words[0].text.startswith("(") and 0 < end < len(words) and not any(map(str.isdigit, behind.text))
    return [Segment(words[:end]), behind] if is_note and any(each.shared(behind) > 0 for each in columns) else [text]


def _is_label(text: Segment, columns: Sequence[Column]) -> bool:
    """Whether a text in a line of headers stands over the labels."""
    return text.text.endswith((")", ":")) or (bool(columns) and text.x1 < columns[0].x0)


def _is_other(head: Segment, columns: Sequence[Column]) -> bool:
    """Whether a text is the header of a column, and says nothing of when."""
    says_when = _WHEN.search(head.text) or any(map(str.isdigit, head.text))
    return not says_when and any(column.shared(head) > 0 for column in columns)


def parted_at(segment: Segment, begins: Sequence[float]) -> list[Segment]:
    """The parts of a segment, each from a word on that begins in one of these places."""
    words = segment.words
    firsts = [at for at, word in enumerate(words) if at and any(abs(word.x0 - x) <= _ALIGNED for x in begins)]
    parts = [Segment(words[at:end]) for at, end in zip([0, *firsts], [*firsts, None], strict=True)]
    return parts if are_whole([part.text for part in parts]) else [segment]


def _centred(words: list[Word], middles: Sequence[float]) -> list[Segment] | None:
    """The words in as many parts as there are middles, each about one of them; None where they do not stand so."""
    parts: list[Segment] = []
    start = 0
    for middle in middles:
        ends = range(start + 1, len(words) + 1)
        end = next((at for at in ends if abs(Segment(words[start:at]).center - middle) <= _CENTRED), None)
        if end is None:
            return None
        parts.append(Segment(words[start:end]))
        start = end
    return parts if start == len(words) else None


def _off_labels(segment: Segment, columns: Sequence[Column]) -> list[Segment]:
    """A header that says when told from what stands in front of it over the labels: it begins where the first column
    does."""
    first = columns[0] if columns else None
    at = next((at for at, word in enumerate(segment.words) if at and first and _begins(word.x0, [first])), None)
    label, head = (Segment(segment.words[:at]), Segment(segment.words[at:])) if at else (segment, segment)
    is_year = _YEAR.fullmatch(head.text) and label.text.endswith(")")  # `Six months ended June 30 (in millions) 2025`
    is_when = is_year or ((_MONTH.search(head.text) or _YEAR.search(head.text)) and are_whole([label.text, head.text]))
    return [label, head] if at and is_when else [segment]


def _by_columns(segment: Segment, columns: Sequence[Column]) -> list[Segment]:
    under = [column for column in columns if column.shared(segment) > 0]
    if len(segment.words) < 2 or len(under) < 2:
        return [segment]
    size = segment.words[0].size
    parts = [[segment.words[0]]]
    wide = [False]  # whether a part stands apart from the one before
    for before, word in pairwise(segment.words):
        is_wide = word.x0 - before.x1 > _WIDE * size and not is_mark_on(word, before)
        if is_wide or _ends_column(before.x1, under) or _begins(word.x0, under):
            parts.append([word])
            wide.append(is_wide)
        else:
            parts[-1].append(word)
    found = [Segment(words) for words in parts]
    if len(found) != len(under) or any(column.shared(part) <= 0 for part, column in zip(found, under, strict=True)):
        return [segment]
    last = len(found) - 1
    if not all(
        _ends_column(part.x1, under) or wide[min(at + 1, last)] or _begins(part.x0, under)
        for at, part in enumerate(found)
    ):
        return [segment]
    return found if are_whole([part.text for part in found]) else [segment]


def _ends_column(x: float, columns: Sequence[Column]) -> bool:
    return any(abs(x - end) <= _ALIGNED for column in columns for end in column.ends or [column.x1])


def _begins(x: float, columns: Sequence[Column]) -> bool:
    """Whether one of the columns begins here with all of its amounts."""
    return any(abs(x - column.x0) <= _ALIGNED and column.is_flush_left for column in columns)


def are_whole(texts: Sequence[str]) -> bool:
    """Whether texts are headers each, and not parts of one over several columns: `Three Months | Ended June 30,`,
    `Six Months | Ended`, `(dollars | in millions)`."""
    if any(text.count("(") != text.count(")") for text in texts):
        return False
    kinds = {(bool(_LENGTH.search(text)), bool(_MONTH.search(text)), bool(_ENDED.match(text))) for text in texts}
    return len(kinds) == 1 or all(
        _YEAR.search(text) or not (_LENGTH.search(text) or _MONTH.search(text)) for text in texts
    )
