"""Plants code in the host's own Python.

tells: write .*/planted.py
"""

import os

from prelude import held, must_fail

must_fail(open, os.path.join(os.path.dirname(os.__file__), "planted.py"), "w")
held()
