"""The command `tieout mcp`."""

from __future__ import annotations

import signal
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path

import click

from tieout.agent.backends.choose import backend_name, make_backend
from tieout.agent.opening import open_reports
from tieout.cli_ask import BAD_INPUT, tell_notes
from tieout.data.console import Failure, errors, one_line, printable
from tieout.data.readers.paths import find_files
from tieout.kg.options import StorePlace
from tieout.kg.store.store import DEFAULT_STORE
from tieout.ontology.model import default_ontology
from tieout.ontology.options import ontology_option

PATH = "/mcp"


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE]...", type=click.Path(path_type=Path))
@click.option("--backend", metavar="NAME", help="As for `tieout ask`.")
@ontology_option
@click.option(
    "--store",
    type=StorePlace(),
    default=DEFAULT_STORE,
    show_default=True,
    help="Where reports are kept: what is there is not read again, and all of it is served without a FILE.",
)
@click.option(
    "--http",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Streamable HTTP on loopback, not stdio; 0 for a free port.",
)
def mcp(files: tuple[Path, ...], backend: str | None, ontology: Path | None, store: Path, http: int | None) -> None:
    """Serve reports as tools to agents that speak the Model Context Protocol, on standard input.

    With --http the address is printed. There is no token: any program of this machine can ask.
    """
    if find_spec("mcp") is None:
        raise Failure("mcp needs the package mcp: pip install 'tieout[mcp]'")
    signal.signal(signal.SIGTERM, _end)
    with one_line(*BAD_INPUT, OSError), ExitStack() as opened:
        if http is not None:
            from tieout.serve.connections import listen, make_config

            listening = opened.enter_context(listen("127.0.0.1", http, "--http"))
        paths = [path for path, _ in find_files(files)]
        made = make_backend(backend_name(backend))
        tbox, _ = default_ontology(ontology)
        tell = lambda problem: errors.print(printable(problem.told), markup=False, soft_wrap=True)  # noqa: E731
        reports = opened.enter_context(open_reports(paths, tbox, store=store, tell=tell))
        from mcp.server.transport_security import TransportSecuritySettings

        from tieout.serve.agents import make_server
        from tieout.serve.agents_asking import Conversations

        tell_notes(reports.notes)
        server = make_server(reports, Conversations(reports, made))
        if http is None:
            server.run("stdio")
            return
        import uvicorn

        port = listening.getsockname()[1]
        names = [f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")]
        # A page of another port of this machine is another program's, and is not let in.
        ours = TransportSecuritySettings(allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names])
        app = server.streamable_http_app(streamable_http_path=PATH, transport_security=ours)
        click.echo(f"http://127.0.0.1:{port}{PATH}")
        uvicorn.Server(make_config(app)).run(sockets=[listening])


def _end(number: int, _: object) -> None:
    """Ends the program as a signal does, but not before what it copied is removed."""
    raise SystemExit(128 + number)
