"""What code in the hands of a document might try, run inside a reader; see `hostile`.

Each attempt returns what it got hold of, or raises OSError where the system refuses.
"""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

PTRACE_ATTACH = 16
_libc = ctypes.CDLL(None, use_errno=True)


def outcome(name: str, folder: Path, *arguments: str) -> list[str]:
    """Return the name of the error that an attempt met, or ``reached`` and what it returned.

    Args:
        name: of a function of this module.
        folder: the reader's own.
        arguments: of the function, after the folder.
    """
    attempt: Callable[..., object] = globals()[name]
    try:
        return ["reached", str(attempt(folder, *arguments))]
    except OSError as error:
        return [errno.errorcode.get(error.errno or 0, "?")]


def read(folder: Path, path: str) -> int:
    return len(Path(path).read_bytes())


def list_folder(folder: Path, path: str) -> int:
    return len(os.listdir(path))  # noqa: PTH208


def write(folder: Path, path: str) -> int:
    return Path(path).write_text("x")


def remove(folder: Path, path: str) -> None:
    Path(path).unlink()


def hard_link(folder: Path, path: str) -> int:
    own = folder / "own"
    own.hardlink_to(path)
    return len(own.read_bytes())


def symbolic_link(folder: Path, path: str) -> int:
    own = folder / "pointer"
    own.symlink_to(path)
    return len(own.read_bytes())


def mount(folder: Path) -> int:
    return checked(_libc.mount(b"none", bytes(folder), b"tmpfs", 0, None))


def connect(folder: Path, host: str, port: str) -> None:
    socket.create_connection((host, int(port)), timeout=5).close()


def send_datagram(folder: Path, host: str, port: str) -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        return sender.sendto(b"x", (host, int(port)))


def connect_unix(folder: Path, path: str) -> None:
    with socket.socket(socket.AF_UNIX) as end:
        end.connect(path)


def environment_of(folder: Path, pid: str) -> int:
    return len(Path(f"/proc/{pid}/environ").read_bytes())


def memory_of(folder: Path, pid: str) -> None:
    os.close(os.open(f"/proc/{pid}/mem", os.O_RDONLY))


def files_of(folder: Path, pid: str) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))  # noqa: PTH208


def read_memory_by_call(folder: Path, pid: str) -> int:
    return checked(_libc.process_vm_readv(int(pid), None, 0, None, 0, 0))


def trace(folder: Path, pid: str) -> int:
    return checked(_libc.ptrace(PTRACE_ATTACH, int(pid), None, None))


def kill(folder: Path, pid: str) -> None:
    os.kill(int(pid), 0)


def limit(folder: Path, pid: str) -> int:
    return checked(_libc.prlimit(int(pid), 7, None, None))


def run(folder: Path, *command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def run_own_copy(folder: Path, program: str) -> int:
    """Run a program under another name in the reader's own folder."""
    own = folder / "program"
    own.write_bytes(Path("/usr/bin/pdfinfo").read_bytes() if not program else b"#!/bin/sh\n")
    own.chmod(0o700)
    return subprocess.run([str(own)], check=False).returncode


def run_from_memory(folder: Path) -> int:
    handle = os.memfd_create("program")
    os.write(handle, b"#!/bin/sh\n")
    return subprocess.run([f"/proc/self/fd/{handle}"], pass_fds=[handle], check=False).returncode


def new_namespace(folder: Path) -> int:
    return checked(_libc.unshare(0x10000000))  # CLONE_NEWUSER


def fork_into_namespace(folder: Path) -> int:
    pid = checked(_libc.syscall(56 if os.uname().machine == "x86_64" else 220, 0x10000011, 0, 0))
    if pid == 0:
        os._exit(0)
    return os.waitpid(pid, 0)[1]


def leave_session(folder: Path) -> None:
    _in_a_fork(os.setsid)


def leave_group(folder: Path) -> None:
    _in_a_fork(lambda: os.setpgid(0, 0))


def _in_a_fork(call: Callable[[], None]) -> None:
    """Make a call in another process: the reader itself leads its group, and cannot leave it."""
    pid = os.fork()
    if pid == 0:
        try:
            call()
        except OSError as error:
            os._exit(error.errno or 0)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if code:
        raise OSError(code, "refused")


def io_uring(folder: Path) -> int:
    return checked(_libc.syscall(425, 1, ctypes.create_string_buffer(120)))


def become_user(folder: Path) -> None:
    os.setuid(65534)


def abort_program(folder: Path) -> int:
    """A reader may send signals to the programs that it has started."""
    program = subprocess.Popen(["pdfinfo", "-"], stdin=subprocess.PIPE)
    program.send_signal(signal.SIGTERM)
    return program.wait()


def checked(result: int) -> int:
    """Return the answer of a system call; raises OSError where it is an error."""
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result
