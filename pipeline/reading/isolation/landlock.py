"""Landlock: restricts which files, TCP ports and processes this process and its children reach.

It needs no privileges, cannot be undone, and holds for root as well. What it covers grew with the
kernel (its "ABI"): files since 5.13, TCP since 6.7, signals since 6.12; each version is used as
far as it goes. See https://docs.kernel.org/userspace-api/landlock.html and `linux/landlock.h`.
"""

from __future__ import annotations

import ctypes
import os
import stat
import sys
from functools import cache
from pathlib import Path

# System calls; their numbers are the same on all architectures.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION = 1  # flag of create_ruleset: return the ABI
_PATH_BENEATH = 1  # type of rule

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE, _MAKE_DIR, _MAKE_FILE, _MAKE_SYMLINK = (
    1 << 4,
    1 << 5,
    1 << 7,
    1 << 8,
    1 << 12,
)
_REFER, _TRUNCATE = 1 << 13, 1 << 14

READ = READ_FILE | READ_DIR
# Regular files and folders alone: no devices, sockets or pipes can be made.
READ_WRITE = (
    (READ | WRITE_FILE | _TRUNCATE | _REFER)
    | (_REMOVE_DIR | _REMOVE_FILE)
    | (_MAKE_DIR | _MAKE_FILE | _MAKE_SYMLINK)
)
_FOR_FILES = EXECUTE | WRITE_FILE | READ_FILE | _TRUNCATE  # all that a rule for a file may grant

# Rights to files that an ABI knows: all bits up to there, by the first ABI that has them.
_FILE_RIGHTS = ((1, 1 << 13), (2, 1 << 14), (3, 1 << 15), (5, 1 << 16))
_TCP, _TCP_SINCE = 0b11, 4  # bind and connect
_SCOPES, SIGNALS_SINCE = 0b11, 6  # abstract UNIX sockets and signals


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("files", ctypes.c_uint64),
        ("tcp", ctypes.c_uint64),
        ("scopes", ctypes.c_uint64),
    )


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


@cache
def abi() -> int:
    """Return the version of Landlock that the kernel offers this process, 0 for none."""
    if sys.platform != "linux":
        return 0
    return max(0, int(_libc().syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _VERSION)))


class Ruleset:
    """What stays allowed once `enforce` is called; all else is refused.

    Raises:
        OSError: the kernel has no Landlock, or a rule is refused.
    """

    def __init__(self) -> None:
        version = abi()
        self._files = max((1 << 13, *(top for since, top in _FILE_RIGHTS if version >= since))) - 1
        attributes = _Ruleset(
            self._files,
            _TCP if version >= _TCP_SINCE else 0,
            _SCOPES if version >= SIGNALS_SINCE else 0,
        )
        size = 24 if version >= SIGNALS_SINCE else 16 if version >= _TCP_SINCE else 8
        self._handle = _called(
            _CREATE_RULESET, ctypes.byref(attributes), ctypes.c_size_t(size), ctypes.c_uint32(0)
        )

    def allow(self, path: str | Path, rights: int) -> None:
        """Allow rights to a file, or to all that lies in a folder; a missing path is passed over.

        Args:
            path: symbolic links in it are followed now.
            rights: those that only folders have are left out where it is a file.
        """
        try:
            handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            return
        try:
            if not stat.S_ISDIR(os.fstat(handle).st_mode):
                rights &= _FOR_FILES
            rule = _PathBeneath(rights & self._files, handle)
            _called(
                _ADD_RULE,
                self._handle,
                _PATH_BENEATH,
                ctypes.byref(rule),
                ctypes.c_uint32(0),
            )
        finally:
            os.close(handle)

    def enforce(self) -> None:
        """Restrict this thread and all that it starts, for good; needs `no_new_privs`."""
        try:
            _called(_RESTRICT_SELF, self._handle, ctypes.c_uint32(0))
        finally:
            os.close(self._handle)


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _called(number: int, *arguments: object) -> int:
    """Call the kernel; return its answer.

    Raises:
        OSError: it refused.
    """
    answer = int(_libc().syscall(number, *arguments))
    if answer < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"Landlock: {os.strerror(error)}")
    return answer
