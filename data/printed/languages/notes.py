"""In what figures are, as notes of other languages say it; the words are in `notes.toml`.

>>> note_abroad("（単位：百万円）"), note_abroad("人民币千元"), note_abroad("belopp i mkr"), note_abroad("千株")
(('JPY', 1000000, None), ('CNY', 1000, None), (None, 1000000, None), (None, None, 1000))
"""

from __future__ import annotations

import re
from importlib.resources import files

from tieout.data.printed.pattern import later
from tieout.data.system.compile_cache import read_toml

_WRITTEN = read_toml(files("tieout.data.printed.languages").joinpath("notes.toml"))
_SCALES, _CURRENCIES, _WORDS = _WRITTEN["scales"], _WRITTEN["currencies"], _WRITTEN["words"]


def _any(names: dict[str, object]) -> str:
    return "|".join(sorted(map(re.escape, names), key=len, reverse=True))


_NOTE = later(
    rf"(?P<before>{_any(_CURRENCIES)})?(?<![0-9,.十百千万萬億亿])(?P<scale>{_any(_SCALES)})"
    rf"(?:(?P<behind>{_any(_CURRENCIES)})|(?P<shares>{_any(_WRITTEN['shares'])}))"
)
_WORD = later(rf"(?<![a-z0-9])(?:{_any(_WORDS)})(?![a-z])")
_MAY = later(r"[千万萬億亿천만억]|kr\b|kron|kroner|mdkk|duizend|miljoen")
Said = tuple[str | None, int | None, int | None]


_SCALE_BEHIND = later(_any(_SCALES))
_CURRENCY_BEHIND = later(_any(_CURRENCIES))


def scale_in_signs(text: str, at: int) -> tuple[int, int]:
    """The scale that Chinese, Japanese or Korean signs right behind position `at` state, and where it ends; 1 and `at`
    for none."""
    match = _SCALE_BEHIND.match(text, at)
    return (_SCALES[match[0]], match.end()) if match else (1, at)


def currency_in_signs(text: str, at: int) -> tuple[str, int] | None:
    """As scale_in_signs, the currency and where it ends; None for none."""
    match = _CURRENCY_BEHIND.match(text, at)
    return (_CURRENCIES[match[0]], match.end()) if match else None


def note_abroad(text: str) -> Said | None:
    """The currency, the scale of money and that of counts that a lower-case text notes; None for no note."""
    if not _MAY.search(text):
        return None
    if found := _NOTE.search(text):
        scale = _SCALES[found["scale"]]
        if found["shares"]:
            return None, None, scale
        return _CURRENCIES[found["before"] or found["behind"]], scale, None
    word = _WORD.search(text)
    return ("EUR" if "euro" in word[0] else None, _WORDS[word[0]], None) if word else None
