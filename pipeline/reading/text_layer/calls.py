"""PDFium's functions, each of which answers for one character, or one object, at a time.

Called as pypdfium2 offers them, the checks of ctypes' pointer types cost more than the answers.
"""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt
from pypdfium2 import raw

VOID, INT = ctypes.c_void_p, ctypes.c_int
ADDRESS = ctypes.c_size_t  # as an answer: 0 where c_void_p would answer None
_ROWS, _COLUMNS = 4096, 6
# What PDFium writes its answers to, row by row, with pointers to the first numbers of each row; to
# make pointers takes as long as to ask. As PDFium itself, it serves one thread at a time.
_memory = (ctypes.c_uint * (_ROWS * _COLUMNS))()
_answers = np.ctypeslib.as_array(_memory).reshape(_ROWS, _COLUMNS)
_places = [
    [ctypes.byref(_memory, 4 * place) for place in range(column, _answers.size, _COLUMNS)]
    for column in range(4)
]


def function(name: str, answer: Any, *arguments: Any) -> Callable[..., Any]:
    """Return a function of PDFium.

    Args:
        name: of the function.
        answer: the type of what it returns.
        *arguments: the types of what it takes. Without them it takes what ctypes holds, and numbers
            of 32 bits: to convert arguments takes longer than most of the answers.
    """
    # These calls last less than a microsecond: not worth letting go of the interpreter's lock.
    address = ctypes.cast(getattr(raw, name), VOID).value or 0
    return ctypes.PYFUNCTYPE(answer, *arguments)(address)


def written(
    function: Callable[..., Any],
    *arguments: Iterable[Any],
    count: int,
    columns: int,
    kind: type[np.float32 | np.uint32] = np.float32,
    before: float = 0,
    apart: bool = False,
) -> npt.NDArray[Any]:
    """Return the numbers of four bytes that a function writes, (count, columns), a row a call.

    Args:
        function: takes the arguments, then where to write the row.
        *arguments: what it takes in each of the calls.
        count: number of the calls.
        columns: of the numbers, at most 6.
        kind: of the numbers.
        before: what stands where nothing is written.
        apart: it takes where to write each of the numbers, at most 4.
    """
    result = np.empty((count, columns), kind)
    given = [iter(argument) for argument in arguments]
    for start in range(0, count, _ROWS):
        rows = result[start : start + _ROWS]
        memory = _answers[: len(rows), :columns].view(kind)
        memory[:] = before
        places = _places[: columns if apart else 1]
        deque(map(function, *(islice(each, len(rows)) for each in given), *places), maxlen=0)
        rows[:] = memory
    return result
