"""A recorded file against a replayed one: what may differ, what may not, and how it is told."""

from __future__ import annotations

import json
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.rules.comparing.comparison import Comparison, Sameness
from hermes.rules.comparing.files import compare_files, separator
from hermes.rules.comparing.images import picture_of
from hermes.rules.comparing.normaliser import Normaliser

PLAIN = Normaliser()


def compared(name: str, recorded: str | bytes, replayed: str | bytes) -> Comparison:
    sides = [one.encode() if isinstance(one, str) else one for one in (recorded, replayed)]
    return compare_files(name, sides[0], sides[1], PLAIN)


@pytest.mark.parametrize(
    ("name", "recorded", "replayed"),
    [
        ("a.csv", "x,y\n1,0.30000000000000004\n", "x,y\n1,0.3\n"),
        ("a.csv", "x,y\r\n1,2\r\n", "x,y\n1,2.0\n"),
        ("a.csv", '\ufeffx,y\n"1",2\n', "x,y\n1,2\n\n"),
        ("a.csv", "x;y\n1;2\n", 'x;y\n"1";2\n'),
        ("a.tsv", "x\ty\n1\t1e3\n", "x\ty\n1\t1000\n"),
        ("a.json", '{"a": 1, "b": [1.0, 2]}', '{"b": [1, 2.0000000001],\n "a": 1}\n'),
        ("a.jsonl", '{"a": 1, "b": 2}\n', '{"b": 2, "a": 1}\n'),
        ("a.md", "# Title  \r\n\r\nsum: 1,234.50\r\n", "# Title\n\nsum: 1234.5\n\n\n"),
        ("a.bin", b"\0\1", b"\0\1"),
    ],
)
def test_the_same_in_other_clothes(name: str, recorded: str | bytes, replayed: str | bytes) -> None:
    assert compared(name, recorded, replayed).is_same


@pytest.mark.parametrize(
    ("name", "recorded", "replayed", "told"),
    [
        ("a.csv", "m,v\nA,1\nB,2\n", "m,v\nA,1\nB,3\n", "row 3, column 2 (v): recorded '2'"),
        ("a.csv", "m,v\nA,1\nB,2\n", "m,v\nB,2\nA,1\n", "row 2, column 1 (m): recorded 'A'"),
        ("a.csv", "m,v\nA,1\n", "m,v\nA,1\nB,2\n", "recorded 2 rows, replayed 3"),
        ("a.csv", "m,v\nA,1\n", "m\nA\n", "row 1: recorded 2 cells, replayed 1"),
        ("a.csv", "id\n007\n", "id\n7\n", "row 2, column 1 (id): recorded '007', replayed '7'"),
        ("a.csv", "n\n10000001\n", "n\n10000002\n", "row 2, column 1 (n)"),
        ("a.json", '{"a": {"b": [1, 2]}}', '{"a": {"b": [2, 1]}}', "$.a.b[0]: recorded '1'"),
        ("a.json", '{"a": 1}', '{"a": 1, "c": 2}', "$.c: only replayed has it"),
        ("a.json", '{"a": 1}', '{"a": true}', "$.a: recorded '1', replayed 'true'"),
        ("a.jsonl", '{"a":1}\n{"a":2}\n', '{"a":1}\n{"a":3}\n', "line 2: $.a: recorded '2'"),
        ("a.txt", "one\ntwo\n", "one\ntow\n", "line 2: recorded 'two', replayed 'tow'"),
        ("a.txt", "one\n", "one\ntwo\n", "line 2: only replayed has 'two'"),
        ("a.txt", "v1.2.3", "v1.2.4", "line 1"),
        ("a.txt", "on 2026-01-02", "on 2026-01-03", "line 1"),
        ("a.txt", "total 100.0", "total 100.1", "line 1: recorded 'total 100.0'"),
        ("a.bin", b"\0\1", b"\0\2", "recorded 2 bytes ("),
    ],
)
def test_the_first_difference_is_told(
    name: str, recorded: str | bytes, replayed: str | bytes, told: str
) -> None:
    answer = compared(name, recorded, replayed)
    assert answer.outcome is Sameness.DIFFERENT
    assert told in answer.reason


def test_what_is_not_what_its_name_says_is_compared_as_text() -> None:
    assert compared("a.json", "{no json", "{no json \n").is_same
    answer = compared("a.json", "{no json", "{other")
    assert answer.reason == "line 1: recorded '{no json', replayed '{other'"
    assert compared("a.csv", "x" * 2_000_000, "x" * 2_000_000 + " ").is_same


def test_deep_json_is_no_crash() -> None:
    deep = "[" * 5_000 + "]" * 5_000
    assert compared("a.json", deep, deep + "\n").is_same
    assert compared("a.json", deep, "[]").outcome is Sameness.DIFFERENT


def png(width: int, height: int, rest: bytes = b"") -> bytes:
    header = struct.pack(">II", width, height)
    return b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + header + rest


def jpeg(width: int, height: int) -> bytes:
    filling = b"\xff\xe0" + struct.pack(">H", 6) + b"JFIF"
    frame = b"\xff\xc0" + struct.pack(">HBHH", 11, 8, height, width)
    return b"\xff\xd8" + filling + frame


def test_pictures_agree_by_format_and_size() -> None:
    assert compared("a.png", png(8, 6), png(8, 6)).is_same
    other_pixels = compared("a.png", png(8, 6, b"a"), png(8, 6, b"b"))
    assert other_pixels.is_same
    assert other_pixels.note == "PNG of 8×6 on both sides, other pixels"
    told = "recorded PNG of 8×6, replayed PNG of 8×7"
    assert compared("a.png", png(8, 6), png(8, 7)).reason == told
    assert compared("a.png", png(8, 6), jpeg(8, 6)).outcome is Sameness.DIFFERENT
    assert (
        compared("a.png", png(8, 6), b"oops").reason == "recorded PNG of 8×6, replayed no picture"
    )
    assert compared("a.png", b"oops", png(8, 6)).outcome is Sameness.UNCOMPARABLE


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"GIF89a" + struct.pack("<HH", 3, 4), "GIF of 3×4"),
        (jpeg(640, 480), "JPEG of 640×480"),
        (b"RIFF....WEBPVP8X" + bytes(8) + b"\x09\0\0\x04\0\0", "WebP of 10×5"),
    ],
)
def test_sizes_are_read_from_the_header(data: bytes, told: str) -> None:
    assert str(picture_of(data)) == told


@given(st.binary(max_size=60))
def test_no_bytes_are_a_crash(data: bytes) -> None:
    for start in (b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF....WEBPVP8L", b"GIF89a"):
        found = picture_of(start + data)
        assert found is None or found.format in ("PNG", "GIF", "JPEG", "WebP")


@given(st.lists(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=2)))
def test_a_table_is_the_same_as_itself_rounded(rows: list[list[float]]) -> None:
    written = [
        "\n".join(",".join(f"{cell:{form}}" for cell in row) for row in rows)
        for form in (".17g", ".12g")
    ]
    assert compared("a.csv", "h,i\n" + written[0], "h,i\n" + written[1]).is_same


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=9))
def test_a_document_differs_from_what_it_is_not(value: object) -> None:
    text = json.dumps({"a": value})
    assert compared("a.json", text, json.dumps({"a": value}, indent=2)).is_same
    assert not compared("a.json", text, json.dumps({"a": [value]})).is_same


def test_the_separator_is_that_of_the_heading() -> None:
    assert separator("a;b,c;d\n1,2,3") == ";"
    assert separator("alone\n1,2") == ","


def test_the_working_folder_has_another_name_on_either_side() -> None:
    normaliser = Normaliser(folders=("/home/ann/proj", "/app/data"))
    recorded, replayed = b"saved /home/ann/proj/a.png\n", b"saved /app/data/a.png\n"
    assert compare_files("log.txt", recorded, replayed, normaliser).is_same
    other = b"saved /home/ann/project/a.png\n"
    assert not compare_files("log.txt", other, replayed, normaliser).is_same
    told = "in /home/ann/project, /mnt/home/ann/proj/x and /home/ann/proj"
    assert normaliser.lines(told) == ["in /home/ann/project, /mnt/home/ann/proj/x and ."]
