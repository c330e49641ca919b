"""The offline backend as it is opened: what reads pages is loaded for the first question that needs it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from tieout.agent.offline.report.answer import answer_from_view
from tieout.agent.protocol.message import Reply, Request

if TYPE_CHECKING:
    from tieout.agent.offline.backend import OfflineBackend


class OfflineFirst:
    """Answers as `OfflineBackend` does: questions about whole reports without loading it."""

    name = "offline"

    def reply(self, request: Request) -> Reply:
        """One reply with all calls of the turn."""
        if request.view is None:
            return self._of_pages.reply(request)
        return answer_from_view(request) or self._of_pages.weighed(request)

    @cached_property
    def _of_pages(self) -> OfflineBackend:
        from tieout.agent.offline.backend import OfflineBackend

        return OfflineBackend()
