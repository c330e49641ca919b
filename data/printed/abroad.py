"""What stands behind a number outside the United States: `1,204 crore`, `811,5 Mio. €`, `842 T€`, `25 €`.

>>> scale_abroad(" mio. € in 2024", 0), scale_abroad(" miles from here", 0), scale_abroad(" miles de euros", 0)
((1000000, 5), (1, 0), (1000, 6))
>>> sign_behind(" €, and", 0), sign_behind(" €5 million", 0)
(('EUR', 2), None)
"""

from __future__ import annotations

from tieout.data.printed.languages.language import current_language, language
from tieout.data.printed.languages.notes import currency_in_signs, scale_in_signs
from tieout.data.printed.pattern import later

SCALES = {
    "tsd": 10**3,
    "tausend": 10**3,
    "lakh": 10**5,
    "lac": 10**5,
    "mio": 10**6,
    "mln": 10**6,
    "millionen": 10**6,
    "millones": 10**6,
    "milioni": 10**6,
    "milhões": 10**6,
    "miljoen": 10**6,
    "crore": 10**7,
    "mrd": 10**9,
    "mld": 10**9,
    "milliarde": 10**9,
    "milliarden": 10**9,
    "milliard": 10**9,
    "miliardi": 10**9,
    "miliardo": 10**9,
    "bilhões": 10**9,
    "miljard": 10**9,
    "miljoner": 10**6,
    "millioner": 10**6,
    "miljarder": 10**9,
    "milliarder": 10**9,
    "mia": 10**9,
    "miles de millones": 10**9,
    "lakh crore": 10**12,
}
# Scales only where money is named behind them: `5 miles` is a way, `3 m` a length.
OF_MONEY = {
    "miles": 10**3,
    "mille": 10**3,
    "milliers": 10**3,
    "migliaia": 10**3,
    "milhares": 10**3,
    "duizend": 10**3,
    "t": 10**3,
    "k": 10**3,
    "m": 10**6,
    "md": 10**9,
    "mdr": 10**9,
    "cr": 10**7,
}
_MONEY = r"(?:€|£|(?:de |di |d['’])?(?:euros?|eur|chf|sek|nok|dkk|usd|reais|pesos|kr|kronor|kroner)\b)"
_SCALE = later(
    rf" ?(?:({'|'.join(sorted(SCALES, key=len, reverse=True))})s?\b(?:(?<=mio|mrd|tsd|mln|mld|mia)\.)?"
    rf"|({'|'.join(sorted(OF_MONEY, key=len, reverse=True))})(?= ?{_MONEY}))"
)
_FIRST_SIGN = "\u3000"  # of those of Chinese, Japanese and Korean
_CRORES = later(r" ?crs?\b")
_SIGNS = {"€": "EUR", "£": "GBP", "₹": "INR", "¥": "JPY", "euro": "EUR", "reais": "BRL"}
_SIGN = later(
    r" ?([€£₹¥])(?! ?[0-9]| ?(?:['’]?000|k|m|mn|bn|mio|mrd|thousand|million|billion|crore|lakh)s?\b)"
    r"|(eur|chf|sek|nok|dkk|usd|gbp)\b| (?:de |di |d['’])(euro|reais)s?\b| ?(kr|kronor|kroner)\b\.?"
)


def scale_abroad(text: str, at: int, is_money: bool = False) -> tuple[int, int]:
    """The scale stated right behind position `at` of lower-case `text`, and where it ends; 1 and `at` for none.

    is_money: a currency stands in front of the number, so that `cr` behind it is short for crore.
    """
    if text[at : at + 1] >= _FIRST_SIGN:
        return scale_in_signs(text, at)
    match = _SCALE.match(text, at)
    if match:
        return (SCALES[match[1]] if match[1] else OF_MONEY[match[2]]), match.end()
    if is_money and (crores := _CRORES.match(text, at)):
        return 10**7, crores.end()
    return 1, at


def sign_behind(text: str, at: int) -> tuple[str, int] | None:
    """The currency whose sign, or code without a space, stands right behind position `at` of lower-case `text`, and
    where that ends; None for none, and for a sign that belongs to the number behind it or to a note (`2024 €m`)."""
    if text[at : at + 1] >= _FIRST_SIGN:
        return currency_in_signs(text, at)
    match = _SIGN.match(text, at)
    if match is None:
        return None
    if match[4]:
        crowns = language(current_language()).crowns
        return (crowns, match.end()) if crowns else None
    return (match[2].upper() if match[2] else _SIGNS[match[1] or match[3]]), match.end()
