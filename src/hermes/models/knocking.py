"""Is the server of a model there? It is knocked at, and asked nothing: no key, no tokens."""

from __future__ import annotations

import http.client
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

_SECONDS = 3.0


def silence_of(base_url: str, seconds: float = _SECONDS) -> str:
    """Why nobody answers there; empty where somebody does, whatever the answer is."""
    try:
        with urlopen(Request(base_url, method="HEAD"), timeout=seconds):
            return ""
    except HTTPError:  # it refuses the question, so it is there
        return ""
    except TimeoutError:
        return f"no answer within {seconds:g} s"
    except URLError as error:
        return str(getattr(error.reason, "strerror", None) or error.reason)
    except (http.client.HTTPException, OSError) as error:
        return f"what answers there is no web server ({error})"
