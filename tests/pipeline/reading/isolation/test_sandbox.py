"""What code in the hands of a document reaches: its own folder, and nothing else."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from pipeline.document import Document
from pipeline.errors import DependencyMissing, InvalidOption
from pipeline.reading.isolation import landlock, sandbox, seccomp
from pipeline.reading.isolation.sandbox import in_force, lacking, require
from pipeline.reading.options import EngineName, ReadOptions
from pipeline.reading.reader import read_document
from tests.builders import draw_pdf, make_receipt, receipt_image, receipt_pdf, scan_page
from tests.pipeline.reading.hostile import OPENER, hostile_document

confined = pytest.mark.skipif(
    in_force("auto") != "landlock+seccomp", reason="this kernel has no Landlock, or no seccomp"
)
REFUSED = {"EACCES", "EPERM", "EXDEV"}  # the last for links from one folder to another


def attempt(name: str, *arguments: object, confinement: str = "required") -> list[str]:
    """Return what came of an attempt to break out, see `tests.pipeline.reading.breakouts`."""
    data = hostile_document(["break", name, *map(str, arguments)])
    options = ReadOptions(confinement=confinement)  # type: ignore[arg-type]
    (page,) = read_document(data, options, opener=OPENER).pages
    return [token.text for token in page.tokens]


def refused(name: str, *arguments: object) -> bool:
    """Say whether an attempt is refused that succeeds, or fails otherwise, outside the sandbox."""
    (error,) = attempt(name, *arguments)
    return error in REFUSED


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """Return a file of this user's that everybody may read and write."""
    path = tmp_path / "secret"
    path.write_text("postgresql://user:password@host/db")
    path.chmod(0o666)
    tmp_path.chmod(0o777)
    return path


@pytest.fixture
def bystander() -> Iterator[int]:
    """Return the id of another process of this user's."""
    process = subprocess.Popen(["sleep", "600"])
    yield process.pid
    process.kill()
    process.wait()


@confined
@pytest.mark.parametrize("way", ["read", "hard_link", "symbolic_link", "write", "remove"])
def test_no_other_file_is_reached(way: str, secret: Path) -> None:
    assert refused(way, secret)
    assert secret.read_text() == "postgresql://user:password@host/db"
    assert attempt(way, secret, confinement="off")[0] != "EACCES"


@confined
@pytest.mark.parametrize("folder", ["/", "/etc", "/tmp", "/proc", "/home", Path(__file__).parent])
def test_no_other_folder_is_listed(folder: str | Path) -> None:
    assert refused("list_folder", folder)


@confined
@pytest.mark.parametrize(
    "path", ["/etc/passwd", "/etc/hosts", "/proc/self/mounts", "/proc/version"]
)
def test_the_system_is_not_looked_at(path: str) -> None:
    assert refused("read", path)
    assert attempt("read", path, confinement="off")[0] == "reached"


@confined
def test_the_document_is_not_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    data = hostile_document(["break", "write", "../document"], ["break", "read", "../document"])
    pages = read_document(data, opener=OPENER).pages
    assert [token.text for token in pages[0].tokens] == ["EACCES"]
    assert [token.text for token in pages[1].tokens] == ["reached", str(len(data))]


@confined
def test_its_own_folder_is_its_own() -> None:
    assert attempt("write", "own file") == ["reached", "1"]
    assert attempt("list_folder", ".")[0] == "reached"


@confined
@pytest.mark.parametrize(
    "way",
    ["environment_of", "memory_of", "files_of", "read_memory_by_call", "trace", "kill", "limit"],
)
def test_no_other_process_is_reached(way: str, bystander: int) -> None:
    assert refused(way, bystander)
    assert attempt(way, bystander, confinement="off")[0] not in REFUSED


@confined
def test_its_own_programs_can_be_ended() -> None:
    assert attempt("abort_program") == ["reached", str(-signal.SIGTERM)]


@confined
@pytest.mark.parametrize("way", ["leave_session", "leave_group"])
def test_no_process_leaves_the_group_that_is_killed(way: str) -> None:
    assert refused(way)
    assert attempt(way, confinement="off")[0] == "reached"


@contextmanager
def listener(family: socket.AddressFamily, address: object) -> Iterator[socket.socket]:
    with closing(socket.socket(family)) as server:
        server.bind(address)  # type: ignore[arg-type]
        server.listen()
        yield server


@confined
def test_no_socket_is_opened(tmp_path: Path) -> None:
    with listener(socket.AF_INET, ("127.0.0.1", 0)) as server:
        host, port = server.getsockname()
        assert refused("connect", host, port)
        assert refused("send_datagram", host, port)
        assert attempt("connect", host, port, confinement="off")[0] == "reached"
    path = str(tmp_path / "socket")
    with listener(socket.AF_UNIX, path):
        assert refused("connect_unix", path)
        assert attempt("connect_unix", path, confinement="off")[0] == "reached"


@confined
@pytest.mark.parametrize(
    "command",
    [["/bin/sh", "-c", "echo"], [sys.executable, "-V"], ["/usr/bin/env"]],
    ids=["shell", "python", "env"],
)
def test_no_other_program_is_started(command: list[str]) -> None:
    assert refused("run", *command)
    assert attempt("run", *command, confinement="off")[0] == "reached"


@confined
def test_no_program_is_started_from_where_it_may_write() -> None:
    assert refused("run_own_copy", "")
    assert refused("run_own_copy", "script")
    assert refused("run_from_memory")


@confined
@pytest.mark.parametrize("way", ["mount", "new_namespace", "fork_into_namespace", "io_uring"])
def test_the_kernel_gives_nothing_more(way: str) -> None:
    assert refused(way)


@confined
def test_root_is_nobody_special() -> None:
    if os.geteuid() == 0:
        assert attempt("become_user", confinement="off")[0] == "reached"
    assert refused("become_user")


@confined
@pytest.mark.ocr
@pytest.mark.parametrize("engine", ["tesseract", "rapidocr"])
def test_documents_are_read_as_before(engine: EngineName) -> None:
    receipt = make_receipt(3)
    scan = draw_pdf(scan_page(receipt_image(receipt)))
    for data in (receipt_pdf(receipt), scan):
        read: list[Document] = [
            read_document(data, ReadOptions(engine=engine, confinement=confinement))
            for confinement in ("required", "off")
        ]
        assert read[0] == read[1]
        assert len(read[0].pages[0].tokens) > 20


# Where the kernel offers less


def test_the_confinement_is_named() -> None:
    assert in_force("off") == "none"
    assert "FIELDWRIGHT_CONFINEMENT" in lacking("off")
    if in_force("auto") == "landlock+seccomp":
        assert lacking("auto") == lacking("required") == ""
        require("required")


def test_required_confinement_that_is_not_there_reads_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(landlock, "abi", lambda: 0)
    assert "no Landlock" in lacking("auto")
    assert "landlock" not in in_force("auto")
    with pytest.raises(DependencyMissing, match="Landlock") as caught:
        read_document(hostile_document("words"), ReadOptions(confinement="required"), opener=OPENER)
    assert "FIELDWRIGHT_CONFINEMENT=auto" in caught.value.advice
    assert read_document(hostile_document("words"), opener=OPENER).warnings == ()


def test_a_confinement_that_is_unknown_is_refused() -> None:
    with pytest.raises(InvalidOption, match="confinement"):
        ReadOptions(confinement="none")  # type: ignore[arg-type]


def in_fork(work: Callable[[], int]) -> int:
    """Return what some work returns in a fork of this process, which ends with it."""
    pid = os.fork()
    if pid == 0:
        status = 255
        try:
            status = work()
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def error_of(work: Callable[[], object]) -> int:
    """Return the number of the error of the system that some work meets, 0 for none."""
    try:
        work()
    except OSError as error:
        return error.errno or 255
    return 0


@pytest.mark.skipif(not seccomp.available(), reason="this kernel has no seccomp")
def test_signals_stay_inside_without_landlock() -> None:
    def work(number: int) -> Callable[[], int]:
        def inside() -> int:
            sandbox.no_new_privileges()
            seccomp.enforce(signals=False)
            os.kill(os.getpid(), 0)
            return error_of(lambda: os.kill(number, 0))

        return inside

    assert in_fork(work(os.getpid())) == 1  # EPERM
    assert in_fork(work(-1)) == 1


@pytest.mark.skipif(not landlock.abi(), reason="this kernel has no Landlock")
@pytest.mark.parametrize("version", [1, 2, 3, 4, 5, 6])
def test_rules_suit_each_version_of_landlock(
    version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if version > landlock.abi():
        pytest.skip("newer than the kernel")
    monkeypatch.setattr(landlock, "abi", lambda: version)
    (tmp_path / "in").mkdir()
    (tmp_path / "out").write_text("x")

    def inside() -> int:
        sandbox.no_new_privileges()
        rules = landlock.Ruleset()
        rules.allow(tmp_path / "in", landlock.READ_WRITE)
        rules.allow(tmp_path / "missing", landlock.READ_WRITE)
        rules.enforce()
        (tmp_path / "in" / "file").write_text("x")
        return error_of(lambda: (tmp_path / "out").read_text())

    assert in_fork(inside) == 13  # EACCES


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_numbers_of_calls_are_those_of_libseccomp(machine: str) -> None:
    """Another's table of the same numbers."""
    name = ctypes.util.find_library("seccomp")
    if name is None:
        pytest.skip("libseccomp is not installed")
    resolve = ctypes.CDLL(name).seccomp_syscall_resolve_name_arch
    architecture = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}[machine]
    index = ["x86_64", "aarch64"].index(machine)
    numbers = seccomp.refused(machine)
    assert len(numbers) > 60
    numbers |= {"clone": seccomp._CLONE[index], "prlimit64": seccomp._PRLIMIT[index]}
    numbers |= {name: pair[index] for name, pair in seccomp._SIGNALS.items()}
    numbers["clone3"] = seccomp._CLONE3
    for name, number in numbers.items():
        found = resolve(ctypes.c_uint32(architecture), name.encode())
        assert found in (number, -1), name  # -1: newer than the library
    assert sum(resolve(ctypes.c_uint32(architecture), n.encode()) == -1 for n in numbers) < 3


def decided(program: bytes, number: int, architecture: int, argument: int = 0) -> int:
    """Return what a filter decides, by the rules of the kernel's own interpreter."""
    data = struct.pack("=IIQ6Q", number, architecture, 0, argument, 0, 0, 0, 0, 0)
    at = loaded = 0
    while True:
        code, on_true, on_false, value = struct.unpack_from("=HBBI", program, 8 * at)
        at += 1
        if code == 0x20:
            (loaded,) = struct.unpack_from("=I", data, value)
        elif code == 0x06:
            return int(value)
        else:
            holds = {0x15: loaded == value, 0x25: loaded > value, 0x45: bool(loaded & value)}[code]
            at += on_true if holds else on_false


@pytest.mark.parametrize(("machine", "code"), [("x86_64", 0xC000003E), ("aarch64", 0xC00000B7)])
def test_the_filter_decides_by_number_and_argument(machine: str, code: int) -> None:
    """On the architecture that the tests do not run on, too."""
    allow, refuse, missing = 0x7FFF0000, 0x00050001, 0x00050026
    index = ["x86_64", "aarch64"].index(machine)
    program = seccomp._program(machine, 1234)
    for number in seccomp.refused(machine).values():
        assert decided(program, number, code) == refuse
    for number in (
        {*range(424)}
        - {*seccomp.refused(machine).values()}
        - {
            *(
                pair[index]
                for pair in (seccomp._CLONE, seccomp._PRLIMIT, *seccomp._SIGNALS.values())
            )
        }
    ):
        assert decided(program, number, code) == allow
    for number in (seccomp._CLONE3, 500, 0x40000000):
        assert decided(program, number, code) == missing
    assert decided(program, 0, 0x40000003) == 0x80000000  # another architecture
    clone = seccomp._CLONE[index]
    assert decided(program, clone, code, 0x11) == allow
    assert decided(program, clone, code, 0x11 | 0x20000000) == refuse
    for number in (pair[index] for pair in seccomp._SIGNALS.values()):
        assert decided(program, number, code, 1234) == allow
        assert decided(program, number, code, 1) == refuse
        assert decided(seccomp._program(machine, 0), number, code, 1) == allow
    assert decided(program, seccomp._PRLIMIT[index], code, 0) == allow
    assert decided(program, seccomp._PRLIMIT[index], code, 1) == refuse


def test_a_reader_has_nothing_of_the_environment_but_places(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FIELDWRIGHT_BROKER_URL", "redis://:password@host")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    (page,) = read_document(hostile_document("look"), opener=OPENER).pages
    names = {token.text for token in page.tokens if "=" not in token.text}
    allowed = {"PATH", "LD_LIBRARY_PATH", "TESSDATA_PREFIX", "HOME", "TMPDIR", "LANG", "LC_ALL"}
    assert names <= allowed | {"OMP_THREAD_LIMIT"}


def test_the_fork_server_ends_in_silence() -> None:
    """Its children end with it, and nobody is told of that by a traceback."""
    code = (
        "from pipeline.reading.reader import prepare_reading, read_ahead, read_document\n"
        "from tests.pipeline.reading.hostile import OPENER, hostile_document\n"
        "prepare_reading(); read_document(hostile_document('words'), opener=OPENER); read_ahead()"
    )
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
