"""PDFium's functions through prototypes of plain addresses.

They answer for one character, or one object, at a time. Called as pypdfium2 offers them, the checks
of ctypes' pointer types cost more than the answers.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from pypdfium2 import raw


def function(name: str, answer: Any, *arguments: Any) -> Callable[..., Any]:
    """Return a function of PDFium that takes and gives addresses as numbers.

    Args:
        name: of the function.
        answer: the type of what it returns.
        *arguments: the types of what it takes.
    """
    # These calls last less than a microsecond: not worth letting go of the interpreter's lock.
    return ctypes.PYFUNCTYPE(answer, *arguments)(address_of(getattr(raw, name)))


def address_of(pointer: Any) -> int:
    """Return the address that a pointer, or a function, of pypdfium2 holds."""
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0
