"""Python without what only POSIX has, as near to Windows as it can be brought here: imported before all else by the
processes of `test_portable`. Files can still be locked, as msvcrt does it: byte by byte, at a place."""

from __future__ import annotations

import asyncio
import fcntl
import getpass
import multiprocessing
import multiprocessing.context
import os
import shutil
import signal
import struct
import subprocess
import sys
from importlib.abc import MetaPathFinder
from types import ModuleType

import psutil

assert psutil, "on Linux it needs resource itself"
assert asyncio and getpass and subprocess, "they look what there is, and take themselves for another system then"
MODULES = "crypt curses fcntl grp nis pty pwd readline resource spwd syslog termios tty uvloop".split()
OF_OS = (
    "O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK chown chroot fchmod fchown fork forkpty getegid geteuid getgid "
    "getgroups getloadavg getpgid getpgrp getuid initgroups killpg lchown mkfifo nice openpty pread "
    "register_at_fork sched_getaffinity setpgid setsid setuid sysconf uname wait wait3 wait4"
).split()
OF_SIGNALS = "SIGALRM SIGHUP SIGPIPE SIGQUIT SIGUSR1 alarm pthread_kill pthread_sigmask setitimer".split()


class Blocked(MetaPathFinder):
    """Finds nothing where a module is only for POSIX."""

    def find_spec(self, name, path=None, target=None):
        if name in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


class Msvcrt(ModuleType):
    """Locks of bytes at the place where a file stands, which belong to whoever opened it."""

    LK_UNLCK, LK_NBLCK = 0, 2

    @staticmethod
    def locking(file: int, mode: int, count: int) -> None:
        kind = fcntl.F_UNLCK if mode == Msvcrt.LK_UNLCK else fcntl.F_WRLCK
        lock = struct.pack("hhqqi4x", kind, os.SEEK_CUR, 0, count, 0)
        fcntl.fcntl(file, fcntl.F_OFD_SETLK, lock)


sys.modules["msvcrt"] = Msvcrt("msvcrt")
for name in MODULES:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Blocked())
for module, names in ((os, OF_OS), (signal, OF_SIGNALS)):
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
for name in ("fork", "forkserver"):
    multiprocessing.context._concrete_contexts.pop(name)
shutil._use_fd_functions = False  # where a folder is opened, as only POSIX lets one
multiprocessing.set_start_method("spawn")
multiprocessing.get_all_start_methods = lambda: ["spawn"]
