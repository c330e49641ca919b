"""The currency that a report says its figures are in: `expressed in thousands of Canadian dollars`, `$ means ...`.

It is what a bare `$` means there. Of a report that says nothing, what it is filed as tells: companies of the United
States report in their dollars (Regulation S-X, Rule 3-20), on forms that others hardly use. Without a cover, what is
foreign to it tells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tieout.data.document import Document
from tieout.data.printed.note import currency_of
from tieout.data.printed.pattern import later
from tieout.data.printed.unit import DOLLARS, SOME_DOLLAR

_NAME = (
    r"(?P<name>(?:u\.s\.|us|united states|canadian|australian|new zealand|hong kong|singapore|new taiwan) dollars?"
    r"|u\.s\. ?\$|us\$|c\$|cdn\$|a\$|nz\$|hk\$|s\$|nt\$|euros?|pounds sterling|renminbi|rmb|japanese yen|swiss francs)"
)
_STATED = later(
    r"\b(?:expressed|stated|presented|reported|denominated|amounts(?: are)?|figures(?: are)?|dollars)\b[^.;]{0,30}?"
    rf"\bin (?:the )?(?:(?:thousands|millions|billions) of )?{_NAME}"
    rf"|\b(?:presentation|reporting) currency\b[^.;]{{0,80}}?\b(?:is|are) (?:the )?{_NAME.replace('name', 'own')}"
    rf"|\$(?:”|\"|’|'|\))?(?: or [“\"]?dollars?[”\"]?)?,? (?:are|is|refers?|means?|represents?)(?: to)? (?:the )?"
    rf"{_NAME.replace('name', 'sign')}"
)
_FOR_ALL = later(
    r"\b(?:unless|except|otherwise|throughout|all (?:dollar |monetary )?(?:amounts|figures|references)|references?|"
    r"(?:presentation|reporting) currency|this (?:annual |quarterly )?report|financial statements)\b"
)
_AMERICAN_FORM = later(r"(?:10-[kq]|8-k|11-k|def 14a|s-[1-8])\b")
_AMERICAN = later(
    r"\bu\.s\. ?\$|\bus\$|\b(?:u\.?s\.?|united states|american)[ -]dollars?\b|\busd\b"
    r"|\bforms? 10-?[kq](?:sb)?\b|\bstate or other jurisdiction of incorporation\b"
    r"|\((?:nyse|nasdaq)\b[^():]{0,30}: ?[a-z]"  # `(NYSE: ABC)`, as releases name whose shares are listed there
    # To whom all but the United States is foreign: rows of what it earned or is taxed, maybe with the states between.
    r"|(?:^|\n)(?:u\. ?s\.|united states)(?: federal)?\n(?:state\b[^\n]*\n)?(?:foreign|non-u\.s\.)(?=[ \n]|$)"
)
_SPACED = later(r"\b[uU] ?\. ?[sS] ?\.")  # as texts print it whose words were taken apart: `u.s . dollars`
_CAPITALS = later(r"\bUS (?=\$)")  # in small letters `it cost us $ 5` says nothing of the United States
_OTHER = later(r"\bforms? (?:20-?f|40-?f|6-?k)\b|(?<![a-z.])(?:c|ca|cad|cdn|can|a|au|aud|nz|hk|s|sg|nt)\$(?! ?[a-z])")
_SHORT = 120  # letters of a line that says it of a statement: `(Expressed in Canadian dollars)`
_LONGEST = 1_000  # letters of a paragraph that says it of the report
_LEAST_SHARE = 0.9  # of the amounts of money that are tagged


def stated_currency(document: Document) -> str:
    """The ISO 4217 code that a report says its figures are in, "" where it says none, or several as often."""
    if tagged := _tagged(document):
        return tagged
    found: Counter[str] = Counter()
    for paragraph in document.paragraphs:
        if len(paragraph) > _LONGEST:
            continue
        lower = _plain(paragraph)
        match = _STATED.search(lower) if "dollar" in lower or "currency" in lower or " in " in lower else None
        if match and (len(paragraph) <= _SHORT or _FOR_ALL.search(lower)):
            code = currency_of((match["name"] or match["own"] or match["sign"]).replace("u.s. $", "u.s.$"))
            found.update([code] if code else [])
    ranked = found.most_common(2)
    return ranked[0][0] if ranked and (len(ranked) == 1 or ranked[0][1] > ranked[1][1]) else ""


def dollar_of(document: Document, stated: str) -> str:
    """What a bare `$` means in a report: an ISO 4217 code, or `SOME_DOLLAR` where nothing tells.

    stated: the currency that it says its figures are in. Else it is filed on a form of companies of the United States,
    or names such a form, their dollars or a listing at one of their exchanges, or is at home there; and no other
    dollars.
    """
    if stated in DOLLARS:
        return stated
    if _AMERICAN_FORM.match(document.form.lower()):
        return "USD"
    is_american = False
    for text in _printed(document):
        lower = _plain(text)
        if ("dollar" in lower or "$" in lower or "form" in lower) and _OTHER.search(lower):
            return SOME_DOLLAR
        is_american = is_american or bool(_AMERICAN.search(lower))
    return "USD" if is_american else SOME_DOLLAR


def _plain(text: str) -> str:
    """A text in lower case, with the name of the United States in one piece."""
    if "$" in text or "." in text:
        text = _SPACED.sub("u.s.", _CAPITALS.sub("US", text))
    return text.lower()


def _printed(document: Document) -> Iterator[str]:
    yield from document.paragraphs
    for table in document.tables:
        yield table.title
        for row in table.rows:
            yield from row
        yield "\n".join(row[0].strip().rstrip(":") for row in table.rows if row)


def _tagged(document: Document) -> str:
    """The currency of the tags of a report, where they have one."""
    units = Counter(
        unit
        for tags in ([each.tag for each in document.tags], *([each.tag for each in t.tags] for t in document.tables))
        for tag in tags
        if (unit := tag.unit) and len(unit) == 3 and unit.isupper()
    )
    code, count = units.most_common(1)[0] if units else ("", 0)
    return code if count and count >= _LEAST_SHARE * units.total() else ""
