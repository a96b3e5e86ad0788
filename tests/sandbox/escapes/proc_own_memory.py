"""Rewrites its own code through /proc: that reaches nobody else."""

from prelude import held

with open("/proc/self/maps") as maps:
    start = int(maps.readline().split("-")[0], 16)
with open("/proc/self/mem", "r+b", 0) as memory:
    memory.seek(start)
    original = memory.read(4)
    memory.seek(start)
    memory.write(original)
held()
