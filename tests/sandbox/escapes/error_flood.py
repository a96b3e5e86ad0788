"""Prints a gigabyte of errors.

killed_by: output
limits: output_bytes=1000000 seconds=30
"""

import sys

block = b"x" * (1 << 20)
for _ in range(1024):
    sys.stderr.buffer.write(block)
