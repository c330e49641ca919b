"""A scripted model that knows how each question of `eval/series.json` is worked out: its queries, scripts, answers."""

from __future__ import annotations

from typing import Any

from scripted import answers, says

from tieout.agent.protocol.message import Reply, Request

GDP = {"gdp": "SELECT quarter AS date, real_gdp AS value FROM national_accounts ORDER BY 1"}
RATE = {
    "rate": "SELECT date_trunc('quarter', month)::DATE AS date, avg(unemployment_rate) AS value "
    "FROM labour_and_rates GROUP BY 1 ORDER BY 1"
}
GAP = {"gap": "SELECT quarter AS date, (real_gdp / potential_gdp - 1) * 100 AS value FROM national_accounts ORDER BY 1"}
CPI = {"cpi": "SELECT date, value FROM prices WHERE series = 'CPI all items' ORDER BY date"}
LABOUR = {"labour": "SELECT month AS date, unemployment_rate, policy_rate FROM labour_and_rates ORDER BY 1"}
PARTS = {
    "parts": "SELECT p.date, p.series, p.value, w.weight FROM prices p JOIN price_weights w USING (series) "
    "ORDER BY 2, 1"
}
MARKETS = {"markets": "SELECT * FROM markets_daily ORDER BY date"}

RECESSIONS = """
falls = [change is not None and change < 0 for change in diff(gdp["value"])]
found = [(run["start"] - 1, run["start"] + 1, run["end"]) for run in runs(falls, 2)]
before, first, last = found[-1]
days, values = gdp["date"], gdp["value"]
recent = [place for place, day in enumerate(days) if day.year > days[-1].year - 30]
"""
JOINED = "level = {day: value for day, value in zip(rate['date'], rate['value'])}\n"
INFLATION = "inflation = [None if x is None else x * 100 for x in pct_change(cpi['value'], 12)]\n"
LATE = """
last = cpi["date"][-1].year
late = [(x, day) for x, day in zip(inflation, cpi["date"]) if x is not None and day.year > last - 20]
"""
CONTRIBUTION = """
def contribution(name):
    values = [v for v, s in zip(parts["value"], parts["series"]) if s == name]
    weight = [w for w, s in zip(parts["weight"], parts["series"]) if s == name][0]
    return (values[-1] / values[-13] - 1) * weight
"""
INVERTED = "inverted = [a < b for a, b in zip(markets['yield_10y'], markets['yield_2y'])]\n"

# by id: queries by the name of their frame, the script, and what is answered with
KNOWN: dict[str, tuple[dict[str, str], str, str]] = {
    "recession-start": (GDP, RECESSIONS + "days[first]", "out"),
    "recession-end": (GDP, RECESSIONS + "days[last]", "out"),
    "recession-length": (GDP, RECESSIONS + "last - first + 1", "out"),
    "recession-first": (GDP, RECESSIONS + "days[found[0][1]]", "out"),
    "recession-unemployment": (GDP | RATE, RECESSIONS + JOINED + "level[days[first]]", "out"),
    "recession-rise": (GDP | RATE, RECESSIONS + JOINED + "level[days[last]] - level[days[first]]", "out"),
    "recession-count": (GDP, RECESSIONS + "len([each for each in found if each[1] in recent])", "out"),
    "recession-share": (
        GDP,
        RECESSIONS + "len([p for b, f, l in found for p in range(f, l + 1) if p in recent])",
        "out",
    ),
    "recession-longest": (GDP, RECESSIONS + "max([l - f + 1 for b, f, l in found])", "out"),
    "recession-calm": (
        GDP | RATE,
        RECESSIONS
        + JOINED
        + "busy = {p for b, f, l in found for p in range(f - 2, l + 3)}\n"
        + "mean([level[day] for place, day in enumerate(days) if place not in busy])",
        "out",
    ),
    "recession-fall": (GDP, RECESSIONS + "(values[last] / values[before] - 1) * 100", "out"),
    "gap-share": (
        {"share": "SELECT 100.0 * count(*) FILTER (real_gdp > potential_gdp) / count(*) AS v FROM national_accounts"},
        "",
        "share",
    ),
    "gap-lowest": (GAP, "min(gap['value'])", "out"),
    "gap-lowest-when": (GAP, "gap['date'][gap['value'].index(min(gap['value']))]", "out"),
    "gdp-growth": (GDP, "cagr(gdp['value'][0], gdp['value'][-1], (len(gdp['value']) - 1) / 4) * 100", "out"),
    "cpi-200": (
        {"passed": "SELECT year(min(date)) AS value FROM prices WHERE series = 'CPI all items' AND value > 200"},
        "",
        "passed.value[0]",
    ),
    "inflation-highest": (CPI, INFLATION + LATE + "max(late)[0]", "out"),
    "inflation-highest-when": (CPI, INFLATION + LATE + "max(late)[1]", "out"),
    "inflation-above-3": (CPI, INFLATION + "len([x for x in inflation if x is not None and x > 3])", "out"),
    "inflation-crossings": (CPI, INFLATION + "len(crossings(cpi['date'], inflation, 3))", "out"),
    "inflation-smooth-crossings": (
        CPI,
        INFLATION + "len(crossings(cpi['date'], rolling(inflation, 6), 3))",
        "out",
    ),
    "inflation-break-even": (
        CPI | MARKETS,
        INFLATION
        + "monthly = resample(markets['date'], markets['break_even'], 'month')\n"
        + "both = align(cpi['date'], inflation, monthly['date'], monthly['value'])\n"
        + "correlation(both['a'], both['b'])",
        "out",
    ),
    "inflation-unemployment": (CPI | LABOUR, INFLATION + "correlation(inflation, labour['unemployment_rate'])", "out"),
    "food-energy": (PARTS, CONTRIBUTION + "contribution('CPI food') + contribution('CPI energy')", "out"),
    "energy": (PARTS, CONTRIBUTION + "contribution('CPI energy')", "out"),
    "policy-unemployment": (
        {"both": "SELECT corr(policy_rate, unemployment_rate) AS value FROM labour_and_rates"},
        "",
        "both",
    ),
    "unemployment-average": (
        LABOUR,
        "last = labour['date'][-1].year\n"
        "mean([x for x, day in zip(labour['unemployment_rate'], labour['date']) if day.year > last - 10])",
        "out",
    ),
    "inversion-start": (MARKETS, INVERTED + "markets['date'][runs(inverted)[-1]['start']]", "out"),
    "inversion-days": (
        {"days": "SELECT count(*) AS value FROM markets_daily WHERE yield_10y < yield_2y"},
        "",
        "days",
    ),
    "equity-drawdown": (MARKETS, "min(drawdown(markets['equity_index'])) * 100", "out"),
}  # fmt: skip


def calls(identifier: str) -> list[tuple[str, dict[str, Any]]]:
    """The calls that work out a question."""
    queries, code, value = KNOWN[identifier]
    made: list[tuple[str, dict[str, Any]]] = [
        ("query_sql", {"select": select, "name": name}) for name, select in queries.items()
    ]
    if code:
        made.append(("run_script", {"code": code, "frames": list(queries), "name": "out"}))
    return [*made, answers(value)]


class SeriesModel:
    """Answers in one reply. slips: it writes a name wrong in its first script, and mends it when told."""

    name = "scripted"

    def __init__(self, slips: bool = False) -> None:
        self.slips = slips

    def reply(self, request: Request) -> Reply:
        made = calls(request.card.document_id.rpartition("/")[2])
        if not self.slips or request.exchanges:
            return says(*[call for call in made if not request.exchanges or call[0] != "query_sql"])
        tool, arguments = made[-2]
        if tool == "run_script":
            made[-2] = (tool, {**arguments, "code": f"no_such_name\n{arguments['code']}"})
        return says(*made)
