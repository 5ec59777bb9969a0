"""The sandbox of the processes that read documents: what code in the hands of one still reaches.

Its own folder, the document (read only), libraries, fonts and the data of programs (read only), and
the programs tesseract, pdftoppm and pdfinfo. No socket but the one to its caller, no other program,
no other process, no capability. Landlock restricts files, TCP and signals, seccomp system calls;
neither needs privileges, so that it works in a container without any.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from pipeline.errors import DependencyMissing
from pipeline.reading.isolation import landlock, seccomp
from pipeline.reading.isolation.programs import PROGRAMS
from pipeline.reading.options import Confinement

_CODE = Path(__file__).resolve().parents[3]
_OUR_PACKAGES = ("models", "pipeline")  # not the folder around them: data may lie there, too
_LIBRARIES = ("lib", "lib32", "lib64", "share")
_READ_ONLY = (
    *("/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime"),
    *("/etc/fonts", "/var/cache/fontconfig"),
    # How many cores, how much memory: asked by OpenMP, onnxruntime and malloc.
    *("/proc/cpuinfo", "/proc/meminfo", "/proc/sys/vm/overcommit_memory"),
    *("/sys/devices/system/cpu", "/dev/urandom", "/dev/zero"),
)
_NAMES = ("PATH", "LD_LIBRARY_PATH", "TESSDATA_PREFIX", "HOME")  # of variables
_FONTS_AT_HOME = (".fonts", ".local/share/fonts", ".cache/fontconfig")
_LOADER = re.compile(r"(/\S*/ld-[^/\s]+)$", re.MULTILINE)  # in a memory map: what starts programs

_NO_NEW_PRIVILEGES = 38  # of prctl
_CAPABILITIES_VERSION = 0x20080522


def in_force(confinement: Confinement) -> str:
    """Return what confines readers here: ``landlock+seccomp``, one of them, or ``none``."""
    if confinement == "off":
        return "none"
    parts = [
        name
        for name, there in (("landlock", landlock.abi() > 0), ("seccomp", seccomp.available()))
        if there
    ]
    return "+".join(parts) or "none"


def lacking(confinement: Confinement) -> str:
    """Return a sentence on what readers are not confined by, empty where it is as it should be."""
    if confinement == "off":
        return "Readers are not confined: FIELDWRIGHT_CONFINEMENT is off."
    absent = {"landlock", "seccomp"} - set(in_force(confinement).split("+"))
    named = {"landlock": "Landlock", "seccomp": "seccomp filters"}
    names = " and no ".join(named[name] for name in sorted(absent))
    return f"Readers are not fully confined: the kernel offers no {names} here." if absent else ""


def require(confinement: Confinement) -> None:
    """Check that there is the confinement asked for.

    Raises:
        DependencyMissing: it is required, and a part of it is not there.
    """
    if confinement == "required" and (detail := lacking(confinement)):
        raise DependencyMissing(
            detail,
            advice="Use Linux 5.13 or newer with Landlock among its security modules, and Docker "
            "23 or newer; or set FIELDWRIGHT_CONFINEMENT=auto to read without.",
        )


class Sandbox:
    """The sandbox of this process, prepared; `enter` closes it behind the process.

    What all readers have in common is prepared before their document is known, for it takes longer.
    """

    def __init__(self) -> None:
        self._rules = landlock.Ruleset() if landlock.abi() else None
        if self._rules is None:
            return
        for path, rights in _common(*(os.environ.get(name, "") for name in _NAMES)):
            self._rules.allow(path, rights)

    def enter(self, folder: str, readable: Iterable[str]) -> None:
        """Confine this process and all that it will start, for good.

        Args:
            folder: may be written to.
            readable: files, or folders with all in them, that may be read.

        Raises:
            OSError: the kernel refuses.
        """
        _drop_capabilities()
        if self._rules is not None:
            self._rules.allow(folder, landlock.READ_WRITE)
            for path in readable:
                self._rules.allow(path, landlock.READ)
            self._rules.enforce()
        if seccomp.available():
            seccomp.enforce(signals=landlock.abi() >= landlock.SIGNALS_SINCE)


def no_new_privileges() -> None:
    """Have no program that this process starts gain privileges; what restricts it needs that."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)


def prepare() -> None:
    """Look up in advance what `Sandbox` allows: for a process that will be forked."""
    if landlock.abi():
        Sandbox()
    seccomp.available()


@cache
def _common(
    path: str, libraries: str, recognition_data: str, home: str
) -> tuple[tuple[str, int], ...]:
    """Return the paths that all readers may use, with their rights, by the values of `_NAMES`."""
    found = (shutil.which(name, path=path) for name in PROGRAMS)
    programs = [os.path.realpath(program) for program in found if program]
    loaders = _LOADER.findall(Path("/proc/self/maps").read_text(encoding="utf-8"))
    prefixes = {"/usr", "/usr/local", sys.prefix, sys.base_prefix}
    prefixes |= {str(Path(program).parents[1]) for program in programs}
    readable = [
        *_READ_ONLY,
        *(f"{prefix}/{name}" for prefix in sorted(prefixes) for name in _LIBRARIES),
        *(str(_CODE / name) for name in _OUR_PACKAGES),
        *filter(None, f"{libraries}:{recognition_data}".split(":")),
        *(f"{home}/{name}" for name in _FONTS_AT_HOME if home),
    ]
    rights = [
        *((path, landlock.READ) for path in readable),
        *((path, landlock.READ | landlock.EXECUTE) for path in (*programs, *loaders)),
        (os.devnull, landlock.READ | landlock.WRITE_FILE),
    ]
    # Once each, by what a path leads to: /lib is a link to /usr/lib.
    places = {(os.path.realpath(path), right) for path, right in rights}
    return tuple(sorted(place for place in places if os.path.exists(place[0])))  # noqa: PTH110


def _drop_capabilities() -> None:
    """Give up the privileges of root, where this process is root's; programs do not regain them."""
    libc = ctypes.CDLL(None, use_errno=True)
    head = (ctypes.c_uint32 * 2)(_CAPABILITIES_VERSION, 0)
    none = (ctypes.c_uint32 * 6)()
    if libc.capset(head, none):
        error = ctypes.get_errno()
        raise OSError(error, f"capset: {os.strerror(error)}")
