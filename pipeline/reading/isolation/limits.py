"""What a child process may use: address space, processor time, size of files, open files."""

from __future__ import annotations

import math
import resource
from dataclasses import dataclass

_OPEN_FILES = 256


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one child; what it starts inherits them, each process counted by itself.

    Attributes:
        memory_mb: address space in MiB. More than what is in use: the libraries that are shared
            with every process, and memory reserved but never touched, count as well.
        file_mb: size in MiB of the largest file it may write.
    """

    memory_mb: int
    file_mb: int

    def apply(self) -> None:
        """Bind this process, for good; no core dump holds a document either."""
        memory = self.memory_mb << 20
        size = self.file_mb << 20
        for kind, most in (
            (resource.RLIMIT_AS, memory),
            (resource.RLIMIT_FSIZE, size),
            (resource.RLIMIT_NOFILE, _OPEN_FILES),
            (resource.RLIMIT_CORE, 0),
        ):
            hard = resource.getrlimit(kind)[1]
            value = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(kind, (value, value))


def allow_cpu(seconds: float) -> None:
    """Let this process compute for so many seconds more; then the kernel ends it (SIGXCPU).

    A process that waits uses no processor time: the parent's clock is what ends that one.
    """
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = math.ceil(used.ru_utime + used.ru_stime + seconds)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    if hard == resource.RLIM_INFINITY or soft < hard:
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))
