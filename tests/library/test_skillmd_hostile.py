"""Input made to hurt: answered within a second of CPU, with a document or with CorruptData."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hermes.errors import CorruptData
from hermes.ids import canonical_json
from hermes.library.frontmatter import MAX_FRONTMATTER, read_fields, read_flat
from hermes.library.skillmd import SkillDocument, parse
from hermes.library.yaml_reading import TooMuchYaml, YamlFault, read_yaml

SAMPLES = sorted((Path(__file__).parents[1] / "data" / "skills").rglob("SKILL.md"))

HEAD = "name: a\ndescription: x\n"
ROOM = MAX_FRONTMATTER - 100


def filled(piece: str, *, before: str = "", after: str = "") -> str:
    """As much of a piece as a frontmatter holds."""
    return before + piece * ((ROOM - len(before) - len(after) - len(HEAD)) // len(piece)) + after


def laughs(levels: int, width: int) -> str:
    lines = ["l0: &l0 [lol, lol]"]
    for n in range(1, levels):
        lines.append(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * width)}]")
    return "\n".join(lines)


HOSTILE = {
    "billion laughs": laughs(12, 10),
    "laughs of two": laughs(60, 2),
    "quadratic blow-up": filled("*a, ", before="a: &a " + "x" * 20_000 + "\nb: [", after="]"),
    "laughs in metadata": "metadata:\n  " + laughs(12, 10).replace("\n", "\n  "),
    "alias of itself": "a: &a [*a]",
    "alias to a later anchor": "a: *b\nb: &b x",
    "merge bomb": "a: &a {k: v}\nb:\n" + "  <<: *a\n" * 5_000,
    "flow lists": filled("[", before="a: "),
    "flow maps": filled("{a: ", before="a: "),
    "flow maps without keys": filled("{", before="a: "),
    "block lists": filled("- ", before="a:\n  "),
    "block maps": "a:\n" + "".join(" " * n + "a:\n" for n in range(1, 350)),
    "explicit keys": filled("? ", before="a:\n  "),
    "explicit flow keys": filled("?[", before="a: ["),
    "commas": filled(",", before="a: [", after="]"),
    "colons": filled(": ", before="a: "),
    "colons without spaces": filled(":", before="a: "),
    "quotes": filled('"', before="a: "),
    "single quotes": filled("'", before="a: "),
    "open quote": filled("x ", before='a: "'),
    "backslashes": filled("\\", before='a: "', after='"'),
    "escapes": filled("\\x41", before='a: "', after='"'),
    "surrogate escapes": filled("\\ud800", before='a: "', after='"'),
    "escapes beyond unicode": filled("\\UFFFFFFFF", before='a: "', after='"'),
    "anchors": filled("&a ", before="a: "),
    "many anchors": "\n".join(f"k{n}: &a{n} x" for n in range(4_000)),
    "tags": filled("!t ", before="a: "),
    "python tags": "a: !!python/object/apply:os.system ['exit 3']",
    "a tag without end": filled("x", before="a: !<"),
    "directives": filled("%YAML 1.1\n"),
    "documents": filled("--- x\n"),
    "comments": filled("#\n"),
    "spaces": filled(" ", before="a: "),
    "blank lines": filled("\n"),
    "tabs": filled("\t", before="a:\n"),
    "tab lines": filled("\t\n", before="a: x: y\n"),
    "one long word": filled("x", before="a: "),
    "one long key": filled("x", after=": v"),
    "many keys": "\n".join(f"k{n}: v" for n in range(6_000)),
    "many bad keys": "\n".join(f"k{n}: v: w" for n in range(4_000)),
    "many equal keys": filled("k: v\n"),
    "many bad equal keys": filled("k: v: w\n"),
    "nested bad keys": filled("  k: v: w\n", before="a:\n"),
    "many nested bad keys": "a:\n" + "\n".join(f" k{n}:\n  x: y: z" for n in range(2_500)),
    "huge number": filled("9", before="a: "),
    "block scalar": filled("  x\n", before="a: |\n"),
    "block scalar of deep indent": filled(" \n", before="a: |9\n"),
    "control characters": filled("\x01", before="a: "),
    "unicode line ends": filled("\u2028k: v", before="a: "),
    "zero width": filled("\u200b", before="a: "),
    "letters that grow": filled("\ufdfa", before="a: "),
    "combining marks": filled("\u0301", before="a: e"),
    "flat then broken": filled("k: v\n", after="!bad: ["),
}


def within_a_second(act: Callable[[], SkillDocument]) -> SkillDocument | CorruptData:
    started = time.process_time()
    try:
        outcome: SkillDocument | CorruptData = act()
    except CorruptData as error:
        outcome = error
    assert time.process_time() - started < 1.0
    return outcome


@pytest.mark.parametrize("first", [True, False], ids=["fields first", "fields last"])
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_frontmatter_is_answered_in_time(name: str, first: bool) -> None:
    hostile = HOSTILE[name]
    frontmatter = f"{HEAD}{hostile}" if first else f"{hostile}\n{HEAD}"
    outcome = within_a_second(partial(parse, f"---\n{frontmatter}\n---\nbody\n".encode()))
    if isinstance(outcome, CorruptData):
        assert outcome.line is not None
        assert len(str(outcome)) < 500
    else:
        assert all(len(warning) < 500 for warning in outcome.warnings)
        assert len(canonical_json([outcome.description, outcome.extra])) < 400_000


def test_a_bomb_is_refused_before_it_goes_off() -> None:
    data = f"---\n{HEAD}{laughs(40, 20)}\n---\n".encode()
    tracemalloc.start()
    try:
        with pytest.raises(CorruptData, match="repeats itself by aliases"):
            parse(data)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def test_a_few_aliases_are_fine() -> None:
    document = parse(f"---\n{HEAD}a: &a [b]\nc: *a\n---\n".encode())
    assert document.extra == {"a": ["b"], "c": ["b"]}


def test_deep_nesting_is_refused_without_recursion() -> None:
    with pytest.raises(CorruptData, match="nested more than 20 levels"):
        parse(f"---\n{HEAD}a: {'[' * 30_000}\n---\n".encode())


HUGE = {
    "one line": b"x" * 10_000_000,
    "one line of dashes": b"---\n" + b"-" * 10_000_000,
    "one value": b"---\nname: a\ndescription: " + b"x" * 10_000_000 + b"\n---\n",
    "one body": b"---\nname: a\ndescription: x\n---\n" + b"x\n" * 5_000_000,
    "line ends": b"\n" * 10_000_000,
    "not utf-8 at the end": b"---\nname: a\n---\n" + b"x" * 10_000_000 + b"\xff",
    "a frontmatter of a megabyte": b"---\nname: a\ndescription: x\n"
    + b"k: v\n" * 200_000
    + b"---\n",
    "within the limit, frontmatter too long": b"---\nname: a\nd: " + b"x" * 900_000 + b"\n---\n",
    "within the limit, never closed": b"---\n" + b"- -\n" * 250_000,
    "within the limit, dashes": b"---\n" + b"-" * 1_000_000 + b"x",
    "within the limit, dashes and spaces": b"---\n" + b"--- x\n" * 170_000,
    "within the limit, returns": b"---\rname: a\rdescription: x\r---\r" + b"\r" * 1_000_000,
    "within the limit, spaces": b" " * 1_000_000,
    "within the limit, fences": b"`" * 1_000_000,
}


@pytest.mark.parametrize("name", HUGE)
def test_huge_files_are_answered_in_time(name: str) -> None:
    within_a_second(partial(parse, HUGE[name]))


def test_oversize_is_refused_before_yaml() -> None:
    with pytest.raises(CorruptData, match="at most 1,048,576 are read"):
        parse(HUGE["one body"])
    with pytest.raises(CorruptData, match="the frontmatter has 900,"):
        parse(HUGE["within the limit, frontmatter too long"])


@pytest.mark.parametrize("name", HOSTILE)
def test_the_loader_in_python_ends_too(name: str) -> None:
    """It is slower by far, so it gets a smaller text; what counts is that it is bounded alike."""
    text = HOSTILE[name][:6_000]
    started = time.process_time()
    with suppress(YamlFault):
        read_yaml(text, loader=yaml.SafeLoader)
    assert time.process_time() - started < 3.0


pieces = st.sampled_from(
    [
        *("---\n", "name: a\n", "description: x\n", "metadata:\n", "tags: [a, b]\n", "  k: v\n"),
        *(
            "- a\n",
            "  - b\n",
            "k: ",
            "k:\n",
            "k: |\n",
            "k: >-\n",
            "&a ",
            "*a",
            "!!x ",
            "<<: ",
            "? ",
        ),
        *(
            "{",
            "}",
            "[",
            "]",
            ",",
            ": ",
            "#",
            "'",
            '"',
            "\\",
            "\t",
            "\n",
            "\r\n",
            " ",
            "%",
            "@",
            "`",
        ),
        *("\x85", "\u2028", "\ufeff", "\x00", "\x1b", "\\ud800", "...\n", "```yaml\n", "```\n"),
    ]
)
garbage = st.lists(pieces | st.text(alphabet=st.characters(codec="utf-8"), max_size=4), max_size=30)


@given(garbage.map("".join))
@settings(max_examples=200, deadline=None)
def test_any_text_is_a_document_or_corrupt(text: str) -> None:
    for data in (text.encode(), f"---\n{HEAD}{text}\n---\n".encode()):
        outcome = within_a_second(partial(parse, data))
        if isinstance(outcome, CorruptData):
            assert outcome.line is not None
            assert 1 <= outcome.line <= data.count(b"\n") + data.count(b"\r") + 1
        else:
            assert outcome.description
            assert all(outcome.tags)


@given(st.binary(max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_bytes_are_a_document_or_corrupt(data: bytes) -> None:
    within_a_second(partial(parse, b"---\ndescription: x\n" + data))


flat_pieces = st.sampled_from(
    [
        *(
            "name",
            "metadata",
            "k-1",
            "_x",
            ":",
            ": ",
            ":  ",
            "\n",
            "\n",
            "\n  ",
            "\n    ",
            "#",
            " #",
        ),
        *(
            "word",
            "two words",
            "http://x",
            "a:b",
            "a: b",
            "'it''s'",
            "''",
            '""',
            '"a: b"',
            '"a\\n"',
        ),
        *(
            "1.10",
            "-",
            "- a",
            "?",
            "(x)",
            "/path",
            ".5",
            "...",
            "%",
            "~",
            "[a]",
            "{}",
            "|",
            " ",
            "\t",
        ),
        *("\u00e9", "\u65e5", "\xa0", "\u3000", "\U0001f600", '"', "'"),
    ]
)
flat_lines = st.builds(
    "{}{}:{}{}{}".format,
    st.sampled_from(["", "", "", "  ", "  ", "    "]),
    st.sampled_from(["name", "metadata", "k", "k2", "k-3", "_"]),
    st.sampled_from([" ", "  ", ""]),
    st.sampled_from(["", "word", "a b", "'q: r'", '"q # r"', "'it''s'", "http://x:1", "v #c", "x:"])
    | st.lists(flat_pieces, max_size=4).map("".join),
    st.sampled_from(["", "", " "]),
)
flat_texts = st.lists(flat_lines | st.sampled_from(["", "# c", "  # c", "- a"]), max_size=8).map(
    "\n".join
) | st.lists(flat_pieces, max_size=14).map("".join)


@given(flat_texts)
@example("metadata:\n  a: b\n    c: d")
@example("metadata:\n    a: b\n  c: d")
@example("metadata:\n  a: b\nk: v\n    c: d")
@example("k: a\t# not in the value")
@example("k: v\t")
@example("k: 'a' b")
@example("k: a\n...")
@settings(max_examples=200, deadline=None)
def test_the_plain_reader_says_what_yaml_says(text: str) -> None:
    plain = read_flat(text)
    if plain is not None:
        for loader in (yaml.CSafeLoader, yaml.SafeLoader):
            assert plain == read_yaml(text, loader=loader)


def test_the_plain_reader_reads_the_common_file() -> None:
    text = "name: a\n\n# note\ndescription: \"x: y\"\nmetadata:\n  a: 'b'\n  c: d\nlicense:\n"
    fields = read_flat(text)
    assert fields is not None
    assert fields.values == {
        "name": "a",
        "description": "x: y",
        "metadata": {"a": "b", "c": "d"},
        "license": "",
    }
    assert fields.lines == {"name": 0, "description": 3, "metadata": 4, "license": 7}


def test_the_number_of_fields_to_repair_is_bounded() -> None:
    for hostile in (HOSTILE["many bad keys"], HOSTILE["many nested bad keys"]):
        with pytest.raises(CorruptData, match="more than 500 fields"):
            parse(f"---\n{HEAD}{hostile}\n---\n".encode())


def test_too_much_is_never_repaired() -> None:
    with pytest.raises(TooMuchYaml):
        read_fields(f"{laughs(40, 20)}\nk: v: w")


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.parent.name)
def test_samples(path: Path) -> None:
    """Whole files: those in `readable` must be read, those in `broken` must name their line."""
    data = path.read_bytes()
    if "readable" in path.parts:
        document = parse(data, where=str(path))
        assert document.description
        assert document.body.strip()
    else:
        with pytest.raises(CorruptData, match=r"SKILL\.md:\d+: "):
            parse(data, where=str(path))
