"""The offline backend as it is opened: what reads pages is loaded for the first question that needs it."""

from __future__ import annotations

from functools import cached_property

from tieout.agent.offline.report.answer import answer_from_view
from tieout.agent.protocol.message import Backend, Reply, Request


class OfflineFirst:
    """Answers as `OfflineBackend` does: questions about whole reports without loading it."""

    name = "offline"

    def reply(self, request: Request) -> Reply:
        """One reply with all calls of the turn."""
        if request.view is not None and (reply := answer_from_view(request)) is not None:
            return reply
        return self._of_pages.reply(request)

    @cached_property
    def _of_pages(self) -> Backend:
        from tieout.agent.offline.backend import OfflineBackend

        return OfflineBackend()
