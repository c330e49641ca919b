"""The command `tieout eval selfplay`: filings are asked by their tags; names that mend what is misread."""

from __future__ import annotations

from pathlib import Path

import click

from tieout.data.console import errors, json_text, output_option, printable
from tieout.data.files import write_whole
from tieout.data.system.engine import EngineError, jobs_options
from tieout.eval.options import bad_input
from tieout.eval.questions import FactsError
from tieout.eval.selfplay.play import Setup, play
from tieout.eval.selfplay.proposing import house_file
from tieout.eval.selfplay.show import records, report

WORK = Path(".tieout/selfplay")


@click.command("selfplay")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--tagged", is_flag=True, help="Ask the filings with their tags; else these are taken out.")
@click.option("--proposals", "most", type=click.IntRange(0, 1000), default=60, show_default=True, help="Tried at most.")
@click.option("--house", type=click.Path(path_type=Path), help="Write what holds as a file for TIEOUT_MEASURES.")
@output_option(text="Write all of it as JSON Lines.")
@jobs_options
@click.option("--work", type=click.Path(path_type=Path), default=WORK, show_default=True, help="Keeps what is read.")
def selfplay(
    files: tuple[Path, ...],
    tagged: bool,
    most: int,
    house: Path | None,
    output: Path | None,
    jobs: int,
    engine: str,
    work: Path,
) -> None:
    """Ask tagged FILES what their tags answer, and find names and measures that would mend what is misread.

    Conversations are made from the tags: figures under the names that reports give them, questions that rest on
    earlier ones, other companies, calculations, slips, what is not there. Names come from half of the companies; they
    are kept where questions of the other half gain, and no question loses.
    """
    with bad_input():
        try:
            setup = Setup(work.absolute(), tagged, most, jobs, engine)
            played = play(files, setup, lambda told: errors.print(printable(told), style="dim"))
        except (EngineError, FactsError) as error:
            raise click.ClickException(str(error)) from error
        for line in report(played):
            click.echo(printable(line))
        if output is not None:
            write_whole(output, "".join(f"{json_text(each)}\n" for each in records(played)))
        if house is not None:
            write_whole(house, house_file([each.proposal for each in played.trial.kept]))
