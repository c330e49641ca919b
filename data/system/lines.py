"""A process that is asked line by line: one line goes in, one comes out, in time, or the process is ended."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO


class LineProcess:
    """A process of a command, and what it says. To be stopped.

    folder: where it runs. environment: its variables. None for those of this process.
    """

    def __init__(
        self, command: Sequence[str], folder: Path | None = None, environment: Mapping[str, str] | None = None
    ) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=environment,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._in: IO[bytes] = self._process.stdin
        self._said: SimpleQueue[bytes] = SimpleQueue()  # lines; an empty one is the last
        # Pipes cannot be waited for with a deadline on every system; threads can.
        self._listener = threading.Thread(target=self._listen, args=(self._process.stdout,), daemon=True)
        self._listener.start()

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def exchange(self, message: bytes, seconds: float) -> bytes:
        """The next line that the process says to a message. Raises TimeoutError where none comes in seconds, EOFError
        where the process has ended: both end it, for it could not be asked again."""
        deadline = time.monotonic() + seconds
        try:
            self._in.write(message)
            self._in.flush()
            line = self._said.get(timeout=max(0.0, deadline - time.monotonic()))
        except Empty:
            self.stop()
            raise TimeoutError from None
        except OSError:  # the pipe is broken
            line = b""
        if not line:
            self.stop()
            raise EOFError
        return line

    def finish(self, seconds: float) -> None:
        """Lets it end on its own, as nothing more is asked. Waits so long at most."""
        with suppress(OSError, subprocess.TimeoutExpired):
            self._in.close()
            self._process.wait(seconds)

    def kill(self) -> None:
        """Ends the process, also while another thread waits for a line of it, which is told that it has ended."""
        self._process.kill()

    def stop(self) -> None:
        """Ends the process, whatever it does."""
        self._process.kill()
        self._process.wait()
        self._listener.join()
        with suppress(OSError):
            self._in.close()

    def _listen(self, said: IO[bytes]) -> None:
        with said:
            for line in said:
                self._said.put(line)
        self._said.put(b"")
