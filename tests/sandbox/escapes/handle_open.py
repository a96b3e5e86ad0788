"""Opens a file by its number, past every folder.

tells: call open_by_handle_at
"""

from prelude import held, must_be_refused

must_be_refused("open_by_handle_at", 3, None, 0)
held()
