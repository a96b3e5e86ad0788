"""Is this the name of one incident, or that of a class of tasks?

`fix-pytest-error-may-29` was needed once; `python-test-debugging` will be needed again.
"""

from __future__ import annotations

import re

_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec"
_STANDARDS = "iso|sha|utf|rfc|md|aes|rsa|ieee|ean|base|crc|cp|ascii|latin|port|http|x"
_COUNTED = "issue|ticket|pr|bug|incident|jira|gh|case|sprint|attempt|story|commit"
_MOMENT = re.compile(
    r"(?:^|-)(?:today|yesterday|tonight|tomorrow|now|(?:last|this)-(?:night|week|time|month)s?|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    rf"(?:{_MONTHS})[a-z]*-\d{{1,2}}|\d{{4}}-\d{{2}}(?:-\d{{2}})?|20\d{{2}}|"
    rf"(?:{_COUNTED})-?\d+|(?!(?:{_STANDARDS})-)[a-z]{{2,5}}-\d{{3,6}}|"
    r"v?\d+-\d+-\d+)(?:-|$)",
    re.IGNORECASE,
)
"""A day, a version, the number of a ticket."""
_ONCE = re.compile(
    r"(?:^|-)(?:what-happened|one-off|temporary|quick-fix|try-again|complaint$)(?:-|$)"
    r"|^(?:hotfix|revert)-|-(?:my|our|this|that)-",
    re.IGNORECASE,
)
_ACTED = re.compile(
    r"^(?:fix|debug|patch|repair|investigate|solve|resolve|troubleshoot)-(?P<what>.+?)"
    r"(?:-(?:in|on|after|for)-.+)?$",
    re.IGNORECASE,
)
_MEANS = re.compile(r"-(?:with|by|using|via)-", re.IGNORECASE)
_MANY = re.compile(r"(?<![sui])s$|(?:ing|ment|ysis)$", re.IGNORECASE)


def is_incident(name: str) -> bool:
    """A verb and one thing it was done to is an incident too; things in the plural are a class."""
    if _MOMENT.search(name) or _ONCE.search(name):
        return True
    acted = _ACTED.match(name)
    return acted is not None and not _MEANS.search(name) and not _MANY.search(acted["what"])
