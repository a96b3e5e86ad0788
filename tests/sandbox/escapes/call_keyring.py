"""Reads and plants keys in the kernel's keyring.

tells: call keyctl
"""

from prelude import held, must_be_refused

must_be_refused("add_key", b"user", b"planted", b"x", 1, -3)
must_be_refused("request_key", b"user", b"secret", None, -3)
must_be_refused("keyctl", 0, -3, 0)
held()
