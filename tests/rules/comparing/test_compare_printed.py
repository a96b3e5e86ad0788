"""What a replay prints: whole outputs where they are the result, true remarks where files are."""

from __future__ import annotations

import pytest

from hermes.rules.comparing.normaliser import Normaliser
from hermes.rules.comparing.printed import compare_outputs, compare_remarks

NORMALISER = Normaliser(moments=True, durations=True)
LOOKED, COUNTED, SUMMED = "jan.csv\nfeb.csv\n", "rows: 31\n", "total 10.50\nmean 0.3387096\n"


def test_what_was_only_looked_at_need_not_come_back() -> None:
    recorded = [LOOKED, COUNTED, SUMMED]
    assert compare_outputs(recorded, 2, COUNTED + SUMMED, NORMALISER).is_same
    assert compare_outputs(recorded, 2, SUMMED, NORMALISER).is_same
    assert compare_outputs(recorded, 2, "total 10.5\n\nmean 0.33870961\n", NORMALISER).reason
    assert compare_outputs(recorded, 2, "total 10.5\nmean 0.33870961\n", NORMALISER).is_same


@pytest.mark.parametrize(
    ("replayed", "told"),
    [
        (COUNTED, "recorded printed 'total 10.50', replayed printed nothing of it"),
        ("", "recorded printed 'total 10.50', replayed printed nothing of it"),
        ("total 10.51\nmean 0.3387096\n", "line 1: recorded 'total 10.50', replayed 'total 10.51'"),
        ("total 10.50\n", "printed line 2: only recorded has 'mean 0.3387096'"),
        (SUMMED + "rows: 32\n", "recorded 'rows: 31', replayed 'rows: 32'"),
    ],
)
def test_the_final_output_must_come_back_whole(replayed: str, told: str) -> None:
    answer = compare_outputs([LOOKED, COUNTED, SUMMED], 2, replayed, NORMALISER)
    assert not answer.is_same
    assert told in answer.reason


def test_what_no_step_printed_is_told() -> None:
    answer = compare_outputs([SUMMED], 0, SUMMED + "and more\nof it\n", NORMALISER)
    assert answer.reason == "replayed printed 'and more', which no recorded step did"


def test_beside_files_a_line_may_be_left_out_but_not_made_up() -> None:
    recorded = ["read jan.csv\nwrote 31 rows in 0.21 s\n", "ok\n"]
    assert compare_remarks(recorded, "wrote 31 rows in 3.4 s\n", NORMALISER).is_same
    assert compare_remarks(recorded, "", NORMALISER).is_same
    wrong = compare_remarks(recorded, "wrote 30 rows in 0.1 s\n", NORMALISER)
    assert "recorded 'wrote 31 rows in <duration>', replayed 'wrote 30 rows" in wrong.reason
    assert not compare_remarks(recorded, "ok\nread jan.csv\n", NORMALISER).is_same


def test_masks_are_stated_and_only_then_used() -> None:
    recorded, replayed = "done 2026-01-02 10:11:12 in 5 ms", "done 2026-11-16 00:00:01 in 7.5 ms"
    assert compare_remarks([recorded], replayed, NORMALISER).is_same
    assert not compare_remarks([recorded], replayed, Normaliser()).is_same
    assert not compare_remarks([recorded], replayed, Normaliser(durations=True)).is_same
    assert NORMALISER.stated == "line ends, trailing blanks, times of day, durations"
    assert Normaliser().stated == "line ends, trailing blanks"


def test_a_date_and_a_count_are_no_moment_and_no_duration() -> None:
    assert not compare_remarks(["until 2026-01-02"], "until 2026-01-03", NORMALISER).is_same
    assert not compare_remarks(["5 files"], "6 files", NORMALISER).is_same
