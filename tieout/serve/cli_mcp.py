"""The command `tieout mcp`."""

from __future__ import annotations

import signal
from importlib.util import find_spec
from pathlib import Path

import click

from tieout.agent.backends.choose import backend_name, make_backend
from tieout.agent.cli import BAD_INPUT
from tieout.data.console import Failure, errors, one_line, printable
from tieout.data.readers.paths import find_files
from tieout.ontology.model import default_ontology
from tieout.ontology.options import ontology_option


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@click.option("--backend", metavar="NAME", help="As for `tieout ask`.")
@ontology_option
@click.option("--http", type=click.IntRange(1, 65535), metavar="PORT", help="Streamable HTTP on loopback, not stdio.")
def mcp(files: tuple[Path, ...], backend: str | None, ontology: Path | None, http: int | None) -> None:
    """Serve reports as tools and resources to agents that speak the Model Context Protocol, on standard input.

    With --http there is no token: any program of this machine can ask.
    """
    if find_spec("mcp") is None:
        raise Failure("mcp needs the package mcp: pip install 'tieout[mcp]'")
    chosen = backend_name(backend)
    with one_line(*BAD_INPUT, OSError):
        paths = [path for path, _ in find_files(files)]
        make_backend(chosen)
        tbox, _ = default_ontology(ontology)
    from mcp.server.transport_security import TransportSecuritySettings

    from tieout.serve.agents import make_server
    from tieout.serve.asking.conversations import Conversations
    from tieout.serve.asking.desk import Plan
    from tieout.serve.library import Library

    signal.signal(signal.SIGTERM, _end)
    with Library(tbox, lambda message: errors.print(printable(message), markup=False, soft_wrap=True)) as library:
        for reading in [library.add(path)[1] for path in paths]:
            reading.result()
        if not library.ready():
            raise Failure("none of the files could be read")
        server = make_server(library, Conversations(library, Plan(backend=chosen)))
        if http is None:
            server.run("stdio")
        else:
            names = [f"{name}:{http}" for name in ("127.0.0.1", "localhost", "[::1]")]
            # A page of another port of this machine is another program's, and is not let in.
            ours = TransportSecuritySettings(allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names])
            server.run("streamable-http", host="127.0.0.1", port=http, transport_security=ours)


def _end(number: int, _: object) -> None:
    """Ends the program as a signal does, but not before what it copied is removed."""
    raise SystemExit(128 + number)
