"""The rules by name: under which risk and category each is filed, what it means, what to do."""

from __future__ import annotations

from dataclasses import dataclass

from hermes.rules.scan.finding import Category, Finding, Risk, Severity


@dataclass(frozen=True, slots=True)
class Rule:
    id: str
    ast: Risk
    category: Category
    meaning: str
    advice: str

    def finding(self, file: str, line: int, severity: Severity, detail: str = "") -> Finding:
        message = f"{self.meaning}: {detail}" if detail else self.meaning
        return Finding(
            file=file,
            line=line,
            rule=self.id,
            severity=severity,
            ast=self.ast,
            category=self.category,
            message=message,
            advice=self.advice,
        )


def _rules(*rows: tuple[str, Risk, Category, str, str]) -> dict[str, Rule]:
    return {row[0]: Rule(*row) for row in rows}


RULES = _rules(
    (
        "leak",
        Risk.AST01,
        Category.DATA_EXFILTRATION,
        "hands private data to another machine",
        "remove the transfer, or send only what the user named to a host the user chose",
    ),
    (
        "secrets-and-network",
        Risk.AST01,
        Category.DATA_EXFILTRATION,
        "reads credentials and talks to an unknown host",
        "separate the two, or show that the credentials never reach the network",
    ),
    (
        "reads-credentials",
        Risk.AST03,
        Category.UNAUTHORIZED_TOOL_USE,
        "reads a store of credentials",
        "use the tool that owns the store, or ask the user for the one value needed",
    ),
    (
        "sends-data",
        Risk.AST01,
        Category.DATA_EXFILTRATION,
        "sends data of the user to a host nobody named",
        "name the host, say what is sent, and ask first",
    ),
    (
        "fetch-and-run",
        Risk.AST02,
        Category.SUPPLY_CHAIN_ATTACK,
        "runs what it downloads",
        "install from a package manager, pinned and with a checksum, or ship the code",
    ),
    (
        "encoded-and-run",
        Risk.AST01,
        Category.OBFUSCATION,
        "runs what it decodes",
        "ship the code as readable text",
    ),
    (
        "disguised-command",
        Risk.AST01,
        Category.OBFUSCATION,
        "spells a command so that a reader cannot see it",
        "write the command plainly",
    ),
    (
        "remote-shell",
        Risk.AST01,
        Category.MALWARE,
        "gives another machine a shell here",
        "do not install; report the package",
    ),
    (
        "coin-miner",
        Risk.AST01,
        Category.RESOURCE_ABUSE,
        "mines coins on the user's machine",
        "do not install; report the package",
    ),
    (
        "request-flood",
        Risk.AST01,
        Category.RESOURCE_ABUSE,
        "floods a host with requests",
        "limit the number and rate of requests",
    ),
    (
        "starts-by-itself",
        Risk.AST01,
        Category.MALWARE,
        "arranges to be started again by itself",
        "let the user set up what runs regularly, and say how to remove it",
    ),
    (
        "writes-agent-files",
        Risk.AST01,
        Category.AUTONOMY_ABUSE,
        "writes what agents remember or obey",
        "propose the text to the user instead of writing it",
    ),
    (
        "guard-off",
        Risk.AST06,
        Category.POLICY_VIOLATION,
        "switches a protection off",
        "work within the protection, or ask the user for the one exception needed",
    ),
    (
        "destroys-data",
        Risk.AST01,
        Category.MALWARE,
        "deletes or overwrites what belongs to the user",
        "touch only files the skill made, and ask before deleting",
    ),
    (
        "hides-from-user",
        Risk.AST01,
        Category.PROMPT_INJECTION,
        "tells the agent to keep something from the user",
        "remove the instruction; nothing honest needs it",
    ),
    (
        "hidden-act",
        Risk.AST01,
        Category.PROMPT_INJECTION,
        "has the agent do something and hide it",
        "do not install; report the package",
    ),
    (
        "overrides",
        Risk.AST01,
        Category.PROMPT_INJECTION,
        "puts itself above the user or the system",
        "remove the instruction",
    ),
    (
        "fake-role",
        Risk.AST04,
        Category.PROMPT_INJECTION,
        "imitates a message of the system or speaks to the agent out of sight",
        "write instructions where people can read them",
    ),
    (
        "obeys-remote-text",
        Risk.AST05,
        Category.TRANSITIVE_TRUST_ABUSE,
        "makes text from elsewhere an instruction",
        "ship the instructions, or treat what is fetched as data",
    ),
    (
        "asks-for-secret",
        Risk.AST01,
        Category.SOCIAL_ENGINEERING,
        "asks the user for a secret",
        "use the login of the service; never take a password or seed phrase in a chat",
    ),
    (
        "turns-on-user",
        Risk.AST01,
        Category.SOCIAL_ENGINEERING,
        "has the agent act against the person it works for",
        "remove the instruction",
    ),
    (
        "locked-archive",
        Risk.AST02,
        Category.MALWARE,
        "needs a program from an archive that scanners cannot open",
        "do not install; honest programs come unlocked",
    ),
    (
        "paste-into-terminal",
        Risk.AST02,
        Category.SOCIAL_ENGINEERING,
        "asks for a command from elsewhere to be pasted into a terminal",
        "give the command itself, readable, with what it does",
    ),
    (
        "invisible-text",
        Risk.AST04,
        Category.UNICODE_STEGANOGRAPHY,
        "contains text that cannot be seen",
        "remove the characters",
    ),
    (
        "lookalike-letters",
        Risk.AST04,
        Category.UNICODE_STEGANOGRAPHY,
        "mixes alphabets inside a word",
        "spell the word in one alphabet",
    ),
    (
        "typosquat",
        Risk.AST02,
        Category.SUPPLY_CHAIN_ATTACK,
        "installs a package whose name resembles a well-known one",
        "check the name; correct it or explain it",
    ),
    (
        "odd-package-source",
        Risk.AST02,
        Category.SUPPLY_CHAIN_ATTACK,
        "installs packages from a source nobody vouches for",
        "use the public registry or the user's own",
    ),
    (
        "install-hook",
        Risk.AST02,
        Category.SUPPLY_CHAIN_ATTACK,
        "runs code while it is being installed",
        "move the code into a script the user starts",
    ),
    (
        "every-tool",
        Risk.AST03,
        Category.UNAUTHORIZED_TOOL_USE,
        "asks for every tool",
        "name the tools and commands the skill needs",
    ),
    (
        "always-first",
        Risk.AST04,
        Category.SKILL_DISCOVERY_ABUSE,
        "wants to be used for every request",
        "describe when the skill helps",
    ),
    (
        "acts-unasked",
        Risk.AST09,
        Category.AUTONOMY_ABUSE,
        "acts on every task without asking",
        "ask once, and say what will be done",
    ),
    (
        "waits-for-moment",
        Risk.AST01,
        Category.MALWARE,
        "waits for a moment before it acts",
        "remove the condition",
    ),
    (
        "contains-secret",
        Risk.AST04,
        Category.HARDCODED_SECRETS,
        "contains a secret",
        "remove it and change it where it is used: it must be taken as known",
    ),
    (
        "personal-data",
        Risk.AST04,
        Category.POLICY_VIOLATION,
        "contains data about a person",
        "replace it by an example",
    ),
    (
        "risky-code",
        Risk.AST03,
        Category.COMMAND_INJECTION,
        "uses a construct that is easily misused",
        "use the safe form, or say why this one is needed",
    ),
    (
        "does-not-parse",
        Risk.AST08,
        Category.POLICY_VIOLATION,
        "cannot be read as what it claims to be",
        "correct the file",
    ),
    (
        "not-examined",
        Risk.AST08,
        Category.POLICY_VIOLATION,
        "could not be examined",
        "make it smaller or simpler, or have a person read it",
    ),
)
