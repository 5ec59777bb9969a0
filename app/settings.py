"""Settings of the API alone; those it shares with the workers are in `workers.settings`."""

from __future__ import annotations

from workers.settings import Count, Seconds, Settings


class ApiSettings(Settings):
    """Settings of the API process, ``FIELDWRIGHT_`` + name as the shared ones.

    Attributes:
        wait_default_s: how long POST /extract waits for the answer where the request says nothing.
        wait_max_s: longest wait that is granted; more is cut to it.
        form_overhead: bytes that a request may have beside the document.
        slow_upload_grace_s: a body may take so long, and a second more for each `slow_upload_rate`.
        slow_upload_rate: bytes a second below which an upload is given up.
    """

    wait_default_s: Seconds = 30.0
    wait_max_s: Seconds = 60.0
    form_overhead: Count = 65_536
    slow_upload_grace_s: Seconds = 30.0
    slow_upload_rate: Count = 8_192
