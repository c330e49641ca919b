"""The economy of an invented country, as the series in `data/series`: the same to the byte each time it is written.

python -m tieout.eval.series.invent FOLDER
"""

from __future__ import annotations

import csv
import json
import math
import random
import sys
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path

FIRST, LAST = 1984, 2023  # years
FIRST_DAY, LAST_DAY = date(2008, 1, 2), date(2023, 12, 29)
FALLS = {14: 3, 45: 2, 71: 4, 98: 6, 145: 4}  # quarters from the first: how many in a row real GDP falls
DIPS = (30, 60, 118, 131)  # quarters in which it falls alone: no recession
WEIGHTS = {"CPI food": 14.5, "CPI energy": 8.0}  # percent of the basket
INVERTED = ((date(2008, 1, 2), date(2008, 3, 20)), (date(2019, 8, 1), date(2019, 10, 9)), (date(2022, 7, 11), LAST_DAY))


def write(folder: Path) -> None:
    """Writes the series, the weights and the data package into folder."""
    folder.mkdir(parents=True, exist_ok=True)
    source = random.Random(1984)
    falling = {quarter + place for quarter, count in FALLS.items() for place in range(count)}
    _table(folder / "national_accounts.csv", ("quarter", "real_gdp", "potential_gdp"), _accounts(source, falling))
    months = list(_months(source, falling))
    _table(folder / "labour_and_rates.csv", ("month", "unemployment_rate", "policy_rate"), months)
    _table(folder / "prices.csv", ("date", "series", "value"), _prices(source, [rate for *_, rate in months]))
    _table(folder / "price_weights.csv", ("series", "weight"), WEIGHTS.items())
    columns = ("date", "yield_10y", "yield_2y", "break_even", "equity_index")
    _table(folder / "markets_daily.csv", columns, _markets(source))
    (folder / "datapackage.json").write_text(json.dumps(PACKAGE, indent=2) + "\n", encoding="utf-8")


def _table(path: Path, header: Sequence[str], rows: object) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)  # type: ignore[arg-type]


def _accounts(source: random.Random, falling: set[int]) -> Iterator[tuple[str, str, str]]:
    gdp, potential = 412.0, 409.0
    for quarter in range((LAST - FIRST + 1) * 4):
        if quarter:
            growth = 0.0092 + source.uniform(-0.005, 0.005)
            if quarter in falling:
                growth = -0.004 - source.uniform(0, 0.009)
            elif quarter in DIPS:
                growth = -0.001 - source.uniform(0, 0.002)
            gdp *= 1 + growth
            potential *= 1.0071
        yield f"{FIRST + quarter // 4}Q{quarter % 4 + 1}", f"{gdp:.3f}", f"{potential:.3f}"


def _months(source: random.Random, falling: set[int]) -> Iterator[tuple[str, float, float]]:
    unemployment, policy = 6.1, 8.5
    for month in range((LAST - FIRST + 1) * 12):
        slack = month // 3 in falling
        unemployment += (0.22 if slack else -0.035 * (unemployment - 4.4)) + source.uniform(-0.08, 0.08)
        target = 3.4 + 2.6 * math.sin(month / 41) + (6.5 - unemployment) * 0.6
        policy = max(0.1, policy + 0.08 * (target - policy) + source.uniform(-0.06, 0.06))
        yield f"{FIRST + month // 12}-{month % 12 + 1:02}", round(unemployment, 1), round(policy, 2)


def _prices(source: random.Random, policy: Sequence[float]) -> Iterator[tuple[str, str, str]]:
    food, energy, other = 92.0, 80.0, 96.0
    for month, rate in enumerate(policy):
        day = f"{FIRST + month // 12}-{month % 12 + 1:02}-01"
        base = 0.0013 + 0.00022 * rate
        food *= 1 + base + source.uniform(-0.003, 0.003)
        energy *= 1 + base + 0.012 * math.sin(month / 17) * source.random() + source.uniform(-0.012, 0.012)
        other *= 1 + base + source.uniform(-0.001, 0.001)
        share = {name: weight / 100 for name, weight in WEIGHTS.items()}
        index = food * share["CPI food"] + energy * share["CPI energy"] + other * (1 - sum(share.values()))
        for name, value in (("CPI all items", index), ("CPI energy", energy), ("CPI food", food)):
            yield day, name, f"{value:.2f}"


def _markets(source: random.Random) -> Iterator[tuple[str, str, str, str, str]]:
    long, spread, expected, equity = 4.1, 0.9, 2.2, 1000.0
    day = FIRST_DAY
    while day <= LAST_DAY:
        if day.weekday() < 5:
            inverted = any(first <= day <= last for first, last in INVERTED)
            long = max(0.4, long + 0.02 * (2.6 - long) * 0.2 + source.uniform(-0.05, 0.05))
            spread += 0.05 * ((-0.45 if inverted else 1.1) - spread) + source.uniform(-0.03, 0.03)
            spread = -abs(spread) - 0.01 if inverted else abs(spread) + 0.01
            expected += 0.02 * (2.1 - expected) + source.uniform(-0.03, 0.03)
            equity *= 1 + 0.0003 + source.uniform(-0.012, 0.012) - (0.002 if 2008 <= day.year < 2009 else 0)
            holiday = (day.month, day.day) in ((1, 1), (5, 1), (12, 25), (12, 26))
            if not holiday and source.random() > 0.01:  # days without a row
                gap = source.random() < 0.01
                values = (f"{long:.2f}", f"{long - spread:.2f}", "" if gap else f"{expected:.2f}", f"{equity:.2f}")
                yield (day.isoformat(), *values)
        day += timedelta(days=1)


def _field(name: str, kind: str, unit: str = "", title: str = "") -> dict[str, str]:
    return {key: value for key, value in (("name", name), ("type", kind), ("unit", unit), ("title", title)) if value}


def _resource(name: str, *fields: dict[str, str]) -> dict[str, object]:
    return {"name": name, "path": f"{name}.csv", "schema": {"fields": list(fields)}}


PACKAGE = {
    "name": "invented-economy",
    "title": "The economy of a country that does not exist",
    "resources": [
        _resource(
            "national_accounts",
            _field("quarter", "date", title="first day of the quarter"),
            _field("real_gdp", "number", "billion, prices of 2010", "real gross domestic product"),
            _field("potential_gdp", "number", "billion, prices of 2010", "what it would be at full use of means"),
        ),
        _resource(
            "labour_and_rates",
            _field("month", "date", title="first day of the month"),
            _field("unemployment_rate", "number", "percent"),
            _field("policy_rate", "number", "percent", "of the central bank"),
        ),
        _resource(
            "prices",
            _field("date", "date", title="first day of the month"),
            _field("series", "string"),
            _field("value", "number", "index"),
        ),
        _resource("price_weights", _field("series", "string"), _field("weight", "number", "percent of the basket")),
        _resource(
            "markets_daily",
            _field("date", "date"),
            _field("yield_10y", "number", "percent", "government bonds of ten years"),
            _field("yield_2y", "number", "percent", "government bonds of two years"),
            _field("break_even", "number", "percent", "inflation that bond prices expect"),
            _field("equity_index", "number", "index"),
        ),
    ],
}


if __name__ == "__main__":
    write(Path(sys.argv[1]))
