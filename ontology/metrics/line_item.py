"""The line items of financial statements: how people ask for them, how reports print them, how taxonomies name them.

They are data: `line_items/income.toml` has those of the income statement, `balance.toml` those of the balance sheet,
and so on. Knowledge of the trade, not of any report. What an entry may say is what `LineItem` holds; what is left out
is as its default says. A total that a statement need not print has a formula of its name in `metrics.toml`: its parts.
Ways to print a label that differ only in words that say the same are in `printed.toml`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from tieout.data.printed.languages.language import ENGLISH, current_language, in_english, is_reading, reading_language
from tieout.data.printed.pattern import later
from tieout.data.system.compile_cache import read_toml
from tieout.ontology.labels.label import kept, normalise, words_of_tag
from tieout.ontology.labels.lexicon import lexicon
from tieout.ontology.metrics.forms import formed
from tieout.ontology.metrics.house import house_lines, lines_mark

# In a normalised label: the words behind `attributable to shareholder` that say of which company.
_OWNER = later(r"(?<=\battributable to (?:share|stock))(owner|holder) of .+$")
# What is left to the owners of a company that a label names: `net income attributable to medtronic`.
_OWNED = later(
    r"^(?:total )?(?:consolidated )?(?P<what>net (?:income|earning|loss|profit)|profit|earning|comprehensive income"
    r"|comprehensive earning|comprehensive loss)"
    r" attributable to (?!.*\b(?:interest|minority|nci|participating|preferred|unvested|(?:dis)?continu(?:ed|ing))\b)"
    r"(?P<whom>.+)$"
)
# A total that names the company: `total medtronic shareholder equity`.
_EQUITY_OF = later(
    r"^total (?!.*\b(?:and|of|other|common|preferred|noncontrolling|redeemable|average)\b)"
    r"(?!.*\b(?:asset|liability|debt|less|minus|plus|over|to|by|per|divided)\b)"  # with which equity is calculated
    r".+ (?P<what>(?:share|stock)(?:holder|owner) (?:equity|investment))$"
)
_ALLOWANCE = later(r" (?:(?:at cost )?(?:less|net of) (?:allowance|reserve|accumulated)|included(?! in\b))\b.*$")
# Capital with what its shares are: `common stock par value share authorized share issued`.
_CAPITAL_STOCK = later(
    r"^(?P<what>common stock|common share|ordinary share|preferred stock|preferred share)"
    r"(?P<more> and additional paid in capital)? "
    r"(?:(?:no|without|at) )?(?:par|stated|nominal|of each|share authorized|authorized)\b"
    r".*?(?P<behind> and (?:additional paid in capital|(?:capital|amount) in excess of par value))?$"
)
# An average of shares, whatever it is used for: `weighted average share used in computing net loss per share basic`.
_AVERAGE_SHARES = later(
    r"^(?!.*\b(?:price|value|grant\w*|granted|term|life|dilutive|potential\w*|antidilutive|excluded|paid"
    r"|repurchased|divided)\b)"
    r"(?=.*\baverage\b)(?=.*\b(?:share|stock)\b)(?:(?:basic|diluted|and|denominator|for|net (?:income|loss)) )*"
    r"(?:weighted )?average (?:(?:number|of|common|ordinary|basic|diluted|and|share|stock)\b ?)+"
    r"(?:(?:outstanding|issued|used|count|in|for|as|at|per|class|before|after|pre|post|assuming|plus|adjusted)\b.*)?$"
)
# What is spent on property, however it is called: `investment in park resort and other property`.
_ON_PROPERTY = later(
    r"^(?:(?:cash )?(?:purchase|acquisition|addition|expenditure|payment|investment|spending|outlay)"
    r" (?:of|to|for|in|on)|payment to acquire) (?:(?!(?:business|security|investment|company|lease|operating|held|sale"
    r"|insurance|proceed|interest|rental|leased|affiliate|under|other than|deposit|net of)\b)[a-z]+ ){0,8}"
    r"(?:property|equipment|plant|premise)(?: net)?$"
)
# Paid to the tax office for shares that employees do not get: `repurchase of share to pay employee with holding tax`.
_TAX_ON_AWARDS = later(
    r"^(?=.*\b(?:share|stock|rsu|restricted|equity|award)\b)(?=.*\btax\b)"
    r"(?=.*\b(?:with held|with holding|net settlement)\b)"
)
# Both sides of a balance sheet: `total liability and capitalization`, `total capitalization and liability`.
_BOTH_SIDES = later(
    r"^total (?:liability (?:(?!over|minus|less|plus|to\b)\w+ )*and"
    r" (?:(?!mezzanine|temporary|redeemable|over|minus|less|plus|to\b)\w+ )*"
    r"(?:equity|capitalization|capital|investment|deficit|deficiency)|capitalization and liability)$"
)
_IN_MONEY = later(r" (?:in|en|i) (?:eur|euro|chf|dkk|sek|nok|kr|usd|gbp)$")
LINE_ITEMS = Path(__file__).with_name("line_items")
ABROAD = Path(__file__).with_name("abroad")  # labels in other languages: a file for each, by the name of the item
FORM_RANK = 10  # of what has a form of `printed.toml`
MAIN_STATEMENTS = ("income", "balance", "cash flow")
STATEMENTS = (*MAIN_STATEMENTS, "equity", "note")  # in the order in which a label is looked for


@dataclass(frozen=True, slots=True)
class LineItem:
    """One line of a statement, in any report.

    name: as formulas call it. statement: `income`, `balance`, `cash flow`, `equity` or `note`. labels: the most telling
    first. concepts: prefixed names of the US-GAAP and IFRS taxonomies in the order in which they are preferred: the
    first that a filing states is this line. unit: `shares`, `percent`, `per share` or `count`, "" for an amount of
    money. is_instant: it is of a day (a balance) and not of a span of time. sign: `spent` for what people say without
    a sign, however it is printed; `positive` for what is never below nothing; `outflow` for what rises where cash flows
    out, as inventories do; `either` for gains that stand among losses, whose sub-heading may say which of them is above
    zero; "" for what may be either by itself. qualifiers: words, as in `qualifiers.toml`, that make it another measure
    than one without them. under, not_under: beginnings of sub-headings that tell it from a line of equal name. prefer:
    words of the line that is meant where a statement has several lines of these labels. part_of, parted: the item that
    it is a part of, and the labels of a line that is it where that line and those beside it add up to that item. less:
    the item that a line of it that says `net` may be without. net_of: the item of the line that is taken off it, where
    what is left stands below. ended: a pattern of labels, normalised, that end as it does. placed, above: the labels of
    a line that is it where it stands above the lines of these items, and none of its own names is printed. beside: a
    pattern of labels, normalised, of lines that each are a part of it where several stand beside each other.
    turned: those of the concepts that count the other way, as payments where what flows in is meant. inside: a pattern,
    normalised, of the words in the label of another line behind which it is told: `receivables, less allowances of $5`.
    """

    name: str
    statement: str
    labels: tuple[str, ...]
    concepts: tuple[str, ...]
    unit: str = ""
    is_instant: bool = False
    sign: str = ""
    qualifiers: frozenset[str] = frozenset()
    under: tuple[str, ...] = ()
    not_under: tuple[str, ...] = ()
    prefer: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    part_of: str = ""
    parted: tuple[str, ...] = ()
    less: str = ""
    net_of: str = ""
    ended: str = ""
    placed: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    beside: str = ""
    turned: tuple[str, ...] = ()
    inside: str = ""

    @property
    def spent(self) -> bool:
        """Whether people say it without a sign, however it is printed."""
        return self.sign == "spent"

    def is_preferred(self, label: str) -> bool:
        """Whether a printed label has the words of the line that is meant where several could be."""
        return any(words in label.lower() for words in self.prefer)

    def rank(self, label: str) -> int | None:
        """How well a printed label names it: 0 is the best, None not at all. Compared as `normalise` does."""
        return named_by(label).get(self.name)


def named_by(label: str) -> Mapping[str, int]:
    """The names of the line items that a printed label may be, with how well it names each: as all of them rank it."""
    return _named_by(normalise(label), reading_language())


@lru_cache(maxsize=1)
def line_items() -> Mapping[str, LineItem]:
    """All that are known, by name, statement after statement in the order of their files, with what a house adds.
    Raises MeasureError for a faulty file of the house."""
    found = {item.name: item for statement in STATEMENTS for item in _of_statement(statement)}
    for name, table in house_lines({*found}, STATEMENTS).items():
        known = found.get(name)
        if known is None:
            found[name] = _line_item(name, table["statement"], table)
        else:
            found[name] = replace(known, labels=(*known.labels, *table["labels"]))
    return found


def _of_statement(statement: str) -> Iterator[LineItem]:
    found = read_toml(LINE_ITEMS / f"{statement.replace(' ', '_')}.toml")
    for name, each in found.items():
        yield _line_item(name, statement, each)


def _line_item(name: str, statement: str, each: Mapping[str, Any]) -> LineItem:
    """One of a file. each: its table."""
    return LineItem(
        name,
        statement,
        tuple(each["labels"]),
        tuple(each["concepts"]),
        each.get("unit", ""),
        each.get("is_instant", statement == "balance"),
        each.get("sign", ""),
        frozenset(each.get("qualifiers", ())),
        tuple(each.get("under", ())),
        tuple(each.get("not_under", ())),
        tuple(each.get("prefer", ())),
        tuple(each.get("said", ())),
        each.get("part_of", ""),
        tuple(each.get("parted", ())),
        each.get("less", ""),
        each.get("net_of", ""),
        each.get("ended", ""),
        tuple(each.get("placed", ())),
        tuple(each.get("above", ())),
        each.get("beside", ""),
        tuple(each.get("turned", ())),
        each.get("inside", ""),
    )


@lru_cache(maxsize=50_000)
def _plainer(words: str, language: str) -> str:
    """`equity attributable to shareowner of the x company` without whose equity it is; `account receivable less
    allowance` without what is taken off, `deposit included at fair value` without what is in it."""
    plain = words.replace("non controlling", "noncontrolling")  # a pattern is asked where a word of it is there
    if "attributable" in plain:
        plain = _OWNER.sub(r"\1", plain)
    if "less" in plain or "net of" in plain or "included" in plain:
        plain = _ALLOWANCE.sub("", plain)
    if "attributable" in plain and (owned := _OWNED.match(plain)):
        what = "comprehensive income" if "comprehensive" in owned["what"] else "net income"
        plain = f"{what} attributable to {'common shareholder' if 'common' in owned['whom'] else 'the company'}"
    if plain.startswith("total"):
        plain = _EQUITY_OF.sub(r"total \g<what>", _BOTH_SIDES.sub("total liability and equity", plain))
    if plain.startswith(("common", "ordinary", "preferred")) and (stock := _CAPITAL_STOCK.match(plain)):
        plain = f"{stock['what'].replace('common share', 'common stock')}{stock['more'] or stock['behind'] or ''}"
    if plain.removesuffix(" net").endswith(("property", "equipment", "plant", "premise")) and _ON_PROPERTY.match(plain):
        plain = "purchase of property and equipment"
    if "tax" in plain and _TAX_ON_AWARDS.match(plain):
        plain = f"{'repurchase' if 'repurchase' in plain else 'payment'} for tax on share based award"
    if "average" in plain and _AVERAGE_SHARES.match(plain):
        plain = " ".join(("weighted average share", *_of_shares(plain)))
    return plain if language == ENGLISH else _IN_MONEY.sub("", plain)


def _of_shares(words: str) -> Iterator[str]:
    """How an average of shares is taken, in one order: `basic`, `diluted`, `basic and diluted`."""
    said = [kind for kind, sign in (("basic", "basic"), ("diluted", "dilut")) if sign in words]
    yield from (" and ".join(said),) if said else ()


@lru_cache(maxsize=20_000)
def _named_by(words: str, language: str) -> Mapping[str, int]:
    found = dict[str, int]()
    for said in dict.fromkeys((_plainer(words, language or ENGLISH), words)):
        found |= {name: min(len(line_items()[name].labels), FORM_RANK) for name in formed(said)}
        found |= _by_words(language).get(said, {})
    return found


def _kept(make: Callable[..., dict[str, Any]]) -> Callable[..., Mapping[str, Any]]:
    """A table that is made of the labels of all items, in a language, is kept for the next process."""
    return cache(lambda *of: kept(f"{make.__name__} {of} {lines_mark()}", lambda: make(*of)))


@_kept
def _by_words(language: str) -> dict[str, dict[str, int]]:
    """By the labels of all items in English and in this language, in all of them for "", as normalised, the names of
    those that each is of, with its rank among theirs."""
    languages = [language] if language else _languages()
    found: dict[str, dict[str, int]] = {}
    for name, item in line_items().items():
        for labels in (item.labels, *(labels_in(each).get(name, ()) for each in languages)):
            for rank, label in enumerate(labels):
                found.setdefault(normalise(label), {}).setdefault(name, rank)
    return found


@_kept
def _by_label(language: str) -> dict[str, str]:
    """The items by their labels, in a report in this language: its own labels go before the English ones.

    Of an item that shares a label with another, the one that has it nearer to the front.
    """
    return _nearest({name: item.labels for name, item in line_items().items()}) | _nearest(labels_in(language))


@_kept
def _by_concept() -> dict[str, str]:
    """The items by the words of a concept's own name: `contract with customer liability`."""
    found: dict[str, str] = {}
    for name, item in line_items().items():
        for concept in item.concepts:
            found.setdefault(normalise(words_of_tag(concept)), name)
    return found


@_kept
def _elsewhere() -> dict[str, str]:
    """The items by their labels in all languages but English, for words of which no language is known."""
    found: dict[str, str] = {}
    for language in _languages():
        for label, name in _nearest(labels_in(language)).items():
            found.setdefault(label, name)
    return found


def _nearest(labels: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The name that has a label nearest to the front, by label."""
    best: dict[str, tuple[int, str]] = {}
    for name, every in labels.items():
        for rank, label in enumerate(map(normalise, every)):
            if label not in best or rank < best[label][0]:
                best[label] = rank, name
    return {label: name for label, (_, name) in best.items()}


@cache
def labels_in(language: str) -> Mapping[str, Sequence[str]]:
    """The labels in a language, by the names of their items; none in English, which are those of the items."""
    path = ABROAD / f"{language}.toml"
    return read_toml(path) if path.exists() else {}


@cache
def _languages() -> Sequence[str]:
    return sorted(path.stem for path in ABROAD.glob("*.toml"))


def english_name(label: str) -> str:
    """The name of the line item that a label in a report in another language is of, as English reports print it; "" for
    none, and in an English report, where every label is as it is."""
    item = find_line_item(label) if current_language() != ENGLISH else None
    return item.labels[0] if item else ""


def english_label(label: str) -> str:
    """The same; where it is of no line item the label itself, with what of it is known in English."""
    return english_name(label) or in_english(label)


def is_tag_of(name: str, words: str) -> bool:
    """Whether words are the name of a tag of a line item, word by word."""
    return _by_concept().get(normalise(words)) == name


def find_line_item(words: str, *, is_asked: bool = False) -> LineItem | None:
    """The line item that these words name, spelling and number aside; None where none has such a label.

    In English and in the language of the report that is read now; where none is, in every language that is known, but
    of words that somebody asks with, `is_asked`.
    """
    name = _name_of(words, current_language(), is_asked or is_reading())
    return None if name is None else line_items()[name]


@lru_cache(maxsize=50_000)
def _name_of(label: str, language: str, is_known: bool) -> str | None:
    """The name of the line item that a label is in a language, or in any unless it is known that it is in this one."""
    plain = normalise(label)
    name = _called(plain, language) or _called(_plainer(plain, language), language)
    if name is None and not is_known and not lexicon().vocabulary.issuperset(plain.split()):
        name = _elsewhere().get(plain)  # `stocks` and `clients` are English, whatever they are in French
    return name


def _called(words: str, language: str) -> str | None:
    """The name of the line item that has such a label, normalised, else a form of it, else a concept of these words."""
    return _by_label(language).get(words) or next(iter(formed(words)), None) or _by_concept().get(words)
