"""Writes to the live skills, past every gate.

tells: write .*
"""

import os

from prelude import HOST, held, must_fail

must_fail(os.makedirs, HOST["live_skills"] + "/planted")
held()
