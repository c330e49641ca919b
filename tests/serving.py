"""A server in a thread of the test, for clients that speak over a socket."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tieout.ontology.model import default_ontology

TOKEN = "the-token-of-the-tests"


@contextmanager
def served(*files: Path, **more: object) -> Iterator[str]:
    """The address of a server with these reports read; without the token. more: as for Serving."""
    import uvicorn

    from tieout.serve.app import Serving, make_app
    from tieout.serve.connections import make_config
    from tieout.serve.library import Library

    with socket.create_server(("127.0.0.1", 0)) as listening, Library(default_ontology(None)[0]) as library:
        for each in [library.add(path)[1] for path in files]:
            each.result()
        port = listening.getsockname()[1]
        app = make_app(Serving(library=library, token=TOKEN, port=port, **more))
        server = uvicorn.Server(make_config(app))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.should_exit = True
            thread.join()
