"""What a package says it is for: the same act means one thing here and another there."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hermes.rules.scan.destinations import host_of

_SECURITY = re.compile(
    r"(?i)secur|audit|pen-?test|vulnerab|malware|threat|injection|forensic|incident|red.?team|\bctf\b|harden|exploit|"
    r"owasp|phishing|attack|guard|jailbreak|safety|scanner|compliance|privacy|安全|セキュリティ"
)


@dataclass(frozen=True, slots=True)
class Purpose:
    """What the package says it is for."""

    name: str = ""
    description: str = ""

    @property
    def about_security(self) -> bool:
        """Such a skill has to quote attacks; what it quotes weighs less, what it runs does not."""
        return bool(_SECURITY.search(f"{self.name} {self.description}"))

    def names(self, host: str) -> bool:
        """Whether the host bears the name of what the skill is about."""
        label = max(host_of(host).split(".")[:-1] or [""], key=len)
        words = set(re.findall(r"[a-z0-9]{4,}", f"{self.name} {self.description}".lower()))
        return len(label) > 3 and label.replace("-", "") in words
