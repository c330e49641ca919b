"""Names of places and what is no name of a part of a company: the words by which parts are told from line items."""

from __future__ import annotations

from tieout.data.printed.pattern import later

_COUNTRIES = (
    "argentina australia austria belgium brazil canada chile china colombia czechia denmark egypt finland france"
    " germany greece hungary india indonesia ireland israel italy japan korea luxembourg malaysia mexico netherlands"
    " norway peru philippines poland portugal romania russia singapore spain sweden switzerland taiwan thailand turkey"
    " türkiye ukraine vietnam bermuda nigeria kenya ghana tanzania pakistan"
)
_NAMED = (
    "united states|u.s.|u.s|us|usa|united states of america|domestic|foreign|international|non-u.s.|outside u.s."
    "|outside the united states|united kingdom|u.k.|uk|great britain|hong kong|new zealand|south africa|south korea"
    "|saudi arabia|united arab emirates|puerto rico|greater china|mainland china|people's republic of china|prc"
    "|north america|south america|latin america|central america|americas|the americas|other americas|europe"
    "|western europe|eastern europe|european union|asia|asia pacific|asia-pacific|asia/pacific|apac|emea|africa"
    "|middle east|middle east and africa|middle east & africa|europe, middle east & africa"
    "|europe, middle east and africa|europe, the middle east and africa|rest of asia pacific|rest of world"
    "|rest of the world|row|rest of europe|other international|other foreign|oceania|pacific|caribbean|scandinavia"
)
PLACES = frozenset((*_COUNTRIES.split(), *_NAMED.split("|")))
# What stands beside parts and is one only there.
REST = later(
    r"(?:all )?other(?: (?:countries|regions|segments?|markets|foreign countries|international|areas|revenues?|sales))?"
    r"|corporate(?: (?:and|&) (?:all )?other| items?| and eliminations)?|unallocated(?: corporate)?|corporate/other"
    r"|(?:inter-?segment |intercompany |consolidating )?eliminations?(?:[/ ].*| and other)?|reconcil\w+.*"
)
ELIMINATION = later(r"eliminat|reconcil|reclass")
# A line item, not a part: its amounts may add up too.
_ITEM = later(
    r"\b(?:expenses?|incomes?|loss(?:es)?|depreciation|amortization|interest|tax(?:es)?|costs?|assets?|liabilit\w+|"
    r"gains?|compensation|charges?|impairments?|earnings|profits?|adjust\w+|reconcil\w+|less|plus|net|cash|"
    r"receivables?|payables?|goodwill|expenditures?|restructuring|acquisitions?|acquired|dispos\w+|divest\w+|"
    r"translation|balance|currency|provisions?|accru\w+|inventor\w+|prepaid|debt|loans?|notes?|borrowings?|leases?|"
    r"equity|stock|shares?|options?|dividends?|payments?|proceeds|deferred|benefits?|plans?|federal|state|"
    r"third[- ]part(?:y|ies)|inter-?segment|related part\w+|external|customers?|affiliates?|years?|months?|days?|level"
    r"|change[sd]?|increase|decrease|effects?|amounts?|percent\w*|ratio|margin|ebitda?\w*|as reported|pro forma|"
    r"restated|historical|gaap|non-gaap|current|noncurrent|non-current|number|per|thereafter|prior|unrealized|"
    r"realized|carrying|fair value|book value|gross|weighted|average|minimum|maximum|high|low|quarter|shipments|"
    r"securities|bonds|funds|derivatives?|contracts?|swaps?|forwards?|hedg\w+|trademarks?|patents?|land|buildings?|"
    r"furniture|fixtures|construction in progress|improvements?|machinery|raw materials|work in process|"
    r"finished goods|salar\w+|wages|fees|rent|(?:sales|selling) (?:and|&) marketing|research (?:and|&) development|"
    r"selling, general|(?:general|selling) (?:and|&) administrative|"
    r"treasur\w+|paid-in|retained|comprehensive|noncontrolling|attributable|parent|authorized|issued|outstanding|"
    r"employee\w*|headcount|vested|granted|exercised|forfeited|expired|remaining|obligations?)\b"
)
_REVENUE = later(r"[ -](?:net )?(?:revenues?|sales)$")


def bare_name(name: str) -> str:
    """The name of a part without the words that only say what is measured: `freight revenues` is `freight`."""
    return _REVENUE.sub("", name.removesuffix(" segment").removesuffix(" segments").strip(" :.")).strip(" .")


def is_item(name: str) -> bool:
    """Whether a name in lower case is that of a line item, or says nothing."""
    return not any(map(str.isalpha, name)) or bool(_ITEM.search(name))
