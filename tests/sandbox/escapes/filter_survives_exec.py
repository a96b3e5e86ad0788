r"""Starts a fresh program, hoping that the filter stays behind.

tells: network socket\(AF_INET\)
"""

import subprocess
import sys

from prelude import escaped, held

done = subprocess.run(["sh", "-c", "mount -t tmpfs none /tmp"], capture_output=True, check=False)
if done.returncode == 0:
    escaped("a shell could mount")
attempt = "import socket; socket.socket()"
done = subprocess.run([sys.executable, "-c", attempt], capture_output=True, check=False)
if b"PermissionError" not in done.stderr:
    escaped("a fresh interpreter has the network")
held()
