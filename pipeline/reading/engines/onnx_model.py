"""Removes subnormal weights from ONNX models, which make them three times slower.

Numbers below 1.2e-38 are computed in microcode, a hundred times slower than others; training
leaves them where a channel has died. A flag of the processor would flush them too, but binds
whatever else the thread computes, and ONNX Runtime sets it for the first thread of a process only.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

# Protocol Buffers: numbers of the fields on the way to the weights, and the kinds of fields.
_GRAPH, _INITIALIZER, _DATA_TYPE, _RAW_DATA = 7, 5, 2, 9
_FLOAT = 1  # of TensorProto.DataType
_VARINT, _FIXED_64, _BYTES, _FIXED_32 = 0, 1, 2, 5
_EXPONENT = np.uint32(0x7F800000)


def without_subnormals(model: bytes) -> bytes:
    """Return an ONNX model in which every subnormal 32-bit weight is 0.

    Args:
        model: the file; weights kept outside of it are not touched.

    Raises:
        ValueError: it is not in the form of Protocol Buffers.
    """
    result = bytearray(model)
    try:
        for graph in _parts(model, 0, len(model), _GRAPH):
            for tensor in _parts(model, *graph, _INITIALIZER):
                fields = {number: place for number, *place in _fields(model, *tensor)}
                kind, _ = fields.get(_DATA_TYPE, (0, 0))
                start, end = fields.get(_RAW_DATA, (0, 0))
                if kind == _FLOAT and end > start:
                    bits = np.frombuffer(result, np.uint32, (end - start) // 4, start)
                    bits[(bits & _EXPONENT) == 0] = 0
    except IndexError as error:
        raise ValueError("the model ends early") from error
    return bytes(result)


def _parts(data: bytes, start: int, end: int, wanted: int) -> Iterator[tuple[int, int]]:
    """Yield where the parts of one number begin and end."""
    for number, first, last in _fields(data, start, end):
        if number == wanted:
            yield first, last


def _fields(data: bytes, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Yield number, begin and end of each field of a message; of a whole number, it twice."""
    while start < end:
        key, start = _varint(data, start)
        number, kind = key >> 3, key & 7
        if kind == _VARINT:
            value, start = _varint(data, start)
            yield number, value, value
        elif kind == _BYTES:
            length, start = _varint(data, start)
            if start + length > end:
                raise ValueError("a part is longer than the whole")
            yield number, start, start + length
            start += length
        elif kind in (_FIXED_64, _FIXED_32):
            start += 8 if kind == _FIXED_64 else 4
        else:
            raise ValueError(f"a field of the unknown kind {kind}")


def _varint(data: bytes, start: int) -> tuple[int, int]:
    """Return a whole number in base 128, and where the next thing begins."""
    value = shift = 0
    while True:
        byte = data[start]
        start += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, start
        shift += 7
