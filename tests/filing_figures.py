"""The figures of an invented company's three fiscal years, in millions, which add up as those of a real one do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

Years = tuple[int, ...]  # one figure for each year, the latest first


@dataclass(frozen=True)
class Company:
    """A company that does not exist. ended: the last day of its latest fiscal year. sales: of its two lines, by year.

    seed: shifts its other figures, so that two companies differ.
    """

    name: str
    ended: date
    equipment: Years
    services: Years
    seed: int = 0

    @property
    def years(self) -> Years:
        """The three fiscal years, the latest first."""
        return tuple(self.ended.year - back for back in range(3))


def _of(values: Sequence[int], share: float, shift: int = 0) -> Years:
    return tuple(round(value * share) + shift * (2 - at) for at, value in enumerate(values))


def _sum(*parts: Years) -> Years:
    return tuple(map(sum, zip(*parts, strict=True)))


def _less(one: Years, *others: Years) -> Years:
    return tuple(first - sum(rest) for first, *rest in zip(one, *others, strict=True))


def _minus(values: Years) -> Years:
    return tuple(-value for value in values)


@dataclass
class Figures:
    """All that is printed of a company, by name; balances are of the ends of the years."""

    company: Company
    of: dict[str, Years] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._income()
        self._balance()
        self._cash_flows()

    def __getitem__(self, name: str) -> Years:
        return self.of[name]

    def _income(self) -> None:
        company, of = self.company, self.of
        of["equipment"], of["services"] = company.equipment, company.services
        of["sales"] = _sum(of["equipment"], of["services"])
        of["cost of equipment"] = _of(of["equipment"], 0.612, 3 + company.seed)
        of["cost of services"] = _of(of["services"], 0.447, 2)
        of["cost"] = _sum(of["cost of equipment"], of["cost of services"])
        of["gross profit"] = _less(of["sales"], of["cost"])
        of["research"] = _of(of["sales"], 0.071, -2)
        of["selling"] = _of(of["sales"], 0.148, 4 - company.seed)
        of["restructuring"] = (14 + company.seed, 0, 31)
        of["operating expenses"] = _sum(of["research"], of["selling"], of["restructuring"])
        of["operating income"] = _less(of["gross profit"], of["operating expenses"])
        of["interest"] = (-38, -35 - company.seed, -29)
        of["other"] = (6, -4, 3)
        of["pretax"] = _sum(of["operating income"], of["interest"], of["other"])
        of["current tax"], of["deferred tax"] = _of(of["pretax"], 0.238), (-7, -11, 5)
        of["tax"] = _sum(of["current tax"], of["deferred tax"])
        of["net income"] = _less(of["pretax"], of["tax"])
        of["shares"] = (142, 145, 149)
        of["diluted shares"] = (144, 147, 151)
        of["other comprehensive"] = (-12, 9, -17)

    def _balance(self) -> None:
        of, seed = self.of, self.company.seed
        of["receivables"] = _of(of["sales"], 0.153, 1)
        of["raw materials"] = _of(of["cost"], 0.061, 2)
        of["work in process"] = _of(of["cost"], 0.033, 1)
        of["finished goods"] = _of(of["cost"], 0.075, -2)
        of["inventories"] = _sum(of["raw materials"], of["work in process"], of["finished goods"])
        of["prepaid"] = (87, 79, 74 + seed)
        of["goodwill"] = (912, 845, 851)
        of["intangibles"] = (318, 301, 344)
        of["payables"] = _of(of["cost"], 0.127, 4)
        of["accrued"] = (268, 251 + seed, 246)
        of["current debt"] = (75, 0, 50)
        of["debt"] = (875, 950, 800)
        of["other liabilities"] = (163, 171, 158)
        of["depreciation"] = _of(of["sales"], 0.036, 1)
        of["amortization"] = (46, 43, 47)
        of["capital expenditures"] = _of(of["sales"], 0.047, -3)
        of["gross property"] = (1489 + seed, 1391, 1309)
        of["accumulated"] = (-748, -689, -634)
        of["property"] = _sum(of["gross property"], of["accumulated"])

    def _cash_flows(self) -> None:
        of = self.of
        of["compensation"] = _of(of["sales"], 0.012)
        for name, sign in (("receivables", -1), ("inventories", -1), ("payables", 1)):
            latest = of[name]
            of[f"change in {name}"] = (sign * (latest[0] - latest[1]), sign * (latest[1] - latest[2]), -19 * sign)
        of["other operating"] = (-21, 13, -8)
        of["operating cash"] = _sum(
            *(of[name] for name in ("net income", "depreciation", "amortization", "compensation", "deferred tax")),
            *(of[f"change in {name}"] for name in ("receivables", "inventories", "payables")),
            of["other operating"],
        )
        of["acquisitions"] = (-118, 0, -64)
        of["other investing"] = (4, -9, 2)
        of["investing cash"] = _sum(_minus(of["capital expenditures"]), of["acquisitions"], of["other investing"])
        of["borrowed"], of["repaid"] = (0, 150, 0), (0, -50, -25)
        of["dividends"] = (-97, -89, -82)
        of["repurchases"] = (-185, -160, -120 - self.company.seed)
        of["issued"] = (22, 18, 15)
        of["financing cash"] = _sum(
            *(of[name] for name in ("borrowed", "repaid", "dividends", "repurchases", "issued"))
        )
        of["exchange"] = (-5, 3, -6)
        of["cash change"] = _sum(of["operating cash"], of["investing cash"], of["financing cash"], of["exchange"])
        before = 402
        ends: list[int] = []
        for change in reversed(of["cash change"]):
            before += change
            ends.insert(0, before)
        of["cash"] = tuple(ends)
        of["cash before"] = (*ends[1:], 402)
        self._equity()

    def _equity(self) -> None:
        of = self.of
        of["common stock"] = (15, 15, 15)
        paid, retained, other = [1040], [1210], [-148]
        for at in (2, 1, 0):
            paid.insert(0, paid[0] + of["compensation"][at] + of["issued"][at])
            retained.insert(0, retained[0] + of["net income"][at] + of["dividends"][at] + of["repurchases"][at])
            other.insert(0, other[0] + of["other comprehensive"][at])
        of["paid-in"], of["retained"], of["accumulated other"] = tuple(paid), tuple(retained), tuple(other)
        of["equity"] = _sum(of["common stock"], tuple(paid[:3]), tuple(retained[:3]), tuple(other[:3]))
        of["current liabilities"] = _sum(of["payables"], of["accrued"], of["current debt"])
        of["liabilities"] = _sum(of["current liabilities"], of["debt"], of["other liabilities"])
        of["total"] = _sum(of["liabilities"], of["equity"])
        of["current assets"] = _sum(of["cash"], of["receivables"], of["inventories"], of["prepaid"])
        of["other assets"] = _less(of["total"], of["current assets"], of["property"], of["goodwill"], of["intangibles"])
