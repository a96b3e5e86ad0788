"""Takes memory without end.

killed_by: memory
limits: memory_bytes=100000000 seconds=20
"""

hoard = []
while True:
    hoard.append(b"x" * (8 << 20))
