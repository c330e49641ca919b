"""`tieout eval run` where its file holds questions over series."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tieout.agent.backends.choose import make_backend
from tieout.agent.memory.keep import FOLDER
from tieout.agent.workspace import Settings
from tieout.data.console import Failure, console, print_json, print_table
from tieout.eval.run.run import check_name, new_name
from tieout.eval.series.questions import is_series, read_questions
from tieout.eval.series.run import LAYERS, run_series
from tieout.eval.series.show import rates, rates_table, wrong_table
from tieout.ontology.model import default_ontology


def run_command(
    files: Sequence[Path],
    backend: str,
    settings: Settings,
    name: str | None,
    as_json: bool,
    layers: bool,
    options: dict[str, Any],
) -> None:
    """Runs, scores and shows the questions of one file. options: those of the command. Raises Failure, RunError and
    what data, memory and backend raise."""
    if len(files) != 1 or not is_series(files[0]):
        raise Failure("--data is for one file of questions over series, such as eval/series.json")
    if settings.strategy != "tools":
        raise Failure(f"data is used by tools alone: leave out --strategy {settings.strategy}")
    if not options["data"]:
        raise Failure("questions over series need their data: give --data")
    asked = read_questions(files[0]).questions[: options["limit"]]
    run = check_name(name) if name else new_name(options["runs"], f"series-{backend}")
    told = {key: options[key] for key in ("private", "show_rows", "plots")}
    results = list(
        run_series(
            asked,
            options["data"],
            lambda: make_backend(backend),
            LAYERS if layers else LAYERS[-1:],
            options["runs"] / run,
            default_ontology(options["ontology"])[0],
            settings,
            options["memory"] or FOLDER,
            **told,
        )
    )
    if as_json:
        print_json({"run": run, "layers": rates(results), "questions": [each.as_json() for each in results]})
        return
    console.print(f"run {run}", style="bold", markup=False)
    print_table(rates_table(results))
    if not all(each.right for each in results):
        console.print()
        print_table(wrong_table(results))
