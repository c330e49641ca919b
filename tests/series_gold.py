"""The gold answers of `eval/series.json`, by pandas and nothing of ours.

python tests/series_gold.py writes them into the file.
"""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd

ROOT = Path(__file__).resolve().parent.parent
QUESTIONS = ROOT / "eval" / "series.json"


def tables(folder: Path) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Quarterly accounts, monthly labour, monthly prices side by side, daily markets, all by date."""
    accounts = pd.read_csv(folder / "national_accounts.csv")
    accounts.index = pd.PeriodIndex(accounts.pop("quarter"), freq="Q").to_timestamp()
    labour = pd.read_csv(folder / "labour_and_rates.csv")
    labour.index = pd.to_datetime(labour.pop("month"), format="%Y-%m")
    prices = pd.read_csv(folder / "prices.csv", parse_dates=["date"])
    prices = prices.pivot(index="date", columns="series", values="value")
    markets = pd.read_csv(folder / "markets_daily.csv", parse_dates=["date"], index_col="date")
    return accounts, labour, prices, markets


def recessions(gdp: pd.Series) -> pd.DataFrame:
    """One row a recession: first and last quarter by place, from the second fall in a row to the last."""
    falls = gdp.diff() < 0
    group = (falls != falls.shift()).cumsum()
    found = []
    for _, part in falls[falls].groupby(group[falls]):
        if len(part) >= 2:
            places = [gdp.index.get_loc(day) for day in part.index]
            found.append({"before": places[0] - 1, "first": places[1], "last": places[-1]})
    return pd.DataFrame(found)


def crossings(values: pd.Series, level: float) -> int:
    """How often values go from one side of a level to the other; those on it are on no side."""
    above = (values.dropna() - level).loc[lambda gap: gap != 0] > 0
    return int((above != above.shift())[1:].sum())


def day(stamp: pd.Timestamp) -> str:
    return stamp.date().isoformat()


def gold(folder: Path) -> dict[str, object]:
    """The answers by id."""
    accounts, labour, prices, markets = tables(folder)
    return {**of_recessions(accounts, labour), **of_output(accounts), **of_prices(prices, labour, markets, folder),
            **of_rates(labour, markets)}  # fmt: skip


def of_recessions(accounts: pd.DataFrame, labour: pd.DataFrame) -> dict[str, object]:
    gdp = accounts["real_gdp"]
    found = recessions(gdp)
    latest = found.iloc[-1]
    rate = labour["unemployment_rate"].resample("QS").mean()
    start, end = gdp.index[latest["first"]], gdp.index[latest["last"]]
    spent = [place for _, row in found.iterrows() for place in range(row["first"], row["last"] + 1)]
    recent = gdp.index > gdp.index[-1] - pd.DateOffset(years=30)
    busy = {place for _, row in found.iterrows() for place in range(row["first"] - 2, row["last"] + 3)}
    calm = [gdp.index[place] for place in range(len(gdp)) if place not in busy]
    lengths = found["last"] - found["first"] + 1
    return {
        "recession-start": day(start),
        "recession-end": day(end),
        "recession-length": int(lengths.iloc[-1]),
        "recession-first": day(gdp.index[found.iloc[0]["first"]]),
        "recession-unemployment": rate[start],
        "recession-rise": rate[end] - rate[start],
        "recession-count": int(sum(recent[place] for place in found["first"])),
        "recession-share": int(sum(recent[place] for place in spent)),
        "recession-longest": int(lengths.max()),
        "recession-calm": rate[calm].mean(),
        "recession-fall": (gdp.iloc[latest["last"]] / gdp.iloc[latest["before"]] - 1) * 100,
    }


def of_output(accounts: pd.DataFrame) -> dict[str, object]:
    gap = (accounts["real_gdp"] / accounts["potential_gdp"] - 1) * 100
    gdp = accounts["real_gdp"]
    years = (len(gdp) - 1) / 4
    return {
        "gap-share": (gap > 0).mean() * 100,
        "gap-lowest": gap.min(),
        "gap-lowest-when": day(gap.idxmin()),
        "gdp-growth": ((gdp.iloc[-1] / gdp.iloc[0]) ** (1 / years) - 1) * 100,
    }


def of_prices(prices: pd.DataFrame, labour: pd.DataFrame, markets: pd.DataFrame, folder: Path) -> dict[str, object]:
    level = prices["CPI all items"]
    inflation = level.pct_change(12) * 100
    recent = inflation[inflation.index > inflation.index[-1] - pd.DateOffset(years=20)]
    weights = pd.read_csv(folder / "price_weights.csv", index_col="series")["weight"] / 100
    part = (prices.pct_change(12).iloc[-1] * 100 * weights).dropna()
    expected = markets["break_even"].resample("MS").mean()
    both = pd.concat([inflation, expected], axis=1, join="inner").dropna()
    return {
        "cpi-200": int(level[level > 200].index[0].year),
        "inflation-highest": recent.max(),
        "inflation-highest-when": day(recent.idxmax()),
        "inflation-above-3": int((inflation > 3).sum()),
        "inflation-crossings": crossings(inflation, 3),
        "inflation-smooth-crossings": crossings(inflation.rolling(6).mean(), 3),
        "inflation-break-even": both.iloc[:, 0].corr(both.iloc[:, 1]),
        "inflation-unemployment": inflation.corr(labour["unemployment_rate"]),
        "food-energy": part.sum(),
        "energy": part["CPI energy"],
    }


def of_rates(labour: pd.DataFrame, markets: pd.DataFrame) -> dict[str, object]:
    rate = labour["unemployment_rate"]
    last = rate[rate.index > rate.index[-1] - pd.DateOffset(years=10)]
    inverted = markets["yield_10y"] < markets["yield_2y"]
    return {
        "policy-unemployment": labour["policy_rate"].corr(rate),
        "unemployment-average": last.mean(),
        "inversion-start": day(inverted[inverted & ~inverted.shift(fill_value=False)].index[-1]),
        "inversion-days": int(inverted.sum()),
        "equity-drawdown": (markets["equity_index"] / markets["equity_index"].cummax() - 1).min() * 100,
    }


def main() -> None:
    """Writes the gold answers into the file of questions."""
    known = json.loads(QUESTIONS.read_text())
    answers = gold(ROOT / "data" / "series")
    for each in known["questions"]:
        value = answers[each["id"]]
        each["gold"] = f"{value:.6f}" if isinstance(value, float) else str(value)
    lines = ",\n".join("    " + json.dumps(each) for each in known["questions"])
    QUESTIONS.write_text('{\n  "data": "data/series",\n  "questions": [\n' + lines + "\n  ]\n}\n")


if __name__ == "__main__":
    main()
