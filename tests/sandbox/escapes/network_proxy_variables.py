r"""Looks for a proxy to go through, and sets one itself.

tells: network socket\(AF_INET\)
"""

import os
import urllib.request

from prelude import HOST, escaped, held, must_fail

if urllib.request.getproxies():
    escaped("a proxy is configured")
os.environ["http_proxy"] = f"http://127.0.0.1:{HOST['tcp_port']}"
must_fail(urllib.request.urlopen, "http://example.com/", timeout=2)
held()
