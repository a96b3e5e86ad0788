"""Reads the routing table for a way out."""

from prelude import escaped, held

with open("/proc/net/route") as table:
    routes = table.read().splitlines()[1:]
if routes:
    escaped(f"there are routes: {routes}")
held()
