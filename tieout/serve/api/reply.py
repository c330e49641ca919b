"""What every path gives back."""

from __future__ import annotations

from typing import Any

from fastapi.responses import JSONResponse

from tieout.data.console import json_text


class Json(JSONResponse):
    """JSON as the command line prints it: exact amounts as text, other Decimals as numbers."""

    def render(self, content: Any) -> bytes:  # noqa: ANN401 - any JSON value
        """The bytes of a value."""
        return json_text(content).encode()
