"""The semaphore of processes: so many get in, and death gives a place back."""

from __future__ import annotations

import multiprocessing
import os
import signal
from multiprocessing.connection import Connection

from workers.broker.semaphore import ProcessSemaphore


def _holds(semaphore: ProcessSemaphore, line: Connection) -> None:
    with semaphore.acquired() as free:
        line.send(free)
        line.recv()


def test_place_of_a_dead_process_is_free() -> None:
    semaphore = ProcessSemaphore(2)
    fork = multiprocessing.get_context("fork")
    started = []
    for _ in range(3):
        ours, theirs = fork.Pipe()
        process = fork.Process(target=_holds, args=(semaphore, theirs))
        process.start()
        started.append((process, ours, ours.recv()))
    assert [free for _, _, free in started] == [True, True, False]
    os.kill(started[0][0].pid, signal.SIGKILL)
    started[0][0].join()
    with semaphore.acquired() as free:
        assert free
    with semaphore.acquired() as free:  # and it was given back
        assert free
    for process, line, _ in started[1:]:
        line.send(None)
        process.join()
    semaphore._file.close()
