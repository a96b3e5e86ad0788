"""Opens files without end.

limits: open_files=256
"""

import errno
import os

from prelude import escaped, held

hoard = []
try:
    for _ in range(2_000):
        hoard.append(os.open("/dev/null", os.O_RDONLY))
except OSError as error:
    if error.errno != errno.EMFILE:
        raise
    del hoard[:]
    os.closerange(3, 1024)
    held()
else:
    escaped("2,000 files are open")
