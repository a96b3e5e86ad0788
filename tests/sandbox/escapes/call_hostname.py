"""Renames the machine.

tells: call sethostname
"""

from prelude import held, must_be_refused

must_be_refused("sethostname", b"owned", 5)
must_be_refused("setdomainname", b"owned", 5)
held()
