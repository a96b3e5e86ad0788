"""Reads a file of the host by its path."""

from prelude import HOST, held, must_fail

must_fail(open, HOST["canary"])
held()
