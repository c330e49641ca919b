"""What a process keeps to that runs what nobody here wrote: no sockets, so much memory, so many seconds, and an end
with its parent. It imports nothing of tieout: a process may take it in by its place, so that it starts quickly.
"""

from __future__ import annotations

import ctypes
import math
import os
import platform
import signal
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

SPARE_SECONDS = 2

# The calls that make sockets, by machine: (audit architecture, socket, socketpair), from the kernel's syscall tables.
SOCKET_CALLS = {"x86_64": (0xC000003E, 41, 53), "aarch64": (0xC00000B7, 198, 199)}
SECCOMP_ALLOW, SECCOMP_REFUSE = 0x7FFF0000, 0x00050000 | 1  # SECCOMP_RET_ERRNO with EPERM
LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06  # BPF: load a word, jump if equal, return
PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 1, 38, 22, 2
IO_URING_SETUP = 425  # could make sockets without the socket call; the same number on both machines


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def forbid_sockets() -> bool:
    """Asks the kernel to refuse every new socket of this process (seccomp(2)). False where it has no such filter."""
    if platform.system() != "Linux" or platform.machine() not in SOCKET_CALLS:
        return False
    architecture, *calls = SOCKET_CALLS[platform.machine()]
    calls.append(IO_URING_SETUP)
    code = [(LOAD, 0, 0, 4), (EQUAL, 1, 0, architecture), (RETURN, 0, 0, SECCOMP_REFUSE), (LOAD, 0, 0, 0)]
    for at, call in enumerate(calls):
        code.append((EQUAL, len(calls) - at, 0, call))
    code += [(RETURN, 0, 0, SECCOMP_ALLOW), (RETURN, 0, 0, SECCOMP_REFUSE)]
    packed = b"".join(struct.pack("HBBI", *line) for line in code)
    program = _Program(len(code), packed)
    libc = ctypes.CDLL(None, use_errno=True)
    return bool(
        libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
        and libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0) == 0
    )


def die_with(parent: int) -> None:
    """Ends the process when its parent does, whatever ends that: by a signal of the kernel (prctl(2), Linux), and,
    where there is none or it was too late to ask for it, by looking whether the parent is there."""
    if platform.system() == "Linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if platform.system() == "Windows":  # where the id of a parent that is gone stays
        import psutil

        there = psutil.Process(parent) if psutil.pid_exists(parent) else None
        _end_where(lambda: there is None or not there.is_running(), every=1)
    else:
        _end_where(lambda: os.getppid() != parent, every=1)


def limit_seconds(seconds: float) -> None:
    """Lets the process use so much more of the processor, and some to answer: of use where nobody is there to stop it.

    A query works with one thread, so that it uses no more seconds than pass.
    """
    _BOUNDS.processor = time.process_time() + seconds + SPARE_SECONDS
    if has_limits():
        most = int(_BOUNDS.processor)
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def limit_memory(size: int) -> None:
    """Ends the process when it asks for more than size bytes of address space, without a core file. Where the kernel
    has no such limit, the process is ended soon after it holds more than size bytes, or has used its seconds."""
    if has_limits():
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        return
    import psutil

    held = psutil.Process().memory_info
    _end_where(lambda: held().rss > size or time.process_time() > _BOUNDS.processor, every=0.1)


def has_limits() -> bool:
    """Whether the kernel keeps a process to its limits: that of macOS knows the name of the one on memory only."""
    return resource is not None and platform.system() == "Linux"


@dataclass(slots=True)
class _Bounds:
    """processor: seconds that the process may have used in all."""

    processor: float = math.inf


_BOUNDS = _Bounds()


def _end_where(is_over: Callable[[], bool], every: float) -> None:
    """Ends the process at once, or later from a thread, when something is so. every: seconds between two looks."""

    def watch() -> None:
        while not is_over():
            time.sleep(every)
        os._exit(1)

    if is_over():
        os._exit(1)
    threading.Thread(target=watch, daemon=True).start()
