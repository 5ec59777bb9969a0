"""Documents of a few bytes that claim or unfold to more than any machine has."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO

import pikepdf


def zeros_packed(mebibytes: int) -> bytes:
    """Return so many MiB of zeros as zlib packs them, without packing them all."""
    packer = zlib.compressobj(9, wbits=-15)
    block = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    checksum = ((mebibytes << 20) % 65521 << 16) + 1
    return b"\x78\xda" + block * mebibytes + packer.flush() + checksum.to_bytes(4, "big")


def unfolding_pdf(data: bytes, mebibytes: int = 4096) -> bytes:
    """Return a PDF whose first page is packed twice, and unfolds to so many MiB of zeros."""
    packed = BytesIO()
    with pikepdf.open(BytesIO(data)) as pdf:
        stream = pdf.make_stream(b"")
        twice = pikepdf.Array([pikepdf.Name.FlateDecode] * 2)
        stream.write(zlib.compress(zeros_packed(mebibytes), 9), filter=twice)
        pdf.pages[0].Contents = stream
        pdf.save(packed, stream_decode_level=pikepdf.StreamDecodeLevel.none, compress_streams=False)
    return packed.getvalue()


def png_that_claims(width: int, height: int, colour: int = 0, pixels: bytes = b"") -> bytes:
    """Return a PNG of a few bytes, with a header of that size and colour type."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        checksum = zlib.crc32(kind + body)
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", checksum)

    header = struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0)
    rest = chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + rest
