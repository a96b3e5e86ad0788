"""Reads what else runs on the host."""

import os

from prelude import HOST, escaped, held

others = [int(name) for name in os.listdir("/proc") if name.isdigit()]
if len(others) > 5 or HOST["victim"] in others:
    escaped(f"the host's processes are listed: {others}")
held()
