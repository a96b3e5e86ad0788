"""What we read: nearly everything, with a warning for each oddity, and never a guess or a hang."""

from __future__ import annotations

import subprocess
import sys

import pytest
import yaml

from hermes.errors import CorruptData
from hermes.library.skillmd import SkillDocument, parse
from hermes.library.skillmd_reading import MAX_WARNINGS
from hermes.library.yaml_reading import read_yaml


def read(frontmatter: str, body: str = "Body.\n", **names: str) -> SkillDocument:
    return parse(f"---\n{frontmatter}\n---\n{body}".encode(), **names)


def refused(data: bytes | str) -> CorruptData:
    with pytest.raises(CorruptData) as caught:
        parse(data.encode() if isinstance(data, str) else data, where="x/SKILL.md")
    assert str(caught.value).startswith("x/SKILL.md:")
    assert caught.value.where == "x/SKILL.md"
    return caught.value


CLEAN = """\
name: pdf-tools
description: Fill PDF forms. Use when a form is a PDF.
license: Apache-2.0
compatibility: Python 3.11
allowed-tools: Bash(git:*) Read
metadata:
  author: someone
  version: "1.10\""""


def test_a_clean_file() -> None:
    document = read(CLEAN, "\n# PDF\n", folder="pdf-tools")
    assert document == SkillDocument(
        name="pdf-tools",
        description="Fill PDF forms. Use when a form is a PDF.",
        license="Apache-2.0",
        compatibility="Python 3.11",
        allowed_tools="Bash(git:*) Read",
        metadata={"author": "someone", "version": "1.10"},
        body="# PDF\n",
    )
    assert document.warnings == ()
    assert document.raw.startswith(b"---\nname: pdf-tools")


def test_a_clean_file_costs_no_import_of_yaml() -> None:
    program = (
        "import sys; from hermes.library.skillmd import parse, render, with_fields;"
        "document = parse(sys.stdin.buffer.read()); render(with_fields(document, license='MIT'));"
        "assert 'yaml' not in sys.modules and 'difflib' not in sys.modules"
    )
    data = f"---\n{CLEAN}\n---\n".encode()
    subprocess.run([sys.executable, "-c", program], input=data, check=True, timeout=60)


LENIENT = [
    # (bytes, description, what is warned about)
    (b"\xef\xbb\xbf---\nname: a\ndescription: x\n---\n", "x", ":1: starts with a byte order mark"),
    (b"---\r\nname: a\r\ndescription: x\r\n---\r\nb\r\n", "x", ":1: has line ends with CR"),
    (b"---\rname: a\rdescription: x\r---\rb\r", "x", ":1: has line ends with CR"),
    (b"---\nname: a\ndescription: x\n---\nb", "x", ":5: the last line has no line end"),
    (b"---\nname: a\ndescription: x\n---", "x", ":4: the last line has no line end"),
    (b"\n \n---\nname: a\ndescription: x\n---\n", "x", ":1: starts with blank lines"),
    (b"```markdown\n---\nname: a\ndescription: x\n---\nb\n```\n", "x", "wrapped in a code fence"),
    (b"--- \nname: a\ndescription: x\n---\t\n", "x", ""),
    (b"-----\nname: a\ndescription: x\n-----\n", "x", ""),
    (b"---\nname: a\ndescription: x\n...\nb\n", "x", ""),
    (
        b"---\nname: a\ndescription: Use when: x # y\n---\n",
        "Use when: x # y",
        ":3: 'description' is",
    ),
    (b"---\nname: a\ndescription: [x] and: y\n---\n", "[x] and: y", "read as plain text"),
    (b"---\nname: a\ndescription: **Bold** text\n---\n", "**Bold** text", "read as plain text"),
    (b"---\nname: a\ndescription: *star text\n---\n", "*star text", "read as plain text"),
    (b"---\nname: a\ndescription: @x does\n---\n", "@x does", "read as plain text"),
    (b"---\nname: a\ndescription: `x` does\n---\n", "`x` does", "read as plain text"),
    (b"---\nname: a\ndescription: %x does\n---\n", "%x does", "read as plain text"),
    (b'---\nname: a\ndescription: "open: x\n---\n', "open: x", "read as plain text"),
    (b'---\nname: a\ndescription: "x" then "y"\n---\n', 'x" then "y', "read as plain text"),
    (b"---\nname: a\ndescription: 'it's x'\n---\n", "it's x", "read as plain text"),
    (b"---\nname: a\ndescription: x\ny: z\n- w\n---\n", "x", "'y' is not valid YAML"),
    (b"---\nname: a\ndescription: x: y\n  and z\n---\n", "x: y and z", "read as plain text"),
    (b"---\nname: a\ndescription: |\nx\ny\n---\n", "x\ny", "read as plain text"),
    (b"---\nname: a\ndescription: >-\nx\ny\n---\n", "x y", "read as plain text"),
    (b"---\nname:a\ndescription:x\n---\n", "x", ""),
    (b"---\nname: a\ndescription: x\nmetadata:\n\tb: c\n---\n", "x", ":4: 'metadata' is indented"),
    (b"---\nname: a\ndescription: >\n\tx\n---\n", "x", "tabs"),
    (b"---\n  name: a\n  description: x: y\n---\n", "x: y", ":3: 'description' is not valid"),
    (b"---\nhello\nname: a\ndescription: x: y\n---\n", "x: y", ":2: is not a field"),
    (b"---\nName: a\nDescription: x\n---\n", "x", ":3: the field 'Description' is written"),
    (
        b"---\nname: a\ndescription:\n  - x\n  - y\n---\n",
        "x, y",
        "'description' is text, not a list",
    ),
    (b"---\nname: a\ndescription: [do: x]\n---\n", "do: x", "'description' is text"),
    (
        b"---\nname: a\ndescription: x\ndescription: y\n---\n",
        "x",
        ":4: 'description' is there twice",
    ),
    (
        b"---\nname: a\ndescription: x: x\ndescription: y\n---\n",
        "x: x",
        ":4: 'description' is there",
    ),
    (
        b"---\nname: a\ndescription: !!python/object:os.system x\n---\n",
        "x",
        "tag tag:yaml.org,2002:py",
    ),
    (b"---\nname: a\ndescription: !x y\n---\n", "y", "the tag !x is not obeyed"),
    (b"---\nname: a\ndescription: x\x07y\n---\n", "xy", ":3: has the unusual character U+0007"),
    (b"---\nname: a\ndescription: x\xc2\x85z: y\n---\n", "x z: y", "U+0085"),
    (b"---\nname: a\ndescription: x\xe2\x80\xa8license: y\n---\n", "x license: y", "U+2028"),
    (b'---\nname: a\ndescription: "\\ud83d\\ude00 x"\n---\n', "\\ud83d\\ude00 x", "plain text"),
    (b'---\nname: a\ndescription: "\\U00110000 x"\n---\n', "\\U00110000 x", "plain text"),
    (b"---\ndescription: x\n---\n", "x", "there is no name"),
    (b"---\nname: My Skill\ndescription: x\n---\n", "x", ":2: a skill name has lower-case"),
    (
        b"---\nname: a\ndescription: x\ncompatibility: " + b"y" * 501 + b"\n---\n",
        "x",
        "longer than 500",
    ),
    (
        b"---\nname: a\ndescription: " + b"x" * 1025 + b"\n---\n",
        "x" * 1025,
        ":3: 'description' is longer",
    ),
    (b"---\nname: a\ndescription: x\nmetadata: y\n---\n", "x", "'metadata' is a mapping"),
    (
        b"---\nname: a\ndescription: x\nmetadata:\n  a: y: z\n---\n",
        "x",
        ":5: 'a' is not valid YAML",
    ),
    (b"---\nname: a\ndescription: x\n? [b, c]\n: d\n---\n", "x", ":4: a key that is not text"),
    (b"---\nname: a\ndescription: x\n<<: {b: c}\n---\n", "x", ":4: the merge key << is not obeyed"),
    (b"---\nname: a\ndescription: x\n--- y\n---\n", "x --- y", "read as plain text"),
    (b"---\n%YAML 1.1\nname: a\ndescription: x\n---\n", "x", ":2: is not a field"),
    (b"---\nname: a\n# note: this\ndescription: x: y\n# note\n---\n", "x: y", "plain text"),
]


@pytest.mark.parametrize(("data", "description", "warned"), LENIENT)
def test_odd_files_are_read_with_a_warning(data: bytes, description: str, warned: str) -> None:
    document = parse(data, where="a/SKILL.md")
    assert document.description == description
    assert all(warning.startswith("a/SKILL.md:") for warning in document.warnings)
    assert any(warned in warning for warning in document.warnings) or not warned
    assert document.raw == data
    if b"\nname" in data.lower():
        assert document.name in ("a", "My Skill")


def test_code_fences_are_not_part_of_the_body() -> None:
    assert parse(LENIENT[6][0]).body == "b\n"


@pytest.mark.parametrize(
    "text",
    [
        *("2026-01-01", "12:30:45", "yes", "No", "null", "~", "true", "="),
        *("1.10", "0x1F", "1_000", "1e3", "007", ".inf", "1" * 400),
    ],
)
def test_scalars_stay_the_text_they_are(text: str) -> None:
    document = read(f"name: {text}\ndescription: {text}\nversion: {text}\nmetadata: {{v: {text}}}")
    assert (document.name, document.description) == (text, text)
    assert document.extra["version"] == text
    assert document.metadata["v"] == text


def test_a_tag_does_not_turn_text_into_something_else() -> None:
    document = read("name: a\ndescription: x\nmetadata: {a: !!int 3, b: !!binary aGk=}")
    assert document.metadata == {"a": "3", "b": "aGk="}


def test_fields_of_other_clients_are_kept_apart() -> None:
    document = read(
        "name: a\ndescription: x\nmodel: opus\nhooks:\n  Stop: [{command: ls}]\n"
        "disable-model-invocation: true"
    )
    assert document.extra == {
        "model": "opus",
        "hooks": {"Stop": [{"command": "ls"}]},
        "disable-model-invocation": "true",
    }
    assert [w for w in document.warnings if "outside the format" in w] == [
        "SKILL.md:4: the field 'model' is outside the format",
        "SKILL.md:5: the field 'hooks' is outside the format",
        "SKILL.md:7: the field 'disable-model-invocation' is outside the format",
    ]


def test_the_real_spelling_of_a_field_counts() -> None:
    document = read("Name: b\nname: a\ndescription: x\nDESCRIPTION: y")
    assert (document.name, document.description) == ("a", "x")
    assert document.extra == {"Name": "b", "DESCRIPTION": "y"}


def test_a_restriction_survives_an_unquoted_colon() -> None:
    document = read("name: a\ndescription: Use for: x\nallowed-tools: Read\nmetadata:\n  b: c")
    assert document.allowed_tools == "Read"
    assert document.metadata == {"b": "c"}


@pytest.mark.parametrize(
    ("frontmatter", "tags"),
    [
        ("tags: [a, B c, a]", ("a", "B c")),
        ("tags: a, b", ("a", "b")),
        ("tags:\n  - a\n  - b", ("a", "b")),
        ("tags: [a, b", ("a", "b")),
        ("metadata:\n  tags: a, b", ("a", "b")),
        ('metadata:\n  tags: \'["a", "b"]\'', ("a", "b")),
        ("metadata:\n  hermes:\n    tags: [a, b]\n    category: c", ("a", "b")),
        ("tags: [top]\nmetadata: {tags: inner}", ("top",)),
        ("tags:", ()),
        ("license: MIT", ()),
    ],
)
def test_tags_from_wherever_they_are(frontmatter: str, tags: tuple[str, ...]) -> None:
    assert read(f"name: a\ndescription: x\n{frontmatter}").tags == tags


def test_nested_metadata_becomes_flat_text() -> None:
    document = read(
        "name: a\ndescription: x\nmetadata:\n  openclaw: {requires: {bins: [uv, git]}, os: linux}\n"
        "  list: [{a: b}, c]\n  openclaw.os: mac"
    )
    assert document.metadata == {
        "openclaw.requires.bins": "uv, git",
        "openclaw.os": "linux",
        "list": '[{"a":"b"},"c"]',
    }
    assert any("'metadata' is nested" in warning for warning in document.warnings)
    assert any("'openclaw.os' twice" in warning for warning in document.warnings)


def test_a_list_of_tools_is_text() -> None:
    assert (
        read("name: a\ndescription: x\nallowed-tools: [Read, Write]").allowed_tools == "Read Write"
    )


def test_the_folder_names_what_has_no_name() -> None:
    document = read("description: x", folder="pdf-tools")
    assert document.name == "pdf-tools"
    assert any("the folder's, 'pdf-tools', is used" in text for text in document.warnings)
    assert read("description: x").name is None


def test_another_name_than_the_folders_is_kept_and_warned_about() -> None:
    document = read("name: a\ndescription: x", folder="b")
    assert document.name == "a"
    assert any(
        "SKILL.md:2: the name 'a' is not that of the folder, 'b'" in w for w in document.warnings
    )


def test_another_spelling_of_the_file_name() -> None:
    assert any("rename it to SKILL.md" in w for w in read(CLEAN, where="a/skill.md").warnings)
    assert read(CLEAN, where="a/SKILL.md").warnings == ()


def test_the_body_keeps_its_unusual_line_ends() -> None:
    assert read("name: a\ndescription: x", "a\u2028b\x85c\x0cd\n").body == "a\u2028b\x85c\x0cd\n"


def test_rules_in_the_body_are_body() -> None:
    assert read("name: a\ndescription: x", "a\n---\nb: c\n---\n").body == "a\n---\nb: c\n---\n"


def test_a_long_body() -> None:
    body = "word \u00e9\n" * 50_000
    assert read("name: a\ndescription: x", body).body == body


def test_many_warnings_are_cut() -> None:
    document = read("name: a\ndescription: x\n" + "\n".join(f"k{n}: v" for n in range(200)))
    assert len(document.warnings) == MAX_WARNINGS + 1
    assert document.warnings[-1].endswith("and 150 warnings more")
    assert len(document.extra) == 200


REFUSED = [
    (b"", 1, "no frontmatter"),
    (b"# Title\n\nText\n", 1, "no frontmatter"),
    (b"\n\n# Title\n", 3, "no frontmatter"),
    (b"name: a\ndescription: x\n---\n", 1, "no frontmatter"),
    (b"---\nname: a\ndescription: x\n", 1, "never closed"),
    (b"---\n---\nbody\n", 2, "no description"),
    (b"---\nname: a\n---\n", 2, "no description"),
    (b"---\nname: a\ndescription:\n---\n", 3, "no description"),
    (b"---\nname: a\ndescription: '  '\n---\n", 3, "no description"),
    (b"---\nname: a\ndescription: |\n\n---\n", 3, "no description"),
    (b"---\nname: a\ndescription: []\n---\n", 3, "no description"),
    (b"---\njust words\n---\n", 2, "cannot be read: is not a list of fields"),
    (b"---\n- a\n- b\n---\n", 2, "cannot be read"),
    (b"---\n\n\n{a\n---\n", 4, "cannot be read"),
    (b"---\nname: a\x00\ndescription: x\n---\n", 2, "NUL at byte 11"),
    (b"---\nname: a\n---\n\n\x00", 5, "NUL"),
    (b"---\nname: a\ndescription: \xff\n---\n", 3, "not UTF-8 at byte 25"),
    (b"---\nname: a\ndescription: x\n---\n\n\xc3", 6, "not UTF-8"),
    (b"---\nname: a\ndescription: \xed\xa0\x80\n---\n", 3, "not UTF-8"),
    ("---\nname: a\n---\n".encode("utf-16"), 1, "NUL"),
]


@pytest.mark.parametrize(("data", "line", "said"), REFUSED)
def test_what_cannot_be_read_says_where(data: bytes, line: int, said: str) -> None:
    error = refused(data)
    assert said in str(error)
    assert error.line == line


@pytest.mark.parametrize(("data", "description", "warned"), LENIENT)
def test_the_loader_in_python_reads_alike(data: bytes, description: str, warned: str) -> None:
    text = data.decode().lstrip("\ufeff").replace("\r\n", "\n")
    frontmatter = text.split("---", 2)[1]
    outcomes = []
    for loader in (yaml.CSafeLoader, yaml.SafeLoader):
        try:
            outcomes.append(read_yaml(frontmatter, loader=loader).values)
        except Exception as error:  # noqa: BLE001  both must fail, with our error
            outcomes.append(type(error).__name__)
    assert outcomes[0] == outcomes[1]
