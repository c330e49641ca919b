"""The command `tieout serve`."""

from __future__ import annotations

import secrets
import socket
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tieout.agent.backends.choose import backend_name, make_backend
from tieout.agent.cli import BAD_INPUT
from tieout.data.console import Failure, errors, one_line, printable
from tieout.data.readers.paths import find_files
from tieout.kg.store.store import StoreError, check_folder
from tieout.ontology.model import default_ontology
from tieout.ontology.options import ontology_option

if TYPE_CHECKING:
    from tieout.serve.library import Library

NEEDED = ("fastapi", "uvicorn")


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE]...", type=click.Path(path_type=Path))
@click.option("--store", type=click.Path(path_type=Path), help="Let /sparql ask this store, not the reports opened.")
@click.option("--backend", metavar="NAME", help="As for `tieout ask`.")
@ontology_option
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=8737, show_default=True, help="0 for a free one.")
@click.option("--name", "names", multiple=True, help="A further name by which this host is called; can be repeated.")
@click.option("--read-only", is_flag=True, help="Let no report be added.")
@click.option("--log", type=click.Path(path_type=Path, file_okay=False), help="Log conversations in this folder.")
def serve(
    files: tuple[Path, ...],
    store: Path | None,
    backend: str | None,
    ontology: Path | None,
    host: str,
    port: int,
    names: tuple[str, ...],
    read_only: bool,
    log: Path | None,
) -> None:
    """Serve a page to ask reports in, an HTTP API and SPARQL, to this machine alone unless told otherwise.

    The address that is printed holds a token: whoever has it can ask, and open reports.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise Failure(f"serve needs {' and '.join(missing)}: pip install 'tieout[serve]'")
    chosen = backend_name(backend)
    with one_line(*BAD_INPUT, StoreError, OSError):
        paths = [path for path, _ in find_files(files)] if files else []
        if store is not None:
            check_folder(store, must_exist=True)
        make_backend(chosen)
        tbox, _ = default_ontology(ontology)
        listening = _listen(host, port)
    from tieout.serve.library import Library

    with listening, Library(tbox, lambda message: _say(f"tieout: {message}")) as library:
        for path in paths:
            library.add(path)
        _serve(library, listening, host, chosen, store, log, read_only, names)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family)
    listening.set_inheritable(True)
    return listening


def _serve(
    library: Library,
    listening: socket.socket,
    host: str,
    backend: str,
    store: Path | None,
    log: Path | None,
    read_only: bool,
    names: tuple[str, ...],
) -> None:
    import uvicorn

    from tieout.serve.app import Serving, make_app
    from tieout.serve.guard import LOOPBACK

    port, token = listening.getsockname()[1], secrets.token_urlsafe(24)
    serving = Serving(
        library=library,
        token=token,
        port=port,
        backend=backend,
        store=store,
        log=log,
        read_only=read_only,
        names=(*LOOPBACK, host, *names),
        told=_say,
    )
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host
    click.echo(f"http://{shown}:{port}/?token={token}")
    config = uvicorn.Config(
        make_app(serving),
        access_log=False,
        log_level="warning",
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=3,
    )
    uvicorn.Server(config).run(sockets=[listening])


def _say(line: str) -> None:
    errors.print(printable(line), style="dim", markup=False, soft_wrap=True)
