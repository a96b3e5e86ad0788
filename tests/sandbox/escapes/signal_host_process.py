"""Kills a process of the host."""

import os
import signal

from prelude import HOST, held, must_fail

must_fail(os.kill, HOST["victim"], signal.SIGKILL)
held()
