"""What we write: read back equal by us, and accepted by the format's own validator."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from skills_ref.parser import read_properties
from skills_ref.validator import validate

from hermes.errors import InvalidSkill
from hermes.library.skillmd import SkillDocument, parse, render, with_fields
from hermes.rules.names import suggest_name

PLAIN = SkillDocument(name="pdf-tools", description="Fill PDF forms.", body="# PDF\n\nFill it.\n")

# Text with everything that has broken a reader of YAML: each of these is likely, not only possible.
awkward = st.sampled_from(
    [
        *("---", "--", ": ", " #", "- ", "? ", "&a", "*a", "yes", "null", "1.10", "2026-01-01"),
        *"\n\r\t\"'\\{[!%|>@`\x1b\x7f\x85\xa0\xad\u200b\u2028\ufeff\ufffe\uffff",
        *("\r\n", "\U0001f600", "\U0010ffff"),
    ]
)
texts = st.lists(awkward | st.text(max_size=8), max_size=10).map("".join)
names = st.from_regex(r"[a-z0-9]{1,8}(-[a-z0-9]{1,8}){0,3}", fullmatch=True).map(suggest_name)
keys = texts.filter(lambda key: key.strip() != "")
documents = st.builds(
    SkillDocument,
    name=names,
    description=texts.filter(str.strip),
    license=st.none() | texts,
    compatibility=st.none() | texts,
    allowed_tools=st.none() | texts,
    metadata=st.dictionaries(keys, texts, max_size=4),
    body=texts.filter(lambda body: "\0" not in body),
)


def written(place: Path, document: SkillDocument) -> Path:
    folder = place / (document.name or "none")
    folder.mkdir(exist_ok=True)
    (folder / "SKILL.md").write_bytes(render(document))
    return folder


def stripped(text: str | None) -> str | None:
    return (text or "").strip() or None


@given(documents)
@settings(max_examples=60, deadline=None)
def test_the_reference_library_accepts_what_we_write(
    tmp_path_factory: pytest.TempPathFactory, document: SkillDocument
) -> None:
    folder = written(tmp_path_factory.getbasetemp(), document)
    assert validate(folder) == []
    properties = read_properties(folder)
    assert properties.name == document.name
    assert properties.description == document.description.strip()
    assert properties.license == stripped(document.license)
    assert properties.compatibility == stripped(document.compatibility)
    assert properties.allowed_tools == stripped(document.allowed_tools)
    assert (properties.metadata or {}) == document.metadata


@given(documents)
@settings(max_examples=60, deadline=None)
def test_what_we_write_reads_back_as_it_was(document: SkillDocument) -> None:
    data = render(document)
    again = parse(data, folder=document.name)
    assert again.warnings == ()
    assert again.extra == {}
    assert again.description == document.description.strip()
    assert again.license == stripped(document.license)
    assert again.compatibility == stripped(document.compatibility)
    assert again.allowed_tools == stripped(document.allowed_tools)
    assert again.metadata == document.metadata
    body = document.body.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    assert again.body.strip("\n") == body
    assert b"\r" not in data
    assert data.count(b"\n---\n") >= 1
    assert data.split(b"---", 2)[1].endswith(b"\n")
    assert render(again) == data
    assert render(with_fields(again, license="MIT")) == render(with_fields(document, license="MIT"))


@given(documents)
@settings(max_examples=60, deadline=None)
def test_other_yaml_readers_see_text_only(document: SkillDocument) -> None:
    frontmatter = render(document).decode().split("---", 2)[1]
    loaded = yaml.safe_load(frontmatter)
    metadata = loaded.pop("metadata", {})
    assert all(
        isinstance(value, str) for value in [*loaded.values(), *metadata, *metadata.values()]
    )


def test_the_command_line_validator_agrees(tmp_path: Path) -> None:
    document = with_fields(
        PLAIN, description="a: b --- c", metadata={"version": "1.10", "on": "yes"}, license="MIT"
    )
    command = [str(Path(sys.executable).with_name("agentskills")), "validate"]
    folder = written(tmp_path, document)
    done = subprocess.run([*command, str(folder)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    (folder / "SKILL.md").write_text("---\nname: pdf-tools\n---\n")
    done = subprocess.run([*command, str(folder)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1, "the validator can say no"


def test_the_form_we_write() -> None:
    document = with_fields(
        PLAIN,
        name="no",
        description='Say "yes": now.',
        compatibility="Python 3.11, Linux (x86)",
        allowed_tools="Bash(git:*) Read",
        metadata={"version": "1.10", "a---b": "x"},
    )
    assert render(document).decode() == (
        "---\n"
        'name: "no"\n'
        'description: "Say \\"yes\\": now."\n'
        "compatibility: Python 3.11, Linux (x86)\n"
        'allowed-tools: "Bash(git:*) Read"\n'
        "metadata:\n"
        '  version: "1.10"\n'
        '  "a--\\x2db": x\n'
        "---\n\n"
        "# PDF\n\nFill it.\n"
    )


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (SkillDocument(name=None, description="x"), "1 to 64 characters"),
        (SkillDocument(name="PDF Tools", description="x"), "send 'pdf-tools' instead"),
        (SkillDocument(name="a", description=" \n"), "it is empty"),
        (SkillDocument(name="a", description="x" * 1025), "this one has 1,025"),
        (SkillDocument(name="a", description="x", compatibility="x" * 501), "at most 500"),
        (SkillDocument(name="a", description="x", body="\0"), "NUL"),
        (SkillDocument(name="a", description="\ud83d"), "half of a surrogate pair"),
        (SkillDocument(name="a", description="x", body="\udc00"), "half of a surrogate pair"),
        (SkillDocument(name="a", description="x", metadata={"\ud800": "x"}), "half of"),
        (SkillDocument(name="a", description="x", body="x" * 1024 * 1024), "too large"),
        (SkillDocument(name="a", description="x", metadata={"k": "x" * 65_536}), "too large"),
    ],
)
def test_what_the_format_forbids_is_not_written(document: SkillDocument, said: str) -> None:
    with pytest.raises(InvalidSkill, match=said):
        render(document)


def test_every_finding_is_told_at_once() -> None:
    with pytest.raises(InvalidSkill) as caught:
        render(SkillDocument(name="A", description=""))
    assert len(caught.value.findings) == 2


ODD = (
    b"\xef\xbb\xbf---\r\nname: Odd\r\ndescription: Use when: x\r\nversion: 1.10\r\n"
    b"hooks: {a: [b, c]}\r\ntags: [x, y]\r\nmodel: opus\r\n---\r\nBody without end"
)


def test_an_unchanged_document_is_the_same_bytes() -> None:
    assert render(parse(ODD)) == ODD
    assert render(parse(ODD, folder="odd")) == ODD
    nameless = b"---\ndescription: x\n---\n"
    assert render(parse(nameless, folder="some-folder")) == nameless
    assert render(with_fields(parse(ODD), description="Use when: x")) == ODD


def test_a_document_changed_behind_our_back_is_not_the_old_bytes() -> None:
    from dataclasses import replace

    document = replace(parse(ODD), name="odd", description="New.")
    assert b"New." in render(document)


def test_fields_outside_the_six_move_into_metadata(tmp_path: Path) -> None:
    document = parse(ODD, where="odd/SKILL.md")
    changed = with_fields(document, name="odd")
    assert changed.extra == {}
    assert changed.raw == b""
    assert changed.metadata == {
        "x-version": "1.10",
        "x-hooks": '{"a":["b","c"]}',
        "tags": "x, y",
        "x-model": "opus",
    }
    assert changed.tags == document.tags == ("x", "y")
    assert changed.body == "Body without end"
    assert any("'hooks' is outside the format: it moved" in text for text in changed.warnings)
    assert validate(written(tmp_path, changed)) == []
    assert parse(render(changed)).metadata == changed.metadata
