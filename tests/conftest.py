"""Settings for all tests: hypothesis without a deadline, and one thread for tiny models."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# Before torch is imported, and for every process that a test starts: threads that wait for each
# other cost more than these models need.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# No test measures time.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")
