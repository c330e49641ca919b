"""Notes on unit and scale: `(in millions, except per share data)`, `$m`, `RMB'000`, `£ million`, `shares in thousands`.

>>> read_note("(In millions, except number of shares, which are reflected in thousands, and per-share amounts)")
Note(unit=None, scale=1000000, counts=1000)
>>> read_note("£ million"), read_note("expressed in U.S. dollars")
(Note(unit='GBP', scale=1000000, counts=None), Note(unit='USD', scale=1, counts=None))

One reader for corners, headers, titles, captions and the words before a table. What is printed per share, percentages
and times are never scaled by a note, so that it need not say so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache

from tieout.data.printed.abroad import OF_MONEY, SCALES
from tieout.data.printed.languages.language import in_english
from tieout.data.printed.languages.notes import note_abroad
from tieout.data.printed.pattern import later
from tieout.data.printed.unit import MARKS, NAMES, dollar

# What names a currency in a note, beside what names one behind an amount (`5 pounds` may be a weight).
_NAMED = NAMES | {
    "u.s. dollar": "USD",
    "us dollar": "USD",
    "united states dollar": "USD",
    "american dollar": "USD",
    "new taiwan dollar": "TWD",
    "sterling": "GBP",
    "pound": "GBP",
    "chinese yuan": "CNY",
    "korean won": "KRW",
    "south african rand": "ZAR",
    "new israeli shekel": "ILS",
    "nis": "ILS",
    "rs": "INR",
    "rs.": "INR",
    "reais": "BRL",
}
_MARKED = sorted((mark.removesuffix("$") for mark in MARKS if len(mark) > 1 and mark.endswith("$")), key=len)[::-1]
CURRENCY = (
    rf"(?:(?<![a-z])(?:(?:{'|'.join(map(re.escape, _MARKED))}) ?)?\$|[£€¥₹₩]|(?<![a-z0-9])(?:20ac|a3|a5)(?![a-z0-9])"
    rf"|(?<![a-z])(?:{'|'.join(re.escape(name) for name in sorted(_NAMED, key=len, reverse=True))})s?(?![a-z]))"
)
SCALE_WORDS = {
    "hundred": 10**2,
    "thousand": 10**3,
    "thous": 10**3,
    "lakh": 10**5,
    "million": 10**6,
    "crore": 10**7,
    "billion": 10**9,
    "trillion": 10**12,
}
# Behind a currency only: `m` alone may be metres, `b` a footnote.
_SHORT = {
    "000": 10**3,
    "k": 10**3,
    "tsd": 10**3,
    "mrd": 10**9,
    "m": 10**6,
    "mm": 10**6,
    "mn": 10**6,
    "mil": 10**6,
    "mio": 10**6,
    "mln": 10**6,
    "b": 10**9,
    "bn": 10**9,
    "bln": 10**9,
    "bil": 10**9,
    "tn": 10**12,
    "cr": 10**7,
}
_WORD = rf"(?:{'|'.join(SCALE_WORDS)})"
_ZEROS = r"'?000'?(?:'?s)?(?![0-9.,])"
_ABBREVIATED = rf"(?:{'|'.join(sorted(_SHORT, key=len, reverse=True))})"
_COUNTED = (
    r"(?:shares|options|units|awards|warrants|rsus|psus|vehicles|square f(?:eet|ootage)|barrels|tons|tonnes|ounces|"
    r"gallons|employees|customers|carloads|homes|stores|subscribers|members|volumes|boe|mmboe|quantities|stock|"
    r"headcount|(?:reported )?claims|restaurants|accounts)"
)
_ABROAD = later(
    rf"(?<![a-z0-9])(?:(?<![0-9] )|(?<=(?:19|20)[0-9]{{2}} ))(?:(?:(?P<before>{CURRENCY}) ?|(?P<lead>(?:in|en|em) ))?"
    rf"(?P<word>{'|'.join(sorted(SCALES, key=len, reverse=True))})s?(?![a-z])\.?"
    rf"(?: ?(?:de |di |d')?(?P<of>{CURRENCY}))?"
    rf"|(?P<money>{'|'.join(sorted((each for each in OF_MONEY if len(each) > 2), key=len, reverse=True))})"
    rf" (?:de |di |d')?(?P<named>{CURRENCY})"
    rf"|(?P<short>t|k|m|md) ?(?P<code>€|(?:eur|sek|nok|dkk|chf|usd|gbp)(?![a-z])))"
)  # `TEUR`, `T€`, `MSEK`, `Mio. EUR`, `in Millionen Euro`, `en milliers d'euros`, `2023 TEUR`
_IN = (
    r"(?:(?<![a-z])(?:(?:is|are|was|were|all|which|that|as) )*(?:stated |expressed |reported |presented |shown |"
    r"reflected |denominated |given )?(?:in|to the nearest) )"
)
_SUBJECT = later(
    rf"(?:(?P<counted>(?:number of |numbers of )?(?:[a-z-]+ ){{0,2}}{_COUNTED}(?: amounts| data)?),? ?(?:, )?"
    rf"(?:which )?(?={_IN}|'|\()|(?P<currency>{CURRENCY}),? ?(?:amounts? |figures )?,? ?)?"
    rf"(?P<lead>{_IN}|of |\( ?|^)?(?:the )?(?P<inner>{CURRENCY})?[ ']?$"
)
_SCALE = later(
    rf"(?P<word>{_WORD})(?P<plural>s?)(?![a-z])|(?P<zeros>{_ZEROS})|(?P<short>{_ABBREVIATED})(?![a-z0-9])\.?"
)
_OF_CURRENCY = later(rf",? ?(?:of |in |de |di |d')?(?P<currency>{CURRENCY})")
_OF_COUNTED = later(rf" (?:of (?:[a-z]+ ){{0,2}}|(?:common |ordinary )?){_COUNTED}\b")
_IN_CURRENCY = later(rf"(?:(?P<said>{_IN}(?:actual |whole )?)|^\(? ?|\( ?)(?P<currency>{CURRENCY})(?= ?[),;:.]| ?$)")
_PER_SHARE = later(r"\bper[ -](?:[a-z]+ )?share (?:amounts?|data|figures?|information)? ?$")
_ONLY_CURRENCY = later(rf"\(? ?(?:in )?{CURRENCY} ?\)?")
_EXCEPT = later(r"\b(?:except|expect|excluding|other than|unless)\b")
_EXCEPT_BEFORE = later(r"\W*(?:unless|except)\b[^,;:()]{0,60}[,:] ")
_EXCEPT_INSIDE = later(
    r",? ?\b(?:except|excluding|other than)\b[^,;()]{0,60}, "
    r"(?!which|that)(?=(?:and )?(?:[a-z]+ ){0,2}(?:in|are|is|stated|expressed)\b)"
)
_ALSO_MONEY = later(
    rf"(?:(?P<currency>{CURRENCY})(?: amounts?| figures)?|\bamounts?)(?:,? (?:and|&)|,) (?:[a-z-]+ ){{0,2}}{_COUNTED}"
    r"(?: amounts?| data)?$"
)
_ALSO_COUNTED = later(rf"\b{_COUNTED}(?: amounts?| data)? ?(?:,|and|&) ?$")
_AND_COUNTED = later(rf",? ?(?:and|&) (?:[a-z]+ ){{0,2}}{_COUNTED}\b")
_EXCEPT_COUNTS = later(
    rf"(?<!per )(?<!per-)(?<!per common )(?<!per ordinary )(?<!per diluted )\b(?:shares?(?! price)|{_COUNTED})\b"
)
_OF_AN_AMOUNT = later(r"(?:[0-9][.,]?\)? ?-?|[a-z]-)$")
_GLYPH_BEFORE = later(r"(?<![a-z0-9])a3 ?$")  # what extraction leaves of the sign for pound
_EACH = later(r"[,;()]|\b(?:and|or)\b|&|\b(?:except|expect|excluding|other than|unless)\b")
_NO_NAMES = frozenset(
    "of amount data figure information number where when as otherwise noted indicated stated note the for which are in"
    " thousand million billion percent percentage ratio".split()
)
_OF_SHARES = frozenset(("share", "stock", "par"))
_PLAIN = str.maketrans({"’": "'", "‘": "'", "´": "'", "`": "'", "–": "-", "—": "-", "\u00a0": " ", "\u00ad": None})
_ANY_WORD = later(r"\w+")
_SIGN = later(rf"[$£€¥₹₩]|000|20ac|{_WORD}")
_JOINED = [f"{scale}{code}" for scale in "tkm" for code in ("eur", "sek", "nok", "dkk", "chf", "usd", "gbp")]
_NAME_WORDS = frozenset(f"{name.split()[-1]}{s}" for name in (*_NAMED, "a3", "a5") for s in ("", "s")) | {
    *("mio", "mrd", *_JOINED)
}
# Where a sentence notes the scale of the table that it introduces: in parentheses, or `dollars in thousands`.
_AMOUNTS = r"(?:dollars?|amounts?|figures|[$£€¥])"
_INTRODUCED = later(
    r"\((?P<inside>[^()]{0,160})\)"
    rf"|(?:(?:{_AMOUNTS}(?: amounts?)?,? (?:and|&) )?"
    rf"(?:{_AMOUNTS}|stated|expressed|reported|presented|shares|vehicles) "
    rf"(?:are |is |were )*(?:stated |expressed |presented |reported )?in (?:the )?(?:{CURRENCY} ?)?"
    rf"(?:{_WORD}s?\b|{_ZEROS})"
    rf"|(?:in )?{_WORD}s of (?:u\.?s\.? ?\.? )?dollars|\bin (?:thousands|millions|billions)\b"
    r"|\b(?:thousands|millions|billions)(?= (?:19|20)[0-9]{2}\b))(?P<rest>,? except[^.;:)]{0,100})?"
)
# `amounts of income and shares of common stock (in thousands)`: money is on the scale of the statements.
_OF_SHARES_ALONE = later(
    r"\bshares(?: of (?:[\w.,&'-]+ ){0,4}(?:stock|shares))?(?: (?:issued|authorized|and|outstanding)){0,3}"
    rf" ?\( ?(?:in )?{_WORD}s ?\)"
)
_BROKEN = later(r"\b(mio|mrd|tsd) \. ")
_AT_END = later(r"[ (,:]((?:in|en|em) \S.{1,16})$")
_LAST_LINES, _SHORT_LINE = 3, 20  # how many lines, and letters of one that holds nothing but a note
_NEAR = 100  # characters in front of a scale word that may say what it is the scale of


@dataclass(frozen=True, slots=True)
class Note:
    """What a note says of the figures it stands over; None where it does not say.

    unit: a currency code. scale: of money, and of figures that say no unit; 1 where it says that figures are in full
    (`in dollars`). counts: of shares and other things counted; 1 where the note leaves them out (`except share data`).
    names_counts: whether it speaks of counts; `(in millions)` speaks of nothing, and leaves open whether it means them.
    """

    unit: str | None = None
    scale: int | None = None
    counts: int | None = None
    names_counts: bool = field(default=True, repr=False, compare=False)

    def __bool__(self) -> bool:
        return (self.unit, self.scale, self.counts) != (None, None, None)


NO_NOTE = Note()


def plain(text: str) -> str:
    """A text in lower case with plain quotes, dashes and single spaces."""
    if not text.isascii() or "`" in text:
        text = text.translate(_PLAIN)
    return " ".join(text.split()).lower()


def may_note(text: str) -> bool:
    """Whether there is a sign, a scale word or the name of a currency in lower-case `text`, without which it notes
    nothing but what is glued (`chfbn`): many times quicker than to read it."""
    return (
        bool(_SIGN.search(text)) or note_abroad(text) is not None or not _NAME_WORDS.isdisjoint(_ANY_WORD.findall(text))
    )


def currency_of(printed: str) -> str | None:
    """The ISO 4217 code that a mark or a name means, lower case (`c$`, `u.s. dollars`); None for none."""
    name = printed.strip()
    if name.endswith("$"):
        return MARKS.get(name.replace(" ", "")) or dollar()
    if name in ("dollar", "dollars"):
        return dollar()
    return MARKS.get(name) or _NAMED.get(name) or _NAMED.get(name.removesuffix("s"))


def is_only_currency(text: str) -> bool:
    """Whether a title is the name of a currency and nothing else: `Yen`, `(in US$)`."""
    return bool(_ONLY_CURRENCY.fullmatch(plain(text)))


def title_note(title: str) -> Note:
    """What the title of a table notes; what stands behind shares in brackets is of those alone."""
    note = read_note(title)
    return replace(note, scale=None) if note and _OF_SHARES_ALONE.search(in_english(plain(title))) else note


def read_note(text: str) -> Note:
    """What a text, any printed one, notes on unit and scale. Amounts (`$ 5 million`) are no notes."""
    return _read_note(in_english(text), dollar())


@lru_cache(maxsize=4096)
def _read_note(text: str, _dollar: str) -> Note:
    """_dollar: what `$` means where the text is printed."""
    main, exceptions = _parted(plain(text))
    found = [each for match in _SCALE.finditer(main) if (each := _statement(main, match))]
    unit = next((each.unit for each in found if each.unit), None)
    scale = next((each.scale for each in found if each.scale), None)
    counts = next((each.counts for each in found if each.counts), None)
    if not found and (abroad := note_abroad(main)):
        return Note(*abroad)
    if unit is None and (match := _ABROAD.search(main)):
        unit, scale = _abroad(match, scale)
    if unit is None and (match := _IN_CURRENCY.search(main)):
        unit = currency_of(match["currency"])
        scale = scale or (1 if match["said"] and not _PER_SHARE.search(main[: match.start()]) else None)
    names_counts = counts is not None
    if scale is not None and counts is None and unit is None and _holds_for_all(found):
        counts = scale
    if exceptions and scale is not None and (excepted := _excepted(exceptions)):
        counts, names_counts = excepted, True
    return Note(unit, scale, counts, names_counts)


def _parted(text: str) -> tuple[str, str]:
    """A note and what it leaves out, which is said behind it, in front of it (`unless stated otherwise, amounts are in
    millions`) or in the midst of it (`dollar amounts, except per share amounts, in millions`)."""
    inside = _EXCEPT_INSIDE.search(text)
    if inside is not None and _SCALE.search(text, 0, inside.start()):
        inside = None  # `in millions, except per share amounts, shares in thousands`: all behind it is left out
    if inside := inside or _EXCEPT_BEFORE.match(text):
        return f"{text[: inside.start()]} {text[inside.end() :]}".strip(), inside[0]
    cut = _EXCEPT.search(text)
    return (text[: cut.start()], text[cut.end() :]) if cut else (text, "")


def excepted_scale(label: str, note: str) -> int | None:
    """The scale of a label that has the words of something but shares that a note on the scale of a table leaves out: 1
    for `Average revenue per paying member` under `(in thousands, except revenue per member)`, else what the note says
    of it, `except average loans in billions`; None for any other label."""
    names, scale = _excepted_names(note)
    return scale if names and any(name <= _stems(plain(label)) for name in names) else None


@lru_cache(maxsize=1024)
def _excepted_names(note: str) -> tuple[tuple[frozenset[str], ...], int]:
    """The words of what a note leaves out, and its scale; one word alone (`employee data`) is left, as it names other
    lines too."""
    exceptions = _parted(plain(in_english(note)))[1]
    scales = (said.scale for each in _SCALE.finditer(exceptions) if (said := _statement(exceptions, each)))
    found = (_stems(each) - _NO_NAMES for each in _EACH.split(exceptions.partition(" which ")[0]))
    names = tuple(words for words in found if len(words) > 1 and not words & _OF_SHARES)
    return names, next(filter(None, scales), 1)


def _stems(text: str) -> frozenset[str]:
    return frozenset(word.rstrip("s") for word in _ANY_WORD.findall(text))


def _abroad(match: re.Match[str], scale: int | None) -> tuple[str | None, int | None]:
    """The currency and the scale of a note as other countries print it. scale: that is found so far."""
    printed = match["before"] or match["of"] or match["named"] or match["code"]
    word = match["word"]
    if word is None:
        return currency_of(printed), OF_MONEY[match["money"] or match["short"]]
    if printed or match["lead"]:
        return (currency_of(printed) if printed else None), SCALES[word]
    return None, scale


def _holds_for_all(found: list[Note]) -> bool:
    return len(found) == 1 or all(each.scale == found[0].scale for each in found)


def _excepted(exceptions: str) -> int | None:
    """The scale of counts that a note leaves out, `except number of shares, which are in thousands`; None where it
    leaves out none."""
    left_out = _EXCEPT_COUNTS.search(exceptions)
    if not left_out:
        return None
    for match in _SCALE.finditer(exceptions):
        if (said := _statement(exceptions, match)) and (said.counts or said.scale):
            return said.counts or said.scale
    return 1


def _statement(text: str, match: re.Match[str]) -> Note | None:
    """What one scale word says, with its currency or the thing counted; None where it belongs to an amount."""
    first = max(0, match.start() - _NEAR)
    before = ("…" if first else "") + text[first : match.start()]  # bounded, so that a long text takes no longer
    if _OF_AN_AMOUNT.search(before) and not _GLYPH_BEFORE.search(before):
        return None
    subject = _SUBJECT.search(before)
    currency = (subject["currency"] or subject["inner"]) if subject else None
    counted = subject["counted"] if subject else None
    behind = _OF_CURRENCY.match(text, match.end())
    if not currency and behind:
        currency = behind["currency"]
    led = bool(subject and subject["lead"])
    if match["short"] and not (subject and (subject["inner"] or subject["currency"])) and not (led and behind):
        return None
    if match["zeros"] and not (currency or led or before == ""):
        return None
    if match["word"] and not (match["plural"] or currency or led):
        return None
    scale = 10**3 if match["short"] == "mil" and currency == "r$" else _scale(match)  # `R$ mil` are thousands
    if counted or (not currency and _OF_COUNTED.match(text, match.end())):
        also = _ALSO_MONEY.search(before[: subject.end("counted")]) if subject and counted else None
        return Note(currency_of(also["currency"] or "") if also else None, scale if also else None, scale)
    others = subject and subject["currency"] and _ALSO_COUNTED.search(before[: subject.start("currency")])
    others = others or (behind and _AND_COUNTED.match(text, behind.end()))  # `thousands of dollars and shares`
    return Note(currency_of(currency) if currency else None, scale, scale if others else None)


def _scale(match: re.Match[str]) -> int:
    if match["word"]:
        return SCALE_WORDS[match["word"]]
    return 10**3 if match["zeros"] else _SHORT[match["short"]]


def introduced_note(sentence: str) -> tuple[Note, str]:
    """The note in the words before a table, and how it is printed, in lower case; an empty note and "" for none."""
    found, printed = NO_NOTE, ""
    lower = in_english(plain(sentence))
    for match in _INTRODUCED.finditer(lower):  # the last one is the nearest to the table
        said = read_note(match["inside"] or match[0])
        if match["inside"] and _OF_SHARES_ALONE.search(lower, max(0, match.start() - _NEAR), match.end()):
            said = replace(said, scale=None)
        if said.scale or said.counts:
            found, printed = said, match["inside"] or match[0]
    return (found, printed) if found else _line_of_note(sentence)


def _line_of_note(sentence: str) -> tuple[Note, str]:
    """The note that a short line of its own among those in front of a table is, `EUR million`, or that one ends in:
    `Income statement in T€`."""
    lines = _BROKEN.sub(r"\1. ", in_english(plain(sentence))).split(" . ")
    for line in reversed(lines[-_LAST_LINES:]):
        end = _AT_END.search(line) if len(line) > _SHORT_LINE else None
        line = end[1] if end else line
        if len(line) <= _SHORT_LINE and may_note(line) and (said := read_note(line)).unit and (said.scale or 1) > 1:
            return said, line
    return NO_NOTE, ""
