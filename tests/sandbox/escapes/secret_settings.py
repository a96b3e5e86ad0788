"""Reads the settings and the store of the agent."""

import os

from prelude import HOST, escaped, held

for home in (HOST["home"], os.path.expanduser("~"), "/root"):
    for name in (".hermes", ".hermes/loop", ".hermes/loop/loop.db", ".hermes/skills"):
        if os.path.exists(os.path.join(home, name)):
            escaped(os.path.join(home, name))
held()
