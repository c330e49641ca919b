"""A run in Python and in a notebook: its scores, its turns as a list and as a data frame, every answer with its tree.

run = tieout.run("first")
run.turns().to_pandas()
print(run.answer("Single_NAME/2007/page_134.pdf-1", 3).tree())
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tieout.agent.answers.answer import Answer
from tieout.data.document import brief, counted
from tieout.data.markup import muted_html, safe_html, table_html
from tieout.eval.gold.errata import read_errata
from tieout.eval.run.manifest import Manifest, RunError
from tieout.eval.score.load import Run, conversations, find_run, load
from tieout.eval.score.result import Result
from tieout.eval.score.score import RULES
from tieout.eval.score.summary import Numbers, summary
from tieout.eval.show.export import COLUMNS, arrow_table, rows
from tieout.eval.show.tables import LEGEND, not_scored, percent

if TYPE_CHECKING:
    import pandas
    import pyarrow

SHOWN = ("id", "turn", "question", "text", "gold", "main", "probability")  # of a turn, in a notebook


class RunTurns(list[Result]):
    """The turns of a run, each beside its gold label, in the order of the run."""

    def __init__(self, results: Iterable[Result], run: str) -> None:
        super().__init__(results)
        self._run = run

    def __repr__(self) -> str:
        return f"RunTurns({brief(self._run)}, {counted(len(self), 'turn')})"

    def _repr_html_(self) -> str:
        """What a notebook shows: the first turns."""
        shown = [["" if row[name] is None else str(row[name]) for name in SHOWN] for row in rows(self)]
        return table_html(shown, SHOWN)

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dict a turn, with the columns of `tieout eval export --format csv`."""
        return rows(self)

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame of the same. Raises RunError where pandas is not installed."""
        try:
            import pandas
        except ModuleNotFoundError as error:
            raise RunError(f"data frames need {error.name}: pip install pandas") from error
        return pandas.DataFrame(self.to_dicts(), columns=list(COLUMNS))

    def to_arrow(self) -> pyarrow.Table:
        """An Arrow table of the same. Raises RunError where pyarrow is not installed."""
        return arrow_table(self)


class OpenRun:
    """A run of `tieout eval run`, its logs checked when they are first read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def _run(self) -> Run:
        return load(self.folder)

    @property
    def name(self) -> str:
        """What it is called."""
        return self._run.name

    @property
    def manifest(self) -> Manifest:
        """What it was made of."""
        return self._run.manifest

    @property
    def status(self) -> str:
        """`complete` or `incomplete`."""
        return self._run.status

    def __repr__(self) -> str:
        done = f"{self._run.complete} of {counted(self._run.wanted, 'conversation')}"
        return f"Run({brief(self.name)}, {self.manifest.backend}, {done}, {counted(len(self._run.results), 'turn')})"

    def _repr_html_(self) -> str:
        """What a notebook shows: the scores by the three rules, each with its interval."""
        numbers = self.scores()
        head = f"<div><b>{safe_html(self.name)}</b></div>{muted_html(repr(self))}"
        if not numbers["n"]:
            return head + muted_html(not_scored(numbers["turns"]))
        lines = [
            (
                str(rule),
                percent(numbers[rule]),
                f"{percent(numbers[f'{rule}_low'])} to {percent(numbers[f'{rule}_high'])}",
                str(numbers[f"{rule}_n"]),
            )
            for rule in RULES
        ]
        return head + table_html(lines, ("rule", "turns right", "95% interval", "n")) + muted_html(LEGEND)

    def scores(self) -> Numbers:
        """The numbers of `tieout eval show --json`: rates with counts and intervals, outcomes, cost."""
        return summary(self._run.results, read_errata())

    def turns(self) -> RunTurns:
        """Every turn that is over, beside its gold label. Raises LogError, RunError, DataError."""
        return RunTurns(self._run.results, self.name)

    def answer(self, conversation: str, turn: int) -> Answer:
        """One turn, of the first repeat, counted from 1, with its tree. Raises RunError where there is none."""
        for each, repeat, turns in conversations(self.folder, self.manifest):
            if each.id == conversation and repeat == 1:
                if 0 < turn <= len(turns):
                    return Answer.of(turns[turn - 1])
                raise RunError(f"{conversation!r} has {len(turns)} turns in run {self.name!r}, not {turn}")
        raise RunError(f"run {self.name!r} has no conversation {conversation!r}")


def open_run(name: str | Path, runs: Path) -> OpenRun:
    """A run by its name in a folder of runs, or by its own folder. Raises RunError where there is none."""
    return OpenRun(find_run(str(name), runs))
