"""Leaves folders that even their owner cannot enter."""

import os

from prelude import held

for name in ("a", "b"):
    os.makedirs(f"/app/data/{name}/inner")
    with open(f"/app/data/{name}/inner/file", "w") as file:
        file.write("x")
    os.chmod(f"/app/data/{name}/inner", 0)
    os.chmod(f"/app/data/{name}", 0)
held()
