"""Takes over another process.

tells: call ptrace
"""

from prelude import held, must_be_refused

PTRACE_TRACEME, PTRACE_ATTACH, PTRACE_SEIZE = 0, 16, 0x4206
must_be_refused("ptrace", PTRACE_ATTACH, 1, None, None)
must_be_refused("ptrace", PTRACE_SEIZE, 1, None, None)
must_be_refused("ptrace", PTRACE_TRACEME, 0, None, None)
held()
