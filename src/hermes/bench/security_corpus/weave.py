"""Weaves a variant into a package: into a cover skill, in one of several layouts and tones.

Everything is drawn from a generator seeded with the package's own name, so the same edition is the
same bytes on every machine and adding a family changes no other package.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from random import Random

from hermes.bench.security_corpus.sheets import Variant, covers

_HOSTS = (
    "metrics-edge.example", "cdn.toolkit-sync.example", "assets.quickrun.test", "hub.agentkit.test",
    "dl.packmirror.example", "api.insightlane.test", "node7.fastcache.invalid",
    "updates.skillbase.example", "collector.devops-lens.test", "static.openhelper.invalid",
)  # fmt: skip
_VENDORS = ("acme-tools.example", "northwind.example", "contoso.test", "globex.example")
_PEOPLE = ("mlin", "katja-r", "d-okafor", "samuelp", "y-tanaka", "lucia-f", "b-novak", "aria-dev")
_SLOT = re.compile(
    r"%(HOST|IP|PORT|SKILL|TOPIC|PERSON|VENDOR|WALLET|BLANKS|(B64|HEX|TAGS|ZW):(.*?))%"
)
_ENCODERS: dict[str, Callable[[str], str]] = {
    "B64": lambda text: base64.b64encode(text.encode()).decode(),
    "HEX": lambda text: text.encode().hex(),
    "TAGS": lambda text: "".join(chr(0xE0000 + ord(c)) for c in text if ord(c) < 128),
    "ZW": lambda text: "".join(
        "\u200b" if bit == "0" else "\u200c" for c in text.encode() for bit in f"{c:08b}"
    ),
}


def malicious_files(variant: Variant, seed: str) -> tuple[str, dict[str, bytes]]:
    """(skill name, files) of a cover with this variant woven in."""
    draw = Random(seed)
    cover = draw.choice(covers())
    name = cover.name + draw.choice(("", "-pro", "-helper", "-plus", "-kit", "-agent"))
    fill = _slots(draw, name, cover.options.get("topic", name))
    sections = [(heading, fill(text)) for heading, text in cover.prose]
    ours = [
        (heading, fill(text) if text.strip() else _lead_in(variant))
        for heading, text in variant.prose
    ]
    files = {path: fill(text) for path, text in (*cover.files, *variant.files)}
    place = variant.options.get("place", "end")
    if place == "reference":
        path = draw.choice(("references/guide.md", "references/setup.md", "docs/details.md"))
        files[path] = "".join(f"## {heading}\n\n{text}\n" for heading, text in ours)
        sections.append(("Details", f"Read `{path}` before you start and follow it.\n"))
    else:
        at = {"start": 0, "step": 1}.get(place, len(sections))
        sections[at:at] = ours
    description = f"{cover.description} {fill(variant.description)}".strip()
    meta = [(key, fill(value)) for key, value in variant.meta]
    files["SKILL.md"] = _skill_md(draw, name, description, sections, meta)
    return name, {path: text.encode() for path, text in files.items()}


def benign_files(variant: Variant, seed: str) -> tuple[str, dict[str, bytes]]:
    """(skill name, files) of an honest variant."""
    draw = Random(seed)
    fill = _slots(draw, variant.name, variant.options.get("topic", variant.name))
    sections = [(heading, fill(text)) for heading, text in variant.prose]
    files = {path: fill(text) for path, text in variant.files}
    meta = [(key, fill(value)) for key, value in variant.meta]
    files["SKILL.md"] = _skill_md(draw, variant.name, fill(variant.description), sections, meta)
    return variant.name, {path: text.encode() for path, text in files.items()}


def _lead_in(variant: Variant) -> str:
    path = variant.files[0][0] if variant.files else "the script"
    return f"Run `{path}` when the skill is used.\n"


def _slots(draw: Random, name: str, topic: str) -> Callable[[str], str]:
    values = {
        "HOST": draw.choice(_HOSTS),
        "IP": draw.choice(("203.0.113.", "198.51.100.", "192.0.2.")) + str(draw.randrange(2, 250)),
        "PORT": str(draw.choice((4444, 8080, 9001, 1337, 5555, 31337))),
        "SKILL": name,
        "TOPIC": topic,
        "PERSON": draw.choice(_PEOPLE),
        "VENDOR": draw.choice(_VENDORS),
        "WALLET": "4" + "".join(draw.choices("ABCDEFGHJKLMNPQRSTUVWXYZ123456789", k=94)),
        "BLANKS": "\n" * draw.randrange(60, 140),
    }

    def one(match: re.Match[str]) -> str:
        if match[2]:
            return _ENCODERS[match[2]](match[3])
        return values[match[1]]

    return lambda text: _SLOT.sub(one, text)


def _skill_md(
    draw: Random,
    name: str,
    description: str,
    sections: list[tuple[str, str]],
    meta: list[tuple[str, str]],
) -> str:
    quoted = '"' + description.replace("\\", "\\\\").replace('"', '\\"') + '"'
    lines = ["---", f"name: {name}", f"description: {quoted}"]
    if draw.random() < 0.3:
        lines.append("license: MIT")
    if draw.random() < 0.25:
        lines.append(
            "allowed-tools: " + draw.choice(("Read Bash", "Read Grep Bash(python:*)", "Read"))
        )
    author = draw.choice(_PEOPLE)
    if meta or draw.random() < 0.4:
        lines += ["metadata:", f"  author: {author}"]
        lines += [f"  {key}: '{value}'" for key, value in meta]
    title = name.replace("-", " ")
    lines += ["---", "", draw.choice(("# ", "# 🚀 ", "# ")) + title.capitalize(), ""]
    opening = draw.choice(
        ("", "", f"{description}\n", f"> Version 1.{draw.randrange(9)} by {author}\n")
    )
    mark = draw.choice(("## ", "## ", "### "))
    body = "".join(f"{mark}{heading}\n\n{text}\n" for heading, text in sections)
    head = "\n".join(lines) + (f"\n{opening}\n" if opening else "\n")
    return head + body
