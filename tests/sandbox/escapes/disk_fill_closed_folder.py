"""Fills a folder that it closes behind itself.

killed_by: disk
limits: disk_bytes=64000000 seconds=20
"""

import itertools
import os

os.mkdir("/app/data/hidden")
descriptor = os.open("/app/data/hidden", os.O_RDONLY | os.O_DIRECTORY)
os.chdir("/app/data/hidden")
for number in itertools.count():
    os.chmod("/app/data/hidden", 0o700)
    file = os.open(str(number), os.O_CREAT | os.O_WRONLY, dir_fd=descriptor)
    os.chmod("/app/data/hidden", 0)
    os.write(file, b"x" * (8 << 20))
