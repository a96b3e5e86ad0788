"""Reads the password hashes."""

from prelude import held, must_fail

must_fail(open, "/etc/shadow")
held()
