"""A reader, measures, a backend and an exporter of one's own: what each has to be, as small as it can be."""

from __future__ import annotations

import csv
import email
import io
from collections.abc import Sequence
from email import policy
from pathlib import Path

from tieout.agent.answers.result import result
from tieout.agent.backends.choose import make_backend
from tieout.agent.log.turn import Turn
from tieout.agent.protocol.message import Reply, Request
from tieout.data.document import Document
from tieout.data.readers.html.report import read_html
from tieout.data.readers.kinds import Kind
from tieout.data.readers.refusal import UnreadableError

# A reader is a Kind: how it is called, the suffixes of its files, where its function is, the most bytes of a file, and
# whether a file that begins with some bytes is one.
MHT = Kind(
    name="mht",
    title="a web page saved as one file",
    suffixes=("mht", "mhtml"),
    reader="tieout_house:read_mht",
    most=64 << 20,
    begins=lambda start: start.startswith((b"From: <Saved", b"MIME-Version:")) and b"multipart/related" in start,
)

MEASURES = Path(__file__).with_name("measures.toml")  # measures are a file


def read_mht(content: bytes, identifier: str) -> Document:
    """The document in the first page of the file. Raises UnreadableError, the way out in one line."""
    message = email.message_from_bytes(content, policy=policy.default)
    page = message.get_body(("html",))
    if page is None:
        raise UnreadableError("a saved web page without a page in it; save it again as HTML")
    return read_html(page.get_content().encode(), identifier)


class Noted:
    """The backend `noted:NAME` asks the backend NAME, and notes every question in a file. A backend is made of what
    stands behind the colon; it has a name, and a reply to a request."""

    def __init__(self, asked: str) -> None:
        self.name = f"noted:{asked}"
        self._asked = make_backend(asked)

    def reply(self, request: Request) -> Reply:
        """The reply of the other. Raises BackendError, as it does."""
        with Path("questions.txt").open("a", encoding="utf-8") as file:
            file.write(f"{request.question}\n")
        return self._asked.reply(request)


def as_csv(turns: Sequence[Turn], source: object) -> str:
    """An exporter: the conversation as text or bytes of a file with the suffix that the exporter is called by."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["question", "answer", "probability"])
    for turn in turns:
        told = result(turn)
        rows.writerow([turn.question, told["answer"], told["probability"]])
    return out.getvalue()
