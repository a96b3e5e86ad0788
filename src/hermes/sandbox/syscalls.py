"""System call numbers of the two machines we know. Data, in the order of the kernel's names.

From 424 on a call has the same number everywhere; below that each machine counts for itself.
None: the machine has no such call (aarch64 left out what an `at` variant replaces).
"""

from __future__ import annotations

import platform
from functools import cache

from hermes.errors import SandboxUnavailable

_NUMBERS: dict[str, tuple[int | None, int | None]] = {  # x86_64, aarch64
    "acct": (163, 89),
    "add_key": (248, 217),
    "bpf": (321, 280),
    "chmod": (90, None),
    "chown": (92, None),
    "chroot": (161, 51),
    "clock_adjtime": (305, 266),
    "clock_settime": (227, 112),
    "clone": (56, 220),
    "clone3": (435, 435),
    "creat": (85, None),
    "delete_module": (176, 106),
    "fanotify_init": (300, 262),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "fchownat": (260, 54),
    "finit_module": (313, 273),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "init_module": (175, 105),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "ioperm": (173, None),
    "iopl": (172, None),
    "kcmp": (312, 272),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "lchown": (94, None),
    "link": (86, None),
    "linkat": (265, 37),
    "lookup_dcookie": (212, 18),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "migrate_pages": (256, 238),
    "mkdir": (83, None),
    "mkdirat": (258, 34),
    "mknod": (133, None),
    "mknodat": (259, 33),
    "modify_ldt": (154, None),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "move_pages": (279, 239),
    "nfsservctl": (180, 42),
    "open": (2, None),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "open_tree_attr": (467, 467),
    "openat": (257, 56),
    "openat2": (437, 437),
    "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "prctl": (157, 167),
    "process_madvise": (440, 440),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "reboot": (169, 142),
    "rename": (82, None),
    "renameat": (264, 38),
    "renameat2": (316, 276),
    "request_key": (249, 218),
    "rmdir": (84, None),
    "seccomp": (317, 277),
    "setdomainname": (171, 162),
    "setgroups": (116, 159),
    "sethostname": (170, 161),
    "setns": (308, 268),
    "setresgid": (119, 149),
    "setresuid": (117, 147),
    "settimeofday": (164, 170),
    "shmget": (29, 194),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "symlink": (88, None),
    "symlinkat": (266, 36),
    "syslog": (103, 116),
    "truncate": (76, 45),
    "umount2": (166, 39),
    "unlink": (87, None),
    "unlinkat": (263, 35),
    "unshare": (272, 97),
    "uselib": (134, None),
    "userfaultfd": (323, 282),
    "vhangup": (153, 58),
}

MACHINES = ("x86_64", "aarch64")


@cache
def numbers(machine: str) -> dict[str, int]:
    """Name → number of every call that this machine has."""
    if machine not in MACHINES:
        raise SandboxUnavailable(
            f"no system call table for {machine}", hint="use the docker backend on this machine"
        )
    column = MACHINES.index(machine)
    return {name: pair[column] for name, pair in _NUMBERS.items() if pair[column] is not None}  # type: ignore[misc]


def this_machine() -> str:
    return platform.machine()
