"""Locks of files between processes: one process holds a file alone, or several share it. A lock ends with the process
that has it, however that ends.

Where there is no flock(2), on Windows, locked are bytes far behind what the file holds: whoever holds it alone has all
of them, whoever shares it has one. Those locks keep others from reading the bytes; there is nothing to be read.
"""

from __future__ import annotations

import errno
import os
import time

try:
    import fcntl
except ImportError:
    import msvcrt

    fcntl = None  # type: ignore[assignment]

PLACES = 64  # how many may share a file
FAR = 2**31 - 2**16  # msvcrt.locking counts in 32 bits
WAIT = 0.05  # seconds between two tries, where the system does not wait for us


def hold(file: int, *, wait: bool = True) -> None:
    """Takes a file for this process alone. file: its descriptor. Raises BlockingIOError where another has it, and it is
    not to be waited for."""
    if fcntl is not None:
        return fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    while not _takes_all(file):
        if not wait:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        time.sleep(WAIT)
    return None


def ease(file: int) -> None:
    """Lets others share a file that this process holds alone: it shares it from now on."""
    if fcntl is not None:
        return fcntl.flock(file, fcntl.LOCK_SH)
    for place in range(1, PLACES):
        _leaves(file, place)
    return None


def share(file: int) -> None:
    """Takes a file beside others who share it; waits for one who holds it alone."""
    if fcntl is not None:
        return fcntl.flock(file, fcntl.LOCK_SH)
    while not any(_takes(file, place) for place in range(PLACES)):
        time.sleep(WAIT)
    return None


def _takes_all(file: int) -> bool:
    for place in range(PLACES):
        if not _takes(file, place):
            for taken in range(place):
                _leaves(file, taken)
            return False
    return True


def _takes(file: int, place: int) -> bool:
    os.lseek(file, FAR + place, os.SEEK_SET)
    try:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
    except OSError as error:
        if error.errno not in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
            raise
        return False
    return True


def _leaves(file: int, place: int) -> None:
    os.lseek(file, FAR + place, os.SEEK_SET)
    msvcrt.locking(file, msvcrt.LK_UNLCK, 1)  # type: ignore[attr-defined, unused-ignore]
