"""Loads a program into the kernel.

tells: call bpf
"""

from prelude import held, must_be_refused

must_be_refused("bpf", 0, None, 0)
held()
