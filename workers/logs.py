"""Logging of all processes: one JSON object a line on standard error, never a document's words."""

from __future__ import annotations

import json
import logging
import sys
import time
import traceback

_PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}


class JsonFormatter(logging.Formatter):
    """One JSON object a record: time, level, logger, event, then what was given as ``extra``.

    Of an exception the type and the places are shown, not the message, which may quote a
    document. JSON escapes control characters, so no text can forge a line.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line."""
        moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        event = {
            "time": f"{moment}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
            **{name: value for name, value in vars(record).items() if name not in _PLAIN},
        }
        if record.exc_info and record.exc_info[0] is not None:
            event["error"] = record.exc_info[0].__name__
            calls = traceback.extract_tb(record.exc_info[2])[-12:]
            event["places"] = [f"{one.filename}:{one.lineno} {one.name}" for one in calls]
        return json.dumps(event, default=str)


def configure_logging() -> None:
    """Send the log of this process to standard error; call once, at its start."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    # They speak a page for each document, partly with its words.
    for noisy in ("pdfminer", "PIL", "alembic", "httpx"):
        logging.getLogger(noisy).setLevel(logging.ERROR)
