"""Does by a ring what the filter forbids by calls.

tells: call io_uring_setup
"""

import ctypes

from prelude import held, must_be_refused

parameters = ctypes.create_string_buffer(120)
must_be_refused("io_uring_setup", 8, parameters)
must_be_refused("io_uring_enter", 0, 0, 0, 0, None, 0)
must_be_refused("io_uring_register", 0, 0, None, 0)
held()
