"""The command `tieout serve`."""

from __future__ import annotations

import ipaddress
import secrets
import signal
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from tieout.data.console import Failure, errors, one_line, printable
from tieout.kg.options import StorePlace

NEEDED = ("fastapi", "uvicorn")
EXPOSED = (
    "tieout: other machines can reach this address, and nothing that is sent is encrypted, the token not either: "
    "put a proxy with TLS in front"
)
FOLDER = click.Path(path_type=Path, file_okay=False)


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    """What is served, and how questions are answered: the options of `tieout ask`, whose module is slow to load."""
    options = (
        click.option(
            "--store",
            type=StorePlace(),
            help="Open the reports kept here where no FILE is given; /sparql asks this store.",
        ),
        click.option("--endpoint", metavar="URL", help="Let /sparql ask this SPARQL 1.1 endpoint."),
        click.option(
            "--data",
            multiple=True,
            type=click.Path(path_type=Path),
            help="A data file or a folder of them, for every conversation; may be given again.",
        ),
        click.option(
            "--memory", type=FOLDER, help="Folder of terms and recipes; else .tieout/memory, if there is one."
        ),
        click.option("--private", is_flag=True, help="Tell a model no row and no text of the data."),
        click.option("--show-rows", type=click.IntRange(0, 1000), default=0, help="Rows that a model is shown."),
        click.option("--plots", type=FOLDER, help="Folder for pictures."),
        click.option("--backend", metavar="NAME", help="As for `tieout ask`."),
        click.option(
            "--ontology", type=click.Path(path_type=Path), help="TBox to use; derived from the sample without it."
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE]...", type=click.Path(path_type=Path))
@_options
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=8737, show_default=True, help="0 for a free one.")
@click.option("--name", "names", multiple=True, help="A further name by which this host is called; can be repeated.")
@click.option("--read-only", is_flag=True, help="Let no report be added.")
@click.option("--log", type=FOLDER, help="Log conversations in this folder.")
@click.option("--forget", is_flag=True, help="Keep no conversation, and nothing that is read.")
@click.option("--share", is_flag=True, help="Let signed links show a conversation to who has no token.")
@click.option("--runs", type=FOLDER, help="Show the runs of `tieout eval run` in this folder to the API.")
def serve(
    files: tuple[Path, ...],
    store: Path | None,
    endpoint: str | None,
    ontology: Path | None,
    host: str,
    port: int,
    names: tuple[str, ...],
    read_only: bool,
    forget: bool,
    share: bool,
    runs: Path | None,
    **plan: Any,  # noqa: ANN401 - those of Plan
) -> None:
    """Serve a page to ask reports in, an HTTP API and SPARQL, to this machine alone unless told otherwise.

    The address that is printed holds a token: whoever has it can ask, and open reports.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise Failure(f"serve needs {' and '.join(missing)}: pip install 'tieout[serve]'")
    signal.signal(signal.SIGTERM, _end)  # also uvicorn, once it has ended, leaves the signal to us
    from tieout.serve.connections import listen

    with one_line(ValueError, OSError), listen(host, port, "--port") as listening:
        # All else is imported late: the address is printed, and reading begun, before the rest is loaded.
        token = secrets.token_urlsafe(24)
        from tieout.serve.start import open_kept, open_library, run

        kept = open_kept(store, forget)
        with open_library(files, store, endpoint, ontology, plan, _say, forget, read_only) as library:
            shown = "127.0.0.1" if host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host
            if not _is_loopback(host):
                _say(EXPOSED)
            click.echo(f"http://{shown}:{listening.getsockname()[1]}/?token={token}")
            run(
                library,
                listening,
                token,
                (host, *names),
                plan,
                store=store,
                endpoint=endpoint,
                runs=runs,
                read_only=read_only,
                kept=kept,
                share=share,
                told=_say,
            )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _end(number: int, _: object) -> None:
    """Ends the program as a signal does, but not before all is cleared up."""
    raise SystemExit(128 + number)


def _say(line: str) -> None:
    errors.print(printable(line), style="dim", markup=False, soft_wrap=True)
