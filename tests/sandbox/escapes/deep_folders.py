"""Nests folders deeper than a cleaner can follow."""

import os

from prelude import held

os.chdir("/app/data")
for _ in range(1200):
    os.mkdir("d")
    os.chdir("d")
held()
