"""A filter of system calls: refuses what reading a document never needs.

It is inherited by all that the process starts, and cannot be undone. Refused calls fail with EPERM,
calls that are newer than this list with ENOSYS, so that libraries fall back to the older ones.
See https://docs.kernel.org/userspace-api/seccomp_filter.html and `linux/bpf_common.h`.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
from functools import cache

_PR_SET_SECCOMP, _MODE_FILTER = 22, 2

# Instructions of classic BPF, and what a filter returns.
_LOAD, _EQUAL, _ABOVE, _ANY_BIT, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16  # places in `struct seccomp_data`
_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_REFUSE = 0x00050000  # plus an error number

_NEWEST = 462  # numbers above were given out after this list was written; see `_COMMON`
_NEW_NAMESPACES = 0x7E020000  # CLONE_NEW* flags of clone

# Numbers on x86-64 and on aarch64, which has no None.
_REFUSED: dict[str, tuple[int, int | None]] = {
    # Sockets: the one to the caller is open already, and needs none of these.
    "socket": (41, 198),
    "socketpair": (53, 199),
    "bind": (49, 200),
    "listen": (50, 201),
    "accept": (43, 202),
    "connect": (42, 203),
    "accept4": (288, 242),
    # Other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    # Process groups: that of the reader is killed as a whole, so nobody leaves it
    "setpgid": (109, 154),
    "setsid": (112, 157),
    # Programs and memory that are no file
    "memfd_create": (319, 279),
    "userfaultfd": (323, 282),
    # Shared memory, semaphores and queues that all processes of a user see
    "shmget": (29, 194),
    "shmat": (30, 196),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    # Files past their path
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    # Mounts and namespaces
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    # The kernel
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "fanotify_init": (300, 262),
    "syslog": (103, 116),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "personality": (135, 92),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
}
# Numbers that are the same on all architectures, as all from 424 on.
_COMMON = {
    "pidfd_send_signal": 424,
    "pidfd_open": 434,
    "pidfd_getfd": 438,
    "process_madvise": 440,
    "process_mrelease": 448,
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "memfd_secret": 447,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "mount_setattr": 442,
    "quotactl_fd": 443,
}
_CLONE3 = 435  # its flags lie in memory, where no filter sees them: libraries fall back to clone
_CLONE, _PRLIMIT = (56, 220), (302, 261)
_SIGNALS = {"kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131)}


# What the numbers above are known for: code as in `linux/audit.h`, and place in their pairs.
_ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}


def refused(machine: str) -> dict[str, int]:
    """Return names and numbers of the calls that are refused whatever their arguments are."""
    _, index = _ARCHITECTURES[machine]
    pairs = {name: numbers[index] for name, numbers in _REFUSED.items()}
    return {name: number for name, number in pairs.items() if number is not None} | _COMMON


@cache
def available() -> bool:
    """Say whether this kernel filters system calls, on an architecture that is known here."""
    if sys.platform != "linux" or platform.machine() not in _ARCHITECTURES:
        return False
    # Without a filter to read it fails with EFAULT; where there are no filters, with EINVAL.
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, None, 0, 0)
    return ctypes.get_errno() == errno.EFAULT


def enforce(*, signals: bool) -> None:
    """Filter the calls of this thread and of all that it starts, for good.

    Needs `no_new_privs`.

    Args:
        signals: whether signals may go to other processes; where not, to this one alone.

    Raises:
        OSError: the kernel refuses the filter.
    """
    program = _program(platform.machine(), 0 if signals else os.getpid())
    code = ctypes.create_string_buffer(program, len(program))
    head = struct.pack("@HP", len(program) // 8, ctypes.addressof(code))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.c_char_p(head), 0, 0):
        error = ctypes.get_errno()
        raise OSError(error, f"seccomp: {os.strerror(error)}")


@cache
def _program(machine: str, only_signals_to: int) -> bytes:
    """Return the filter as an array of `struct sock_filter`.

    Args:
        machine: as `platform.machine`.
        only_signals_to: id of the one process that may be sent signals; 0 for any.
    """
    code, index = _ARCHITECTURES[machine]
    refuse = _one(_RETURN, _REFUSE | errno.EPERM)
    missing = _one(_RETURN, _REFUSE | errno.ENOSYS)
    load_number = _one(_LOAD, _NUMBER)

    def where(test: int, value: int, then: bytes) -> bytes:
        """Run `then`, one instruction, where the test holds."""
        return _one(test, value, 0, 1) + then

    def by_argument(number: int, test: int, value: int, *, refused: bool) -> bytes:
        """Refuse the call of that number where the test of its first argument is `refused`."""
        jumps = (0, 1) if refused else (1, 0)
        body = _one(_LOAD, _FIRST_ARGUMENT) + _one(test, value, *jumps) + refuse + load_number
        return _one(_EQUAL, number, 0, len(body) // 8) + body

    program = _one(_LOAD, _ARCHITECTURE)
    program += _one(_EQUAL, code, 1, 0) + _one(_RETURN, _KILL)
    program += load_number
    program += where(_ABOVE, _NEWEST, missing)  # the calls of x32, too: bit 30 is set in theirs
    program += where(_EQUAL, _CLONE3, missing)
    for number in sorted(refused(machine).values()):
        program += where(_EQUAL, number, refuse)
    program += by_argument(_CLONE[index], _ANY_BIT, _NEW_NAMESPACES, refused=True)
    # The limits of another process.
    program += by_argument(_PRLIMIT[index], _EQUAL, 0, refused=False)
    if only_signals_to:
        for numbers in _SIGNALS.values():
            program += by_argument(numbers[index], _EQUAL, only_signals_to, refused=False)
    return program + _one(_RETURN, _ALLOW)


def _one(code: int, value: int, on_true: int = 0, on_false: int = 0) -> bytes:
    """Return one instruction; jumps are in instructions to pass over."""
    return struct.pack("=HBBI", code, on_true, on_false, value)
