"""What a report says once about the figures of all its tables: `tabular dollars in millions`, the scale of its
statements.

A table of the notes often says nothing: its figures are on the basis of the statements that the notes belong to.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache

from tieout.data.document import Document, Table
from tieout.data.printed.languages.language import current_language
from tieout.data.printed.note import NO_NOTE, SCALE_WORDS, Note, currency_of, introduced_note, read_note
from tieout.data.printed.pattern import later
from tieout.data.printed.unit import Unit, dollar
from tieout.data.tables.table_layout import Whole
from tieout.kg.drafts.footnotes import footnotes_below

_GENERAL = later(
    r"\b(?:amounts?|dollars?|figures|numbers|data|information|tables?|tabular|disclosures)\b[^.]{0,160}"
    r"(?:\b(?:thousands|millions|billions|crores?|lakhs?)\b"
    r"|\bin (?:[a-z]+ (?:of )?|[a-z]{0,3}[$€£¥₹] ?)?(?:thousand|million|billion)\b"
    r"|[$€£¥₹] ?['’]?(?:m|mn|bn|k|000)\b|\b[tmk](?:€|eur\b|chf\b|sek\b|nok\b|dkk\b)|\bmio\b)",
    re.IGNORECASE,
)
_FOR_ALL = later(
    r"\b(?:unless|except|otherwise|throughout|tabular|this (?:annual |quarterly )?(?:report|form|discussion|document)"
    r"|herein|(?:these|the) (?:accompanying )?notes|disclosed|all (?:dollar |amounts|tables|figures))\b",
    re.IGNORECASE,
)
# As _FOR_ALL, without what may be said of one table alone (`in millions, except per share amounts`).
_OF_WHOLE = later(
    r"\bunless\b|\botherwise\b|\bthroughout\b|\btabular\b|\bherein\b|\ball (?:dollar |amounts|tables|figures)"
    r"|\bthis (?:annual |quarterly )?(?:report|form|document)|\b(?:these|the) (?:accompanying )?notes\b",
    re.IGNORECASE,
)
_SCALES_IN = (
    *("illion", "ILLION", "housand", "HOUSAND", "rore", "akh", "000", "mio", "Mio", "bn", "mn"),
    *("T€", "k€", "K€", "m€", "M€", "€m", "£m", "$m", "TEUR", "MEUR", "MSEK", "TCHF", "MNOK", "MDKK", "tEUR"),
)
_SENTENCE = later(r"(?<=[a-z)”][.;]) (?=[A-Z])")
_LEADS = later(r"\W*unless\b", re.IGNORECASE)
_STATEMENT = later(
    r"\b(?:balance sheets?|statements? of (?:consolidated )?(?:operations|income|earnings|cash flows|comprehensive|"
    r"(?:share|stock)holders|financial (?:position|condition)|changes|equity|loss|profit|net)"
    r"|(?:income|cash flow) statements?)",
    re.IGNORECASE,
)
_ALONE = later(r"\(?(?:(?:in|dollars?|amounts?|all)\b|[$£€])[^.;]{0,100}\)?", re.IGNORECASE)
_LONGEST_LINE = 120
_MARK = later(r"[$£€¥₹₩](?= ?[(0-9])")
_SCALED_MONEY = later(r"[$£€] ?[0-9][0-9,.]*[ -](thousand|million|billion|trillion)\b")
_BARE_MONEY = later(
    r"[$£€] ?\(?([1-9][0-9,]+(?:\.[0-9])?)(?![0-9.,]*[0-9])(?! ?(?:thousand|million|billion|trillion|per|a share|each))"
)
_TOLD = later(r"[$£€] ?([0-9][0-9,]*\.[0-9]+|[1-9][0-9]{2,}) (million|billion)\b")
_CELL = later(r"\(?[$£€]? ?\(?([1-9][0-9]{0,2}(?:,[0-9]{3})+)\)?")
_LEAST_DIGITS = 3  # of an amount of prose that is no other one by chance
_LEAST_TOLD = 3  # such amounts that are those of a table
_NEAR = 15  # paragraphs before and behind a table that may tell of it
_MOST_SCALED = 0.25  # amounts of prose with a scale of their own, for each without: else those are in full
_LARGEST_LEFT_OUT = 10**6
_ITEM = 2  # the level of the headings of items
_LONGEST = 600  # letters of a paragraph that says how amounts are given
LEAST_SHARE = 0.6
LEAST_STATEMENTS = 3
LEAST_TABLES = 3


def bases(document: Document, introductions: Sequence[str], currency: str = "") -> list[Note]:
    """For each table the note that holds where the table itself and the words in front of it say nothing.

    currency: that the report says it is in, which is that of its statements.

    That is the last sentence before it that says how amounts are given in general, else what the statements of the
    report say, else, where those say nothing, the first sentence about all amounts that stands behind it, as in note 1,
    else what most tables say that say anything.
    """
    said = _general(document.paragraphs, current_language(), dollar())
    usual = _of_statements(document, introductions)
    whole = next((note for _, note, is_whole in said if is_whole), None)
    found: list[Note] = []
    seen = False
    for table, introduction in zip(document.tables, introductions, strict=True):
        is_statement = _is_statement(table, introduction)
        seen = seen or is_statement
        here = [note for paragraph, note, _ in said if table.after is not None and paragraph < table.after]
        # Shares are often given in full there; and in front of the statements are tables that are not of money.
        note = here[-1] if here else replace(usual, counts=None, unit=usual.unit if seen else None)
        note = note if note.scale or whole is None else whole
        note = note if note.scale else replace(note, scale=scale_told(table, document.paragraphs))
        found.append(replace(note, unit=note.unit or currency) if currency and is_statement else note)
    return found


def scale_told(table: Table, paragraphs: Sequence[str]) -> int | None:
    """The scale at which the figures of a table are those that the prose around it tells, `24,193` of `$24.2 million`;
    None where few are."""
    at = table.after or 0
    near = paragraphs[max(at - _NEAR, 0) : at + _NEAR]
    told = {(each.replace(",", ""), SCALE_WORDS[word]) for text in near for each, word in _TOLD.findall(text)}
    told = {each for each in told if sum(map(str.isdigit, each[0])) >= _LEAST_DIGITS}
    if len(told) < _LEAST_TOLD:
        return None
    cells = {
        Decimal(match[1].replace(",", "")) for row in table.rows for cell in row if (match := _CELL.fullmatch(cell))
    }
    found = Counter(
        {
            scale: sum(any(_rounds_to(cell * scale / of, amount) for cell in cells) for amount, of in told)
            for scale in (1, 10**3, 10**6)
        }
    )
    (scale, most), (_, next_most), _ = found.most_common()
    return scale if most >= _LEAST_TOLD * max(next_most, 1) else None


def _rounds_to(value: Decimal, printed: str) -> bool:
    places = len(printed.partition(".")[2])
    return f"{value:.{places}f}" == printed


def _is_statement(table: Table, introduction: str) -> bool:
    """Whether the title of a table or the words in front of it name a statement."""
    said = f"{table.title}\n{introduction}".lower()
    return ("statement" in said or "balance sheet" in said) and bool(_STATEMENT.search(said))


@lru_cache(maxsize=1)
def _general(paragraphs: tuple[str, ...], _language: str, _dollar: str) -> list[tuple[int, Note, bool]]:
    """The sentences that say how amounts are given in all that follows: paragraph, note, and whether it is of all of
    the report and not, as `in millions, except per share amounts`, perhaps of one table. Asked for twice: for tables
    and for prose. _language, _dollar: of the report."""
    found: list[tuple[int, Note, bool]] = []
    for index, text in enumerate(paragraphs):
        if not any(word in text for word in _SCALES_IN):  # quick: most paragraphs have none
            continue
        for sentence in _SENTENCE.split(text) if len(text) > _LONGEST else (text,):
            match = _GENERAL.search(sentence) if len(sentence) <= _LONGEST and _FOR_ALL.search(sentence) else None
            if match and not sentence.lstrip().startswith("("):
                start = 0 if _LEADS.match(sentence) else match.start()
                if (note := read_note(sentence[start:])).scale:
                    found.append((index, note, bool(_OF_WHOLE.search(sentence))))
    return found


def marked_currency(document: Document, introductions: Sequence[str]) -> str | None:
    """The currency that the amounts of the statements are marked with, None where they are of none or of several."""
    found = {
        sign[0]
        for table, introduction in zip(document.tables, introductions, strict=True)
        if _is_statement(table, introduction)
        for row in table.rows
        for cell in row
        if (sign := _MARK.match(cell))
    }
    return currency_of(found.pop()) if len(found) == 1 else None


def prose_scales(document: Document, of_tables: Sequence[tuple[int, Decimal] | None] = ()) -> list[int | None]:
    """For each paragraph the scale that holds for its amounts of money that say none, None where they are in full.

    A sentence about all amounts may hold for the prose behind it, and a line of its own, `(Dollars in millions, except
    per share amounts)`, for that below it in its item: they do in reports that leave `million` out of the sentences
    there. of_tables: as in `_of_notes`.
    """
    found: list[int | None] = [None] * len(document.paragraphs)
    stretches: dict[tuple[str, int], tuple[int, list[int]]] = {}
    for at, said in enumerate(_said_for_prose(document)):
        if said:
            stretches.setdefault(said[:2], (said[2], []))[1].append(at)
    for scale, stretch in stretches.values():
        if _leaves_out(scale, [document.paragraphs[at] for at in stretch]):
            for at in stretch:
                found[at] = scale
    for at, scale in _of_notes(document, of_tables):
        found[at] = found[at] or scale
    return found


def _said_for_prose(document: Document) -> Iterator[tuple[str, int, int] | None]:
    """For each paragraph what was last said above it: the line, where the sentence or the item begins, and the scale.

    A line at the head of each page is one and the same throughout its item.
    """
    sentences = {at: note.scale for at, note, _ in _general(document.paragraphs, current_language(), dollar())}
    items = {each.paragraph for each in document.sections if each.level <= _ITEM}
    of_all: tuple[str, int, int] | None = None
    said: tuple[str, int, int] | None = None
    item = 0
    for at, text in enumerate(document.paragraphs):
        if at in items:
            item, said = at, of_all
        if scale := sentences.get(at):
            of_all = said = ("", at, scale)
        elif len(text) <= _LONGEST_LINE and _ALONE.fullmatch(text.strip()) and (scale := read_note(text).scale):
            said = (text, item, scale)
        yield said


def _leaves_out(scale: int, prose: Sequence[str]) -> bool:
    """Whether amounts of money in prose are on a scale that is said above: few say one of their own.

    Beside `$202` in millions stands `$4.4 billion`; beside amounts in thousands `$4.4 million` says that those without
    are in full.
    """
    bare = sum(len(_BARE_MONEY.findall(text)) for text in prose)
    scaled = Counter(SCALE_WORDS[word] for text in prose for word in _SCALED_MONEY.findall(text)) if bare else Counter()
    against = sum(count for own, count in scaled.items() if own == scale or scale < _LARGEST_LEFT_OUT)
    return bare > 0 and against <= _MOST_SCALED * bare


def _of_notes(document: Document, of_tables: Sequence[tuple[int, Decimal] | None]) -> Iterator[tuple[int, int]]:
    """The paragraphs right below tables that are notes on them, each with the scale of the table: where none of them
    says a scale, and no amount is larger than those of the table.

    of_tables: the scale of the money of each table, and the largest amount of it as printed; None for no money.
    """
    for table, known in zip(document.tables, of_tables, strict=False):
        if known is None or table.after is None:
            continue
        notes = [at for at, _, _ in footnotes_below(document, table.after)]
        prose = [document.paragraphs[at] for at in notes]
        amounts = [Decimal(each.replace(",", "")) for text in prose for each in _BARE_MONEY.findall(text)]
        if amounts and max(amounts) <= known[1] and not any(map(_SCALED_MONEY.search, prose)):
            yield from ((at, known[0]) for at in notes)


def counts_below(document: Document, wholes: Sequence[Whole]) -> dict[int, int]:
    """The scale of shares in the notes right below tables that say one of shares, `(Dollars in millions, shares in
    thousands)`, or are of shares alone, by paragraph. wholes: what is said of each table."""
    return {
        at: whole.counts
        for table, whole in zip(document.tables, wholes, strict=True)
        if table.after is not None and whole.counts
        if whole.unit is Unit.SHARES or (whole.counts != whole.scale and whole.names_counts)
        for at, _, _ in footnotes_below(document, table.after)
    }


def _of_statements(document: Document, introductions: Sequence[str]) -> Note:
    statements: Counter[Note] = Counter()
    others: Counter[Note] = Counter()
    silent = 0
    for table, introduction in zip(document.tables, introductions, strict=True):
        note = _own(introduction, table.rows)
        is_statement = _is_statement(table, introduction)
        if note.scale:
            (statements if is_statement else others)[note] += 1
        silent += is_statement and not note.scale
    if statements.total() or silent >= LEAST_STATEMENTS:
        return _most(statements) or NO_NOTE  # statements that say nothing are in full, whatever other tables say
    return (_most(others) if others.total() >= LEAST_TABLES else None) or NO_NOTE


def _own(introduction: str, rows: Sequence[Sequence[str]]) -> Note:
    note, _ = introduced_note(introduction)
    if note.scale:
        return note
    for row in rows[:4]:
        for cell in dict.fromkeys(row):
            if cell and (note := read_note(cell)).scale:
                return note
    return NO_NOTE


def _most(notes: Counter[Note]) -> Note | None:
    """The scale that most say, with the currency and counts of the note that says it most; None where they differ."""
    scales: Counter[int | None] = Counter()
    for note, count in notes.items():
        scales[note.scale] += count
    if not scales:
        return None
    scale, count = scales.most_common(1)[0]
    if count < LEAST_SHARE * scales.total():
        return None
    return max((note for note in notes if note.scale == scale), key=lambda note: (notes[note], bool(note.counts)))
