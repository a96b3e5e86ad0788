"""Finding: one thing to know about a package; ScanReport: all of them, and the verdict they give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """NOTE never changes a verdict: it is there for the reviewer who wants to know."""

    NOTE = "note"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"

    @property
    def rank(self) -> int:
        return _RANKS.index(self)

    def shifted(self, steps: int) -> Severity:
        """The severity so many steps up (or down), within the scale."""
        return _RANKS[max(0, min(len(_RANKS) - 1, self.rank + steps))]


_RANKS = (Severity.NOTE, Severity.MEDIUM, Severity.HIGH, Severity.CRITICAL)


class Category(StrEnum):
    """The names of the Cisco skill-scanner taxonomy, so that findings of both tools compare."""

    PROMPT_INJECTION = "prompt_injection"
    COMMAND_INJECTION = "command_injection"
    DATA_EXFILTRATION = "data_exfiltration"
    UNAUTHORIZED_TOOL_USE = "unauthorized_tool_use"
    OBFUSCATION = "obfuscation"
    HARDCODED_SECRETS = "hardcoded_secrets"
    SOCIAL_ENGINEERING = "social_engineering"
    RESOURCE_ABUSE = "resource_abuse"
    POLICY_VIOLATION = "policy_violation"
    MALWARE = "malware"
    HARMFUL_CONTENT = "harmful_content"
    SKILL_DISCOVERY_ABUSE = "skill_discovery_abuse"
    TRANSITIVE_TRUST_ABUSE = "transitive_trust_abuse"
    AUTONOMY_ABUSE = "autonomy_abuse"
    TOOL_CHAINING_ABUSE = "tool_chaining_abuse"
    UNICODE_STEGANOGRAPHY = "unicode_steganography"
    SUPPLY_CHAIN_ATTACK = "supply_chain_attack"


class Risk(StrEnum):
    """OWASP Agentic Skills Top 10."""

    AST01 = "AST01"  # malicious skills
    AST02 = "AST02"  # supply chain compromise
    AST03 = "AST03"  # over-privileged skills
    AST04 = "AST04"  # insecure metadata
    AST05 = "AST05"  # untrusted external instructions
    AST06 = "AST06"  # weak isolation
    AST07 = "AST07"  # update drift
    AST08 = "AST08"  # poor scanning
    AST09 = "AST09"  # no governance
    AST10 = "AST10"  # cross-platform reuse


class ScanVerdict(StrEnum):
    CLEAN = "clean"
    WARN = "warn"
    BLOCK = "block"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Where, which rule, how bad, under which names, what it means and what to do."""

    file: str
    line: int
    rule: str
    severity: Severity
    ast: Risk
    category: Category
    message: str
    advice: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.severity} {self.rule} ({self.ast}): {self.message}"

    def to_json(self) -> dict[str, str | int]:
        return {
            "file": self.file,
            "line": self.line,
            "rule": self.rule,
            "severity": self.severity.value,
            "ast": self.ast.value,
            "category": self.category.value,
            "message": self.message,
            "advice": self.advice,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, str | int]) -> Finding:
        return cls(
            file=str(data["file"]),
            line=int(data["line"]),
            rule=str(data["rule"]),
            severity=Severity(str(data["severity"])),
            ast=Risk(str(data["ast"])),
            category=Category(str(data["category"])),
            message=str(data["message"]),
            advice=str(data["advice"]),
        )


@dataclass(frozen=True, slots=True)
class ScanReport:
    """What was found, worst first, and what follows from it, with the reason in one sentence."""

    findings: tuple[Finding, ...]
    verdict: ScanVerdict
    explanation: str
