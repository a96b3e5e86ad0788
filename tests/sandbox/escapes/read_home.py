"""Reads keys and histories from the user's home."""

import os

from prelude import HOST, held, must_fail

names = (".ssh/id_rsa", ".bash_history", ".netrc", ".aws/credentials", ".hermes/loop/config.yaml")
for home in (HOST["home"], os.path.expanduser("~"), "/root", "/home"):
    for name in names:
        must_fail(open, os.path.join(home, name))
held()
