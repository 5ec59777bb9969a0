"""What a client has sent, kept beside its output: a run that broke off goes on where it was.

The file is a journal, a line of JSON for each step, written before the step counts. Documents
are named by their hash, so they may be moved and renamed. Lines:

    {"order": HASH, "key": KEY, "documents": [SHA256, ...]}     about to be sent
    {"key": KEY, "batch": ID}                                   accepted by the service
    {"key": KEY, "lost": [SHA256, ...]}                         the service has them no more
"""

from __future__ import annotations

import fcntl
import json
import os
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from pipeline.errors import InvalidOption

_STARTS = ('{"order": "', '{"key": "')


@dataclass(slots=True)
class Upload:
    """Documents that were sent together.

    Attributes:
        key: makes the request repeatable.
        documents: their SHA-256, in their order.
        batch: id at the service; None where it is not known whether it was accepted.
    """

    key: str
    documents: list[str] = field(default_factory=list)
    batch: str | None = None


class Journal:
    """The journal of one folder of documents; a context, and open to one process at a time.

    Args:
        path: of the file, made when missing.
        order: hash of the service and of how it is to read; others' lines are left alone.

    Raises:
        InvalidOption: it cannot be written, is no journal, or another process has it.
    """

    def __init__(self, path: Path, order: str) -> None:
        self.path = path
        self._order = order
        self._uploads: dict[str, Upload] = {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+", encoding="utf-8")
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self._file.close()
            raise InvalidOption(
                f"Another process sends these documents: it has {path} open.",
                advice="Wait for it to end, or give another --state.",
            ) from error
        except OSError as error:
            raise InvalidOption(
                f"{path} cannot be written: {error.strerror}.", advice="Give another --state."
            ) from error
        try:
            self._replay()
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            self._file.close()
            raise InvalidOption(
                f"{path} is not a file of this command.", advice="Give another --state."
            ) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._file.close()

    @property
    def uploads(self) -> list[Upload]:
        """What was sent and is still of use, in its order."""
        return [upload for upload in self._uploads.values() if upload.documents]

    def begin(self, documents: Sequence[str]) -> Upload:
        """Note that documents are about to be sent; return them with a new key."""
        key = str(uuid.uuid4())
        self._note({"order": self._order, "key": key, "documents": list(documents)})
        return self._uploads[key]

    def accepted(self, upload: Upload, batch: str) -> None:
        """Note the batch that the service made of an upload."""
        self._note({"key": upload.key, "batch": batch})

    def lost(self, upload: Upload, documents: Sequence[str]) -> None:
        """Note documents that have to be sent again."""
        self._note({"key": upload.key, "lost": list(documents)})

    def _note(self, line: dict[str, Any]) -> None:
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        self._apply(line)

    def _replay(self) -> None:
        self._file.seek(0)
        text = self._file.read()
        lines = text.split("\n")
        for line in lines[:-1]:
            if line:
                self._apply(json.loads(line))
        if rest := lines[-1]:  # a line that broke off: its step did not count
            begun = rest.rstrip("\0")  # which a power cut may leave where nothing was written yet
            if not any(begun.startswith(start) or start.startswith(begun) for start in _STARTS):
                raise ValueError("a file of something else")
            self._file.truncate(len(text.encode()) - len(rest.encode()))

    def _apply(self, line: dict[str, Any]) -> None:
        key = line["key"]
        if "documents" in line:
            if line["order"] == self._order:
                self._uploads[key] = Upload(key, [str(item) for item in line["documents"]])
            return
        upload = self._uploads.get(key)
        if upload is None:
            return
        if "batch" in line:
            upload.batch = str(line["batch"])
        else:
            lost = set(line["lost"])
            upload.documents = [item for item in upload.documents if item not in lost]
