r"""Asks the cloud's metadata service for credentials.

tells: network socket\(AF_INET\)
"""

import urllib.request

from prelude import held, must_fail

must_fail(urllib.request.urlopen, "http://169.254.169.254/latest/meta-data/", timeout=2)
held()
