"""The parts of the report that stand in the page as HTML: everything that is text is escaped here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from tieout.data.output.chart import can_draw
from tieout.eval.gold.errata import Errata
from tieout.eval.gold.slices import DIMENSIONS
from tieout.eval.score.compare import Pair, counts, interval, pairs
from tieout.eval.score.failures import EXPLAINED, Failure
from tieout.eval.score.load import Run
from tieout.eval.score.result import Result
from tieout.eval.score.score import RULES, Rule
from tieout.eval.score.summary import Numbers, by_slice, turn_rate
from tieout.eval.score.verification import verification_text
from tieout.eval.show import plots
from tieout.eval.show.tables import MEANING, RELIABILITY, calibration_text, percent, reliability_rows


@dataclass(frozen=True, slots=True)
class Material:
    """What the page is made from. reasons: why turns are wrong; details: each conversation as JSON, by id."""

    run: Run
    other: Run | None
    numbers: Numbers
    reasons: Mapping[tuple[str, int], Failure]
    details: Mapping[str, str]
    errata: Errata
    rule: Rule

    @property
    def turns(self) -> list[Result]:
        return [result for result in self.run.results if result.repeat == 1]

    @property
    def pairs(self) -> list[Pair]:
        return pairs(self.other, self.run) if self.other is not None else []


def _element(tag: str, content: str, **attributes: str) -> str:
    """content is HTML; attributes are text. A trailing underscore of a name is dropped."""
    written = "".join(f' {name.rstrip("_").replace("_", "-")}="{escape(value)}"' for name, value in attributes.items())
    return f"<{tag}{written}>{content}</{tag}>"


def _table(headers: Sequence[str], rows: Iterable[Sequence[str]], caption: str = "") -> str:
    """A table whose first column is text and whose others are numbers. Cells of rows are HTML."""
    kinds = ["t", *["n"] * (len(headers) - 1)]
    head = "".join(
        _element("th", escape(text), class_=kind, scope="col") for text, kind in zip(headers, kinds, strict=True)
    )
    body = "".join(
        _element("tr", "".join(_element("td", cell, class_=kind) for cell, kind in zip(row, kinds, strict=True)))
        for row in rows
    )
    title = _element("h3", escape(caption)) if caption else ""
    return title + _element(
        "div", f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>", class_="scroll"
    )


def headline(material: Material) -> str:
    numbers = material.numbers
    if not numbers["n"]:
        return _element("p", "Nothing in this run is labelled, so there is nothing to score.")
    cards = []
    for rule, place in zip(RULES, ("first", "second", "third"), strict=True):
        without, whole = numbers["without_errata"], f"{rule}_conversations"
        lines = [
            _element("p", escape(str(rule)), class_="name"),
            _element("p", escape(MEANING[rule]), class_="rule"),
            _element("p", percent(numbers[rule]), class_="rate"),
            _small(f"95% interval {_span(numbers[f'{rule}_low'], numbers[f'{rule}_high'])}, n={numbers['n']}"),
            _small(
                f"whole conversations {percent(numbers[whole])}, "
                f"{_span(numbers[f'{whole}_low'], numbers[f'{whole}_high'])}, n={numbers[f'{whole}_n']}"
            ),
            _small(f"without suspect golds {percent(without[rule])}, n={without[f'{rule}_n']}"),
        ]
        if f"{rule}_mean" in numbers:
            spread = f"mean {percent(numbers[f'{rule}_mean'])}, standard deviation {percent(numbers[f'{rule}_spread'])}"
            lines.append(_small(f"{numbers['repeats']} repeats: {spread}"))
        cards.append(_element("div", "".join(lines), class_=f"card {place}"))
    return _element("div", "".join(cards), class_="cards")


def _span(low: float | None, high: float | None) -> str:
    return f"{percent(low)} to {percent(high)}"


def _small(text: str) -> str:
    return _element("p", escape(text), class_="small")


def facts_list(material: Material) -> str:
    run, numbers = material.run, material.numbers
    usd = "price not known" if numbers["usd"] is None else f"${numbers['usd']:.4f}"
    lines = {
        "Conversations": f"{run.complete} of {run.wanted} complete",
        "Outcomes": ", ".join(f"{name} {count}" for name, count in numbers["outcomes"].items()),
        "Program accuracy": f"{percent(numbers['program'])}, n={numbers['program_n']} (the gold expression)",
        "Ungrounded": f"{numbers['ungrounded']} turns with a number that nothing accounts for",
        "Suspect golds": f"{numbers['suspect']} turns, named with a reason in the list below",
        "Latency": f"median {1000 * numbers['seconds_median']:.3g} ms, 95% {1000 * numbers['seconds_p95']:.3g} ms",
        "Cost": f"{usd}, {sum(numbers['tokens'].values())} tokens, {numbers['model_calls_per_turn']:.2f} calls a turn",
        "Ontology": run.manifest.ontology,
        "Data": ", ".join(f"{file.path.name} ({file.sha256[:12]})" for file in run.manifest.files),
    }
    if "verification" in numbers:
        lines["Verified"] = verification_text(numbers["verification"])
    if numbers["calibration_error"] is not None:
        lines["Calibration"] = calibration_text(numbers)
    return _element(
        "dl", "".join(_element("dt", escape(k)) + _element("dd", escape(v)) for k, v in lines.items()), class_="facts"
    )


def comparison(material: Material) -> str:
    if material.other is None:
        return ""
    found = material.pairs
    rows = []
    for rule in RULES:
        each, (low, high) = counts(found, rule), interval(found, rule)
        shares = (each.first / each.n, each.second / each.n)
        cells = [str(rule), *(percent(share) for share in shares), percent(each.difference, sign=True)]
        rows.append(
            [*cells, f"{low:+.1%} to {high:+.1%}", f"{each.p_value:.4f}", f"{each.gained}", f"{each.lost}", f"{each.n}"]
        )
    headers = (
        "rule",
        material.other.name,
        material.run.name,
        "difference",
        "95% interval",
        "p (McNemar)",
        "gained",
        "lost",
        "n",
    )
    title = _element("h2", escape(f"Against {material.other.name}"), id="h-against")
    return _element("section", title + _table(headers, rows), aria_labelledby="h-against")


NO_PLOTS = "No plots here, as matplotlib is not installed (pip install 'tieout[report]'). The tables have the figures."


def plot_figures(material: Material) -> str:
    turns = material.turns
    if not can_draw():
        return _element("p", escape(NO_PLOTS)) + "".join(_calibration(turns))
    named = {
        "Accuracy by turn of the conversation": plots.by_turn(turns),
        f"Accuracy by slice, rule {material.rule}": plots.by_kind(turns, material.rule),
        f"Calibration, rule {Rule.MAIN}": _reliability(turns),
        "Latency": plots.latency(turns),
        "Cost": plots.spending(turns),
    }
    if material.other is not None:
        title = f"Difference to {material.other.name} by slice, rule {material.rule}"
        named[title] = plots.differences(material.pairs, material.rule)
    return "".join(
        _element("figure", _element("figcaption", escape(title)) + "".join(drawn))
        for title, drawn in named.items()
        if drawn
    )


def _reliability(turns: Sequence[Result]) -> list[str]:
    table = _calibration(turns)
    return [*plots.reliability(turns), *table] if table else []


def _calibration(turns: Sequence[Result]) -> list[str]:
    """The bands of confidence as a table; none where the backend does not say how sure it is."""
    rows = [[escape(cell) for cell in row] for row in reliability_rows(turns)]
    return [_table(RELIABILITY, rows)] if rows else []


def slice_tables(turns: Sequence[Result]) -> str:
    tables = []
    for dimension, slices in by_slice(turns).items():
        rows = [
            [escape(name), *(percent(turn_rate(group, rule).value) for rule in RULES), f"{len(group)}"]
            for name, group in slices.items()
        ]
        title = f"{dimension}: {DIMENSIONS[dimension]}"
        tables.append(_element("div", _table((dimension, *map(str, RULES), "n"), rows, title)))
    return _element("div", "".join(tables), class_="tables")


def reasons_table(material: Material) -> str:
    labelled = material.numbers["n"]
    counted = Counter(failure.reason for failure in material.reasons.values()).most_common()
    if not counted:
        return _element("p", escape(f"No labelled turn is wrong by the rule {material.rule}."))
    most = counted[0][1]
    rows = []
    for reason, count in counted:
        name = _element("button", escape(reason), type="button", class_="link", data_why=reason)
        meter = _element("span", "", class_="meter", style=f"width: {8 * count / most:.2f}rem", aria_hidden="true")
        rows.append([name + _small(EXPLAINED[reason]), f"{count}", f"{count / labelled:.1%}", meter])
    count_of_all = f"{len(material.reasons)} of {labelled} turns are wrong by the rule {material.rule}."
    note = _element("p", escape(f"{count_of_all} A name filters the list below."))
    return note + _table(("class", "turns", "of all", ""), rows)


def origin(run: Run) -> str:
    versions = ", ".join(f"{name} {number}" for name, number in run.manifest.versions.items())
    return f"{versions}; ontology {run.manifest.ontology_sha256[:12]}, prompt {run.manifest.prompt_sha256[:12]}"
