"""Variables of the environment that look like a setting, and are none."""

from __future__ import annotations

import difflib
import logging
import os

from app.settings import ApiSettings

log = logging.getLogger(__name__)

_PREFIX = "FIELDWRIGHT_"
_LIKENESS = 0.75  # of two names; what else begins so, such as a cluster's own, is less like one


def warn_of_unknown() -> None:
    """Note in the log which variables are written nearly as a setting: nothing listens to them.

    They do not stop a process: a release that is rolled back to knows fewer settings.
    """
    known = [name.upper() for name in ApiSettings.model_fields]
    for variable in sorted(name for name in os.environ if name.startswith(_PREFIX)):
        name = variable.removeprefix(_PREFIX)
        near = difflib.get_close_matches(name, known, n=1, cutoff=_LIKENESS)
        if near and name not in known:
            log.warning(
                "setting unknown", extra={"variable": variable, "meant": f"{_PREFIX}{near[0]}"}
            )
