"""What a document may do to the process that reads it, and what becomes of the document then."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from pipeline.document import Document
from pipeline.errors import (
    BadPageRange,
    CorruptDocument,
    DependencyMissing,
    DocumentError,
    FieldwrightError,
    InvalidOption,
    MemoryExceeded,
    ReaderCrashed,
    ReaderLost,
    ReadingTimeout,
    StorageFull,
    TooManyPages,
)
from pipeline.reading.reader import ReadOptions, read_ahead, read_document, read_once
from tests.patience import tidied, until
from tests.pipeline.reading.hostile import GO, OPENER, hostile_document, notes

ROOT = Path(__file__).resolve().parents[4]
# Small limits, so that what goes on for ever ends soon.
QUICK = ReadOptions(page_timeout_s=1.0, memory_mb=512, processes=2)
PATIENT = ReadOptions(processes=2)
FORK_SERVER = "pipeline.reading.isolation.forkserver"


@pytest.fixture
def spool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder in which readings have their folders."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def read(data: bytes, options: ReadOptions = QUICK, **more: Callable[[int, int], None]) -> Document:
    return read_document(data, options, opener=OPENER, **more)


def server() -> psutil.Process:
    """Return the process that forks this process's readers."""
    (page,) = read(hostile_document("look")).pages
    (word,) = (token.text for token in page.tokens if token.text.startswith("server="))
    return psutil.Process(int(word.removeprefix("server=")))


ENDS = [
    ("segfault", "reader_crashed"),
    ("abort", "reader_crashed"),
    ("exit", "reader_crashed"),
    ("exception", "reader_crashed"),
    ("garbage", "reader_crashed"),
    ("liar", "reader_crashed"),
    ("memory", "resource_limit"),
    ("disk", "resource_limit"),
    ("hang", "processing_timeout"),
    ("spin", "processing_timeout"),
    ("corrupt", "document_corrupt"),
]


@pytest.mark.parametrize(("action", "code"), ENDS)
def test_a_page_fails_alone(action: str, code: str) -> None:
    document = read(hostile_document("words", action, "words"))
    assert [page.number for page in document.pages] == [1, 2, 3]
    assert [len(page.tokens) for page in document.pages] == [1, 0, 1]
    failed = document.pages[1]
    assert (failed.text_source, failed.reason) == ("none", f"not read: {code}")
    (warning,) = document.warnings
    assert warning.startswith("Page 2 was not read. ")
    assert "SECRET" not in warning


@pytest.mark.parametrize(("action", "code"), ENDS)
def test_a_page_that_is_all_there_is_fails_the_document(action: str, code: str) -> None:
    with pytest.raises(DocumentError) as caught:
        read(hostile_document(action))
    assert caught.value.code == code
    assert "1" in caught.value.detail or action == "corrupt"


@pytest.mark.parametrize(("action", "code"), [end for end in ENDS if end[0] != "liar"])
def test_an_end_at_the_opening_is_the_document_s(action: str, code: str) -> None:
    with pytest.raises(DocumentError) as caught:
        read(hostile_document("words", "words", opening=action))
    assert caught.value.code == code


def test_the_error_of_the_first_page_where_all_fail() -> None:
    with pytest.raises(CorruptDocument):
        read(hostile_document("corrupt", "segfault"))
    with pytest.raises(ReaderCrashed):
        read(hostile_document("segfault", "corrupt"))


def test_two_pages_of_three_fail() -> None:
    document = read(hostile_document("segfault", "words", "hang"))
    assert [page.reason for page in document.pages] == [
        "not read: reader_crashed",
        "invented",
        "not read: processing_timeout",
    ]
    assert [warning[:19] for warning in document.warnings] == [
        "Page 1 was not read",
        "Page 3 was not read",
    ]


def test_a_page_without_words_is_warned_of() -> None:
    document = read(hostile_document("blank"))
    assert document.warnings == ("Page 1: no words were found (nothing there).",)


def test_a_fault_of_the_installation_is_no_fault_of_the_page() -> None:
    with pytest.raises(DependencyMissing, match="scissors"):
        read(hostile_document("words", "missing", "words"))


def test_a_full_disk_is_no_fault_of_the_page_either() -> None:
    with pytest.raises(StorageFull):
        read(hostile_document("words", "full"))
    with pytest.raises(StorageFull):
        read(hostile_document("words", opening="full"))


def test_pages_stay_in_order_while_progress_goes_by_what_is_done() -> None:
    calls: list[tuple[int, int]] = []
    pages: list[str | list[object]] = [["slow", 0.5], *["words"] * 5]
    document = read(
        hostile_document(*pages), PATIENT, on_page=lambda done, total: calls.append((done, total))
    )
    assert [page.number for page in document.pages] == [1, 2, 3, 4, 5, 6]
    assert [page.tokens[0].text for page in document.pages] == [f"word-{n}" for n in range(1, 7)]
    assert calls == [(done, 6) for done in range(1, 7)]


def test_other_pages_are_read_while_one_takes_long() -> None:
    seen: list[float] = []
    document = read(
        hostile_document("hang", *["words"] * 4), on_page=lambda done, total: seen.append(done)
    )
    assert len(document.warnings) == 1
    assert seen == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("processes", [2, 3])
def test_as_many_pages_at_once_as_there_are_processes(processes: int, spool: Path) -> None:
    at_once, done = [0], threading.Event()

    def let_go() -> None:
        until(lambda: len(notes(spool)) == processes, "that many pages to be at work")
        while not done.wait(0.01):
            found = notes(spool)
            at_once.append(len(found))
            for note in found:
                note.unlink()
                note.with_name(GO).touch()

    helper = threading.Thread(target=let_go)
    helper.start()
    pages = read(hostile_document(*["meet"] * 6), ReadOptions(processes=processes)).pages
    done.set()
    helper.join()
    assert [page.reason for page in pages] == ["invented"] * 6
    assert max(at_once) == processes


def test_a_page_range_is_checked_as_soon_as_the_pages_are_counted() -> None:
    data = hostile_document("hang", "hang", "hang")
    with pytest.raises(BadPageRange, match="pages 1 to 3"):
        read(data, ReadOptions(pages="4"))
    with pytest.raises(TooManyPages):
        read(data, ReadOptions(max_pages=2))
    assert len(read(hostile_document("hang", "words"), ReadOptions(pages="2")).pages) == 1


def test_the_time_of_the_whole_document() -> None:
    data = hostile_document(*[["slow", 0.4]] * 20)
    with pytest.raises(ReadingTimeout, match="longer than 1 seconds"):
        read(data, ReadOptions(document_timeout_s=1.0, processes=1))


@pytest.mark.parametrize(
    "wrong", [{"processes": 0}, {"memory_mb": 16}, {"document_timeout_s": 0.0}]
)
def test_limits_are_checked(wrong: dict[str, float]) -> None:
    with pytest.raises(InvalidOption):
        ReadOptions(**wrong)  # type: ignore[arg-type]


def test_a_child_has_no_secrets_and_leaves_no_dump(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELDWRIGHT_DATABASE_URL", "postgresql://user:password@host/db")
    (page,) = read(hostile_document("look")).pages
    words = {token.text for token in page.tokens}
    assert "PATH" in words
    assert "FIELDWRIGHT_DATABASE_URL" not in words
    assert {"core=0", "no-new-privileges=1"} <= words


# What is left afterwards


def family_in(spool: Path) -> list[int]:
    """Return the ids of fork server, reader and its program once a page has noted them."""
    (note,) = until(lambda: notes(spool), "the page to be read")
    family: list[int] = json.loads(note.read_text())
    return family


@contextmanager
def family_noted(spool: Path) -> Iterator[list[int]]:
    """Give a list that holds, at the end, what a page had noted meanwhile, see `family_in`."""
    found: list[int] = []
    watcher = threading.Thread(target=lambda: found.extend(family_in(spool)))
    watcher.start()
    yield found
    watcher.join()


def gone(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


def test_a_cancelled_reading_leaves_nothing(spool: Path) -> None:
    family: list[int] = []

    class Cancelled(Exception):
        pass

    def cancel(done: int, total: int) -> None:
        family.extend(family_in(spool))
        raise Cancelled

    with pytest.raises(Cancelled):
        read(hostile_document("family", "words", "words"), PATIENT, on_page=cancel)
    _, reader, program = family
    assert gone(reader)
    until(lambda: gone(program), "its program to go")
    assert list(spool.iterdir()) == []


def test_a_page_out_of_time_takes_its_programs_along(spool: Path) -> None:
    with family_noted(spool) as family, pytest.raises(ReadingTimeout):
        read(hostile_document("family"))
    _, reader, program = family
    assert gone(reader)
    until(lambda: gone(program), "its program to go")


def test_nothing_survives_the_parent(tmp_path: Path) -> None:
    document = tmp_path / "document"
    document.write_bytes(hostile_document("family"))
    code = (
        "import sys; from pathlib import Path; from pipeline.reading.reader import read_document;"
        "read_document(Path(sys.argv[1]).read_bytes(), opener=sys.argv[2])"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code, str(document), OPENER]
    parent = subprocess.Popen(command, env=environment)
    family = family_in(tmp_path)
    assert len(family) == 3
    parent.kill()
    parent.wait()
    until(lambda: all(map(gone, family)), "fork server, reader and program to go")
    (left,) = tmp_path.glob("fieldwright-*")  # with the document in it, until the next one comes
    document.write_bytes(hostile_document("words"))
    subprocess.run(command, env=environment, check=True)
    assert not left.exists()


def test_a_dead_fork_server_is_replaced() -> None:
    first = server()
    first.kill()
    assert read(hostile_document("words", "words")).warnings == ()
    assert server().pid != first.pid


def killing(
    find: Callable[[], psutil.Process | None], times: int
) -> tuple[list[int], Callable[[int, int], None]]:
    """Return what kills a process after the first page of each of so many readings, and its log."""
    calls: list[int] = []

    def kill(done: int, total: int) -> None:
        calls.append(done)
        if done == 1 and calls.count(1) <= times:
            until(find, "the process to be at work").kill()

    return calls, kill


def test_a_fork_server_that_dies_in_between_costs_no_page() -> None:
    calls, kill = killing(server_at_work, times=1)
    pages = hostile_document("words", ["slow", 1], "words", "words")
    assert read(pages, PATIENT, on_page=kill).warnings == ()
    assert calls == [1, 1, 2, 3, 4]


def server_at_work() -> psutil.Process | None:
    """Return the fork server of this process, which may have children of other tests besides."""
    children = psutil.Process().children()
    return next((child for child in children if FORK_SERVER in child.cmdline()), None)


def reader_at_work() -> psutil.Process | None:
    """Return the reader that was forked last."""
    fork_server = server_at_work()
    readers = fork_server.children() if fork_server else []
    return readers[-1] if readers else None


def test_a_reader_killed_from_outside_costs_no_page() -> None:
    calls, kill = killing(reader_at_work, times=2)
    pages = hostile_document("words", ["slow", 1], "words")
    assert read(pages, ReadOptions(processes=1), on_page=kill).warnings == ()
    assert calls == [1, 1, 1, 2, 3]


def test_readers_killed_at_each_attempt_end_the_reading() -> None:
    calls, kill = killing(reader_at_work, times=9)
    pages = hostile_document("words", ["slow", 1], "words")
    with pytest.raises(ReaderCrashed, match=r"read page 2 was killed, 3 times\."):
        read(pages, ReadOptions(processes=1), on_page=kill)
    assert calls == [1, 1, 1]


def test_an_attempt_is_given_up_where_its_reader_is_killed() -> None:
    _, kill = killing(reader_at_work, times=1)
    pages = hostile_document("words", ["slow", 1], "words")
    with pytest.raises(ReaderLost, match="page 2"):
        read_once(pages, ReadOptions(processes=1), kill, opener=OPENER)


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_no_zombies_and_no_open_files() -> None:
    process = server()
    tidied()
    before = open_files()
    for _ in range(3):
        read(hostile_document("words", "segfault", "words"))
        with pytest.raises(CorruptDocument):
            read(hostile_document("corrupt"))
    tidied()
    assert open_files() == before
    until(lambda: process.children(recursive=True) == [], "the last reader to be reaped")
    assert process.num_fds() < 20


def test_a_finished_reading_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    process = server()
    read(hostile_document("words", "words"))
    tidied()
    assert list(tmp_path.iterdir()) == []
    until(lambda: process.children(recursive=True) == [], "the last reader to be reaped")


def waiting() -> psutil.Process:
    """Have a reader forked ahead, once the earlier ones are gone, and return it."""
    process = server()
    tidied()
    until(lambda: process.children(recursive=True) == [], "the last reader to be reaped")
    read_ahead()
    until(lambda: len(process.children()) == 1, "a reader to wait")
    read_ahead()
    (child,) = process.children()
    return child


def test_who_waits_for_documents_has_a_reader_ahead(spool: Path) -> None:
    child = waiting()
    with family_noted(spool) as family, pytest.raises(ReadingTimeout):
        read(hostile_document("family"))
    assert family[1] == child.pid
    until(lambda: gone(child.pid), "it to be reaped")


def test_a_reader_ahead_is_confined_as_all_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELDWRIGHT_DATABASE_URL", "postgresql://user:password@host/db")
    waiting()
    (page,) = read(hostile_document("look")).pages
    words = {token.text for token in page.tokens}
    assert "FIELDWRIGHT_DATABASE_URL" not in words
    assert {"core=0", "no-new-privileges=1", "PATH", "TMPDIR"} <= words
    waiting()
    with pytest.raises(MemoryExceeded):
        read(hostile_document("memory"))


def test_a_reader_ahead_that_died_costs_nothing() -> None:
    child = waiting()
    child.kill()
    until(lambda: gone(child.pid), "it to be reaped")
    assert read(hostile_document("words", "words")).warnings == ()
    child = waiting()
    child.parent().kill()
    until(lambda: gone(child.pid), "it to go with the fork server")
    assert read(hostile_document("words", "words")).warnings == ()


def test_a_fork_leaves_the_reader_ahead_to_its_parent(spool: Path) -> None:
    child = waiting()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            status = 0 if read(hostile_document("words")).warnings == () else 2
        finally:
            os._exit(status)
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert not gone(child.pid)
    with family_noted(spool) as family, pytest.raises(ReadingTimeout):
        read(hostile_document("family"))
    assert family[1] == child.pid


def test_threads_read_side_by_side_and_outlive_each_other() -> None:
    data = hostile_document("words", "segfault", "words")
    starter = threading.Thread(target=lambda: read(data))
    starter.start()
    starter.join()
    with ThreadPoolExecutor(4) as pool:
        documents = list(pool.map(lambda _: read(data), range(12)))
    assert all(document == documents[0] for document in documents)
    assert [len(page.tokens) for page in documents[0].pages] == [1, 0, 1]


def test_a_fork_of_the_process_reads_on_its_own() -> None:
    ours = server().pid
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            status = 0 if server().pid != ours else 2
        finally:
            os._exit(status)
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert server().pid == ours


def test_children_load_no_torch() -> None:
    maps = Path(f"/proc/{server().pid}/maps").read_text()
    assert "pdfium" in maps
    assert "torch" not in maps


def test_an_interrupt_ends_a_reading(spool: Path) -> None:
    family: list[int] = []

    def interrupt() -> None:
        family.extend(family_in(spool))
        os.kill(os.getpid(), signal.SIGINT)

    # Where the tests run in the background of a shell, interrupts are ignored from the start.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Thread(target=interrupt).start()
        with pytest.raises(KeyboardInterrupt):
            read(hostile_document("family"), PATIENT)
    finally:
        signal.signal(signal.SIGINT, before)
    assert gone(family[1])


def test_every_error_is_one_of_ours() -> None:
    for kind in (MemoryExceeded, ReaderCrashed):
        assert issubclass(kind, FieldwrightError)
        assert kind.default_advice
