"""Asks for direct access to the hardware.

tells: call iopl
machine: x86_64
"""

from prelude import held, must_be_refused

must_be_refused("iopl", 3)
must_be_refused("ioperm", 0, 1, 1)
held()
