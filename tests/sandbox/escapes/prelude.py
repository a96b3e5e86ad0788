"""What the escape programs share. It lies beside them in the sandbox and knows where to hit.

A program tries one way out. It prints HELD when it found none, ESCAPED when it did, or is killed.
"""

import ctypes
import errno
import json
import os
import sys

HOST = json.loads(os.environ["HOST_FACTS"])
_libc = ctypes.CDLL(None, use_errno=True)


def held():
    print("HELD", flush=True)


def escaped(how):
    print("ESCAPED", how, flush=True)
    sys.exit(3)


def must_fail(action, *arguments, **named):
    """The error it failed with; anything but an error is an escape."""
    try:
        result = action(*arguments, **named)
    except OSError as error:
        return error
    return escaped(f"{getattr(action, '__name__', action)}{arguments} gave {result!r}")


def system_call(name, *arguments):
    """The raw call, without the C library's own opinion on it."""
    number = HOST["calls"].get(name)
    if number is None:
        raise OSError(errno.ENOSYS, f"no {name} on this machine")
    result = _libc.syscall(ctypes.c_long(number), *map(_word, arguments))
    if result == -1:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def must_be_refused(name, *arguments):
    """The call must be turned away as a call (EPERM, or as if it did not exist)."""
    error = must_fail(system_call, name, *arguments)
    if error.errno not in (errno.EPERM, errno.ENOSYS):
        escaped(f"{name} was let through and failed only with {error}")


def _word(value):
    return ctypes.c_long(value) if isinstance(value, int) else value
