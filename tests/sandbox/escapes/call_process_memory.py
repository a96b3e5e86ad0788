"""Reads and writes another process's memory by a call.

tells: call process_vm_readv
"""

from prelude import held, must_be_refused

must_be_refused("process_vm_readv", 1, None, 0, None, 0, 0)
must_be_refused("process_vm_writev", 1, None, 0, None, 0, 0)
held()
