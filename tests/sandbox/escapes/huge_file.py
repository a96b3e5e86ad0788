"""Writes one file without end.

limits: file_bytes=16000000
"""

import errno
import signal

from prelude import escaped, held

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with open("/app/data/huge", "wb", buffering=0) as file:
    try:
        for _ in range(4096):
            file.write(b"x" * (1 << 20))
    except OSError as error:
        if error.errno != errno.EFBIG:
            raise
        held()
    else:
        escaped("4 GB in one file")
