"""Take away from Python on Linux what Python on Windows has not, before the program begins."""

from __future__ import annotations

import asyncio  # noqa: F401 what asks for the system when it is loaded is loaded first
import multiprocessing.util  # noqa: F401
import os
import select
import shutil  # noqa: F401
import signal
import socket
import subprocess  # noqa: F401
import sys
import tempfile  # noqa: F401
import types
from contextlib import suppress
from pathlib import Path
from typing import Any

MODULES = ("fcntl", "grp", "pwd", "pty", "resource", "syslog", "termios", "tty")
OF_OS = (
    "chown", "chroot", "fchmod", "fchown", "fork", "forkpty", "getegid", "geteuid", "getgid", "getloadavg", "getpgid",
    "getuid", "killpg", "mkfifo", "nice", "openpty", "setsid", "statvfs", "sysconf", "uname", "wait3", "wait4",
)  # fmt: skip
SIGNALS = ("SIGALRM", "SIGCHLD", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGQUIT", "SIGSTOP", "SIGUSR1", "SIGUSR2")


ZONE = "W. Europe Standard Time"


class _Key:
    """A key of the registry."""

    def __init__(self, *_place: object) -> None: ...

    def Close(self) -> None: ...  # noqa: N802 - the name in winreg


def _locking(number: int, _mode: int, _bytes: int) -> None:
    os.lseek(number, 0, os.SEEK_CUR)  # fails for a number that is no open file


def _refusing(change: Any) -> Any:
    """Let a change fail that Windows refuses: of a file that this process has open."""

    def refusing(path: Any, *more: Any, **named: Any) -> Any:
        opened = set()
        for number in Path("/proc/self/fd").iterdir():
            with suppress(OSError):  # it was closed meanwhile
                opened.add(str(number.readlink()))
        touched = {
            os.path.realpath(each) for each in (path, *more[:1]) if isinstance(each, str | os.PathLike)
        }
        if named.get("dir_fd") is None and opened & {each for each in touched if Path(each).is_file()}:
            raise PermissionError(
                13, "The process cannot access the file because it is being used", str(path)
            )
        return change(path, *more, **named)

    return refusing


def _take_away() -> None:
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    for holder, names in ((os, OF_OS), (signal, SIGNALS), (select, ("poll", "epoll"))):
        for name in names:
            if hasattr(holder, name):
                delattr(holder, name)
    for name in ("replace", "rename", "unlink", "remove"):
        setattr(os, name, _refusing(getattr(os, name)))
    msvcrt: Any = types.ModuleType("msvcrt")
    msvcrt.locking, msvcrt.LK_LOCK = _locking, 1
    sys.modules["msvcrt"] = msvcrt
    socket.SO_EXCLUSIVEADDRUSE = socket.SO_REUSEADDR  # type: ignore[attr-defined]
    winreg: Any = types.ModuleType("winreg")
    winreg.HKEY_LOCAL_MACHINE, winreg.OpenKey, winreg.ConnectRegistry = None, _Key, lambda *_: None
    winreg.QueryInfoKey, winreg.EnumValue = (
        (lambda _key: (0, 1, 0)),
        (lambda _key, _n: ("TimeZoneKeyName", ZONE)),
    )
    sys.modules["winreg"] = winreg
    sys.platform = "win32"


_take_away()
