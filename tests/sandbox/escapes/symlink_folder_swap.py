"""Swaps a folder for a link while another thread writes below it."""

import contextlib
import os
import threading

from prelude import escaped, held

os.mkdir("/app/data/folder")
stop = threading.Event()


def swap():
    while not stop.is_set():
        os.rename("/app/data/folder", "/app/data/kept")
        os.symlink("/usr", "/app/data/folder")
        os.unlink("/app/data/folder")
        os.rename("/app/data/kept", "/app/data/folder")


swapper = threading.Thread(target=swap)
swapper.start()
for _ in range(300):
    with contextlib.suppress(OSError), open("/app/data/folder/planted", "w") as file:
        file.write("x")
stop.set()
swapper.join()
if os.path.exists("/usr/planted"):
    escaped("the race was won")
held()
