"""Whether a replay came to the recorded result: every file that is known, and what was printed.

The stated normaliser: in files nothing is put aside but line ends, trailing blanks and the working
folder's own path; in what was printed also times of day and durations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hermes.ports import Blobs
from hermes.records.replay import ReplayRun
from hermes.records.sandbox import DATA_TARGET
from hermes.records.trajectory import Step
from hermes.rules.comparing.comparison import Comparison, Sameness
from hermes.rules.comparing.files import compare_files
from hermes.rules.comparing.normaliser import Normaliser
from hermes.rules.comparing.printed import compare_outputs, compare_remarks
from hermes.rules.comparing.recorded import Recorded, recorded_of

PRINTED = "what it printed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduced:
    """`difference` is the first one; `unknown` says why nothing was there to compare."""

    difference: str = ""
    compared: tuple[str, ...] = ()
    unknown: str = ""


def reproduced(
    steps: Sequence[Step],
    cwd: str,
    inputs: Mapping[str, bytes],
    run: ReplayRun,
    blobs: Blobs,
) -> Reproduced:
    """The files decide where the log shows them; else the final output has to come back whole."""
    recorded = recorded_of(steps)
    folders = tuple(filter(None, (cwd, DATA_TARGET)))
    present = {**inputs, **run.files}
    compared: list[str] = []
    for name, before in _known(recorded, blobs):
        if name not in present:
            return Reproduced(difference=f"it did not write {name}")
        if before is None:
            continue
        answer = compare_files(name, before, present[name], Normaliser(folders=folders))
        if not answer.is_same:
            return Reproduced(difference=f"{name}: {answer.reason}")
        compared.append(name)
    printed = _printed(recorded, run, folders, strict=not compared)
    if printed is not None and printed.outcome is Sameness.DIFFERENT:
        return Reproduced(difference=printed.reason)
    if printed is not None:
        compared.append(PRINTED)
    return Reproduced(compared=tuple(compared), unknown="" if compared else _why(recorded))


def _known(recorded: Recorded, blobs: Blobs) -> Iterator[tuple[str, bytes | None]]:
    """Files inside the working folder, with their bytes where these were kept."""
    for name, content in recorded.files.items():
        if not name.startswith("/"):
            yield name, blobs.get(content) if content else None


def _printed(
    recorded: Recorded, run: ReplayRun, folders: tuple[str, ...], *, strict: bool
) -> Comparison | None:
    """None where there is nothing to compare. Tools log both streams as one, so both may count."""
    final = recorded.final
    if not recorded.printed or (final is None if strict else not run.stdout.strip()):
        return None
    normaliser = Normaliser(moments=True, durations=True, folders=folders)
    both = (run.stdout, f"{run.stdout.rstrip()}\n{run.stderr}", f"{run.stderr}{run.stdout}")
    answers = [
        compare_outputs(recorded.printed, final, text, normaliser)
        if strict and final is not None
        else compare_remarks(recorded.printed, text, normaliser)
        for text in (both if run.stderr.strip() else both[:1])
    ]
    return next((answer for answer in answers if answer.is_same), answers[0])


def _why(recorded: Recorded) -> str:
    outside = [name for name in recorded.files if name.startswith("/")]
    if outside:
        return f"its result lies outside the working folder: {outside[0]}"
    if recorded.files:
        return f"the log does not show what is in {next(iter(recorded.files))}"
    return "the log shows neither a file that was written nor anything that was printed"
