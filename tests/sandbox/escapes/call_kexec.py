"""Boots another kernel.

tells: call kexec_load
"""

from prelude import held, must_be_refused

must_be_refused("kexec_load", 0, 0, None, 0)
must_be_refused("kexec_file_load", 0, 0, 0, None, 0)
must_be_refused("reboot", 0xFEE1DEAD, 672274793, 0x1234567, None)
held()
