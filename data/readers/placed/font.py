"""How wide letters are: by the font that a page brings along (TrueType, OpenType, WOFF 1), else by the widths of the
fonts that every page may use.

Tables of fonts as ISO/IEC 14496-22 has them; the container as the W3C recommendation WOFF 1.0 has it.
"""

from __future__ import annotations

import base64
import binascii
import re
import struct
import tomllib
import unicodedata
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files

from tieout.data.printed.pattern import later

_DATA = later(r"data:[^,]{0,100};base64,([A-Za-z0-9+/=\s]+)")
_SERIF = later(r"times|serif|roman|georgia|garamond|minion|cambria|palatino|book", re.IGNORECASE)
_SANS = later(r"sans|arial|helvetica", re.IGNORECASE)
_BOLDER = 1.06  # of letters: digits are as wide in bold
_MOST_TABLE = 1 << 24  # bytes of one table of a font
_MOST_RUN = 1 << 16  # characters of one segment of a font's map


@dataclass(frozen=True, slots=True)
class Font:
    """widths: of letters, in parts of the size; other: of all others. ascent, descent: above and below the baseline."""

    widths: Mapping[int, float]
    other: float
    ascent: float = 0.9
    descent: float = 0.21

    def width(self, letter: str) -> float:
        """How wide a letter is, of the size."""
        found = self.widths.get(ord(letter))
        if found is None:
            plain = unicodedata.normalize("NFD", letter)[0]
            found = self.widths.get(ord(plain), self.other)
        return found


@lru_cache(maxsize=64)
def usual_font(family: str, bold: bool) -> Font:
    """The font of a family that the page does not bring along."""
    is_serif = not family or (bool(_SERIF.search(family)) and not _SANS.search(family))
    written = files("tieout.data.readers.placed").joinpath("widths.toml").read_text(encoding="utf-8")
    table = tomllib.loads(written)["serif" if is_serif else "sans"]
    widths = {ord(letter): width / 1000 for letters, width in table["widths"].items() for letter in letters}
    if bold:
        widths = {code: width * (_BOLDER if chr(code).isalpha() else 1) for code, width in widths.items()}
    return Font(widths, table["other"] / 1000, table["ascent"] / 1000, table["descent"] / 1000)


@dataclass(slots=True)
class Fonts:
    """The fonts that a page brings along, by their family, read when they are used."""

    sources: dict[str, str]
    read: dict[str, Font | None] = field(default_factory=dict)

    def font(self, family: str, bold: bool) -> Font:
        """The font of a list of families: the first that the page brings along, else a usual one."""
        for name in (each.strip(" \"'") for each in family.split(",")):
            if name in self.sources:
                if name not in self.read:
                    self.read[name] = read_font(self.sources[name])
                if found := self.read[name]:
                    return found
        return usual_font(family, bold)


def read_font(source: str) -> Font | None:
    """The font in the `src` of a `@font-face`; None for one that is elsewhere, compressed otherwise or damaged."""
    found = _DATA.search(source)
    if not found:
        return None
    try:
        tables = _tables(base64.b64decode(found[1]))
        units = struct.unpack_from(">H", tables["head"], 18)[0] or 1000
        ascent, descent = struct.unpack_from(">hh", tables["hhea"], 4)
        count = struct.unpack_from(">H", tables["hhea"], 34)[0]
        advances = [each[0] for each in struct.iter_unpack(">Hh", tables["hmtx"][: 4 * count])]
        if not advances:
            return None
        widths = {code: advances[min(glyph, count - 1)] / units for code, glyph in _glyphs(tables["cmap"]).items()}
    except (KeyError, struct.error, zlib.error, binascii.Error, IndexError):
        return None
    return Font(widths, 0.5, ascent / units, -descent / units)


def _tables(data: bytes) -> dict[str, bytes]:
    """The tables of a font by their tags."""
    if data[:4] == b"wOFF":
        count = struct.unpack_from(">H", data, 12)[0]
        entries = [struct.unpack_from(">4sIII", data, 44 + 20 * at) for at in range(count)]
        return {
            tag.decode("latin-1"): (
                zlib.decompressobj().decompress(data[start : start + packed], _MOST_TABLE)
                if packed < size
                else data[start : start + size]
            )
            for tag, start, packed, size in entries
        }
    count = struct.unpack_from(">H", data, 4)[0]
    found = [struct.unpack_from(">4sIII", data, 12 + 16 * at) for at in range(count)]
    return {tag.decode("latin-1"): data[start : start + size] for tag, _, start, size in found}


def _glyphs(cmap: bytes) -> dict[int, int]:
    """The glyph of each character."""
    count = struct.unpack_from(">H", cmap, 2)[0]
    found: dict[int, int] = {}
    for at in range(count):
        start = struct.unpack_from(">HHI", cmap, 4 + 8 * at)[2]
        kind = struct.unpack_from(">H", cmap, start)[0]
        if kind == 4:
            found |= _segments(cmap[start:])
        elif kind == 12:
            for group in range(struct.unpack_from(">I", cmap, start + 12)[0]):
                first, last, glyph = struct.unpack_from(">III", cmap, start + 16 + 12 * group)
                if last - first <= _MOST_RUN:
                    found |= {code: glyph + code - first for code in range(first, last + 1)}
    return found


def _segments(table: bytes) -> dict[int, int]:
    """Format 4 of a map: segments of characters with what their glyphs are off by."""
    count = struct.unpack_from(">H", table, 6)[0] // 2
    ends = struct.unpack_from(f">{count}H", table, 14)
    starts = struct.unpack_from(f">{count}H", table, 16 + 2 * count)
    deltas = struct.unpack_from(f">{count}H", table, 16 + 4 * count)
    place = 16 + 6 * count
    offsets = struct.unpack_from(f">{count}H", table, place)
    found: dict[int, int] = {}
    for at, (first, last, delta, offset) in enumerate(zip(starts, ends, deltas, offsets, strict=True)):
        for code in range(first, min(last, 0xFFFE) + 1):
            glyph = code
            if offset:
                here = place + 2 * at + offset + 2 * (code - first)
                glyph = struct.unpack_from(">H", table, here)[0] if here + 2 <= len(table) else 0
            if glyph or not offset:
                found[code] = (glyph + delta) & 0xFFFF
    return found
