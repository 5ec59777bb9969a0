"""The other client: asks again and again from an address of its own until its input ends.

    python -m tests.attacks.bystander URL [--upload]

Prints a line a request: when it began, the seconds it took, and its status (599 for none). A
process by itself, so that it waits for the service and not for its own attacker.
"""

from __future__ import annotations

import contextlib
import http.client
import select
import sys
import time
from urllib.parse import urlsplit

from tests.builders import make_receipt, receipt_pdf

SOURCE = "127.0.0.2"
_FORM = {"Content-Type": "multipart/form-data; boundary=b"}


def main(url: str, *, upload: bool) -> None:
    """Ask until standard input ends."""
    part = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'
    document = part + receipt_pdf(make_receipt(7)) + b"\r\n--b--\r\n" if upload else b""
    target = urlsplit(url)
    client = http.client.HTTPConnection(
        target.hostname or "", target.port, timeout=60, source_address=(SOURCE, 0)
    )
    while not select.select([sys.stdin], [], [], 0.5 if upload else 0.01)[0]:
        start, status = time.monotonic(), 599
        with contextlib.suppress(OSError, http.client.HTTPException):
            if upload:
                client.request("POST", "/extract?wait=0", document, _FORM)
            else:
                client.request("GET", "/livez")
            answer = client.getresponse()
            answer.read()
            status = answer.status
        if status == 599:
            client.close()
        sys.stdout.write(f"{start} {time.monotonic() - start} {status}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], upload="--upload" in sys.argv)
