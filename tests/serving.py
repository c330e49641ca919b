"""A server in a thread of the test, for clients that speak over a socket."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from pydantic import TypeAdapter

from tieout.ontology.model import default_ontology

TOKEN = "the-token-of-the-tests"


def as_declared(app: Any) -> Callable[[httpx.Response], None]:
    """A hook for a client of an application (behind its guard): a JSON reply that is not as OpenAPI has it fails."""
    routes: list[tuple[re.Pattern[str], set[str], object]] = []

    def collect(over: Any) -> None:
        for each in over:
            if getattr(each, "response_model", None) is not None:
                routes.append((each.path_regex, each.methods, each.response_model))
            collect(getattr(getattr(each, "original_router", each), "routes", ()))

    collect(app._app.routes)
    assert len(routes) > 20

    def held(reply: httpx.Response) -> None:
        if reply.status_code >= 300 or not reply.headers.get("content-type", "").startswith("application/json"):
            return
        for path, methods, model in routes:
            if reply.request.method in methods and path.match(reply.request.url.path):
                reply.read()
                TypeAdapter(model).validate_json(reply.content)

    return held


@contextmanager
def served(*files: Path, lake: Path | None = None, **more: object) -> Iterator[str]:
    """The address of a server with these reports read, beside which those of a store can be opened; without the token.
    more: as for Serving."""
    import uvicorn

    from tieout.serve.app import Serving, make_app
    from tieout.serve.connections import make_config
    from tieout.serve.library import Library

    with (
        socket.create_server(("127.0.0.1", 0)) as listening,
        Library(default_ontology(None)[0], lake=lake, opened=False) as library,
    ):
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
