"""Which desk answers a question: questions go, in the order in which they came, to the first process that has room, so
that nobody waits behind a long one while another process is free."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field

from tieout.serve.asking.desk import Desk
from tieout.serve.asking.process import ENDED, DeskError, DeskProcess

AHEAD = 2  # questions that a process has: that which it answers, and the next, so that it waits for none
NEXT = 2  # of those who wait: where one of them was at the process before, it goes on there


@dataclass(slots=True, eq=False)
class _Waiting:
    """Who waits for a desk. last: where it was before."""

    last: Desk | None
    desk: Future[DeskProcess] = field(default_factory=Future)


class Desks:
    """The processes that answer. Close them.

    make: begins one. here: the desk of this process, which answers where there are none. stays: a conversation stays
    where it was begun, as it has much open there.
    """

    def __init__(self, make: Callable[[], DeskProcess], count: int, here: Desk, stays: bool = False) -> None:
        self._make, self._here, self._stays = make, here, stays
        self._busy = {make(): 0 for _ in range(count)}  # questions of each, the one that got none for longest first
        self._line: list[_Waiting] = []
        self._lock = threading.Lock()
        self._closed = False

    def all(self) -> list[DeskProcess]:
        """Those that are there."""
        return list(self._busy)

    def close(self) -> None:
        """Ends all of them; who waits for one gets none."""
        with self._lock:
            self._closed = True
            for each in self._line:
                each.desk.set_exception(DeskError(ENDED))
            self._line.clear()
        for desk in self.all():
            desk.close()

    @contextmanager
    def one(self, last: Desk | None) -> Iterator[Desk]:
        """A desk that has room, once the others have asked who came before. last: where a conversation was before.
        Raises DeskError."""
        if not self._busy:
            yield self._here
            return
        waiting = _Waiting(last)
        with self._lock:
            if self._closed:
                raise DeskError(ENDED)
            self._line.append(waiting)
            self._hand_out()
        desk = waiting.desk.result()
        try:
            yield desk
        finally:
            with self._lock:
                if desk in self._busy:
                    self._busy[desk] -= 1
                self._hand_out()

    def _hand_out(self) -> None:
        """Gives desks to who waits, as far as there is room."""
        while self._line and not self._closed:
            self._replace()
            if self._stays and self._line[0].last in self._busy:
                chosen, desk = self._line[0], next(each for each in self._busy if each is self._line[0].last)
            else:
                desk = min(self._busy, key=lambda each: (self._busy[each], each is not self._line[0].last))
                if self._busy[desk] >= AHEAD:
                    return
                chosen = next((each for each in self._line[:NEXT] if each.last is desk), self._line[0])
            self._line.remove(chosen)
            self._busy[desk] = self._busy.pop(desk) + 1
            chosen.desk.set_result(desk)

    def _replace(self) -> None:
        """Begins another process for each that has ended."""
        for desk in [each for each in self._busy if not each.is_alive]:
            del self._busy[desk]
            desk.close()
            self._busy[self._make()] = 0
