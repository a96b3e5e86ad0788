"""What the kernel would make of a seccomp filter, for a machine that need not be this one."""

from __future__ import annotations

import struct
from collections.abc import Sequence

ALLOW, NOTIFY = "allow", "notify"
KILL = "kill"

_ACTIONS = {0x7FFF_0000: ALLOW, 0x7FC0_0000: NOTIFY, 0x8000_0000: KILL}
_ERRNO = 0x0005_0000
_ARCH = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7, "i386": 0x4000_0003}
_MOST_STEPS = 4096


def verdict(program: bytes, machine: str, number: int, arguments: Sequence[int] = ()) -> str:
    """`allow`, `notify`, `kill`, or `errno N`."""
    padded = [*arguments, 0, 0, 0, 0, 0, 0][:6]
    data = struct.pack("=iIQ6Q", number, _ARCH[machine], 0, *padded)
    code = [struct.unpack("HBBI", program[at : at + 8]) for at in range(0, len(program), 8)]
    accumulator = position = 0
    for _ in range(_MOST_STEPS):
        operation, yes, no, operand = code[position]
        position += 1
        match operation:
            case 0x20:
                (accumulator,) = struct.unpack_from("=I", data, operand)
            case 0x06:
                return _named(operand)
            case 0x15:
                position += yes if accumulator == operand else no
            case 0x35:
                position += yes if accumulator >= operand else no
            case 0x45:
                position += yes if accumulator & operand else no
            case _:
                raise ValueError(f"no such instruction: {operation:#x}")
    raise ValueError("the filter does not end")


def _named(action: int) -> str:
    if action & 0xFFFF_0000 == _ERRNO:
        return f"errno {action & 0xFFFF}"
    return _ACTIONS[action]
