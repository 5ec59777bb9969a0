"""Documents that each meet their own fault on their way, and any number that meet none."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from tests.builders import make_receipt, receipt_pdf
from tests.service import digest


@dataclass(frozen=True, slots=True)
class Doomed:
    """A document and the fault that it meets.

    Attributes:
        data: its bytes.
        fault: hook of `store.faults`, without the document's hash.
    """

    data: bytes
    fault: str

    @property
    def hook(self) -> str:
        """The hook as the setting `fault` has it."""
        point, _, action = self.fault.partition(":")
        return f"{point}@{digest(self.data)}:{action}"


_seeds = itertools.count(20)


def fresh() -> bytes:
    """Return a document that nobody has sent before."""
    return receipt_pdf(make_receipt(next(_seeds)))


def _doomed(fault: str) -> Doomed:
    return Doomed(fresh(), fault)


# What sleeps so long is killed or frozen meanwhile; whoever takes over does not sleep.
READING = _doomed("in_read:sleep:600:1")
TAGGING = _doomed("in_tag:sleep:600:1")
FROZEN = _doomed("in_tag:sleep:2:1")
SLOW = _doomed("in_tag:sleep:2:1")
INTERRUPTED = _doomed("in_tag:sleep:3:1")
UNHEARD = _doomed("in_tag:sleep:5:1")
ANSWERED = _doomed("after_finish:kill9:1")
CHILDLESS = _doomed("in_read:kill9:1")
LEAVING = _doomed("in_tag:exit1:1")
POISON = _doomed("in_read:kill9")
ENDLESS_READING = _doomed("in_read:sleep:600")
ENDLESS_TAGGING = _doomed("in_tag:sleep:600")
HALF_SENT = _doomed("after_spool:kill9:1")
UNANNOUNCED = _doomed("after_commit:kill9:1")
HOOKS = ",".join(value.hook for value in list(vars().values()) if isinstance(value, Doomed))
