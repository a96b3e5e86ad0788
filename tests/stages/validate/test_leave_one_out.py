"""Leave-one-out replay in the real sandbox, with a miner so small that it can be seen through.

It knows one kind of work: `sort FLAGS IN > OUT`. The flags of most examples become the program.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from hermes import settings
from hermes.app import sandbox_replays
from hermes.errors import SandboxUnavailable
from hermes.ids import canonical_json
from hermes.ports import Replays
from hermes.records.candidate import Candidate, Evidence
from hermes.records.codec import Json, dump
from hermes.records.example import ExampleStatus
from hermes.records.folder import FileContent, Folder
from hermes.records.origin import Origin
from hermes.records.procedure import Procedure
from hermes.records.replay import CaseOutcome, ReplayRun
from hermes.records.skill import Parameter
from hermes.records.verdict import Check, CheckOutcome, Decision, Measured
from hermes.rules.mine.worked import Worked
from hermes.stages.validate import validate
from hermes.stages.validate.cases import CaseReader
from hermes.stages.validate.leave_one_out import MEASURE, Learning, LeaveOneOut
from hermes.stages.validate.replay import Replayer
from hermes.store.blobs import DiskBlobs
from hermes.store.open import open_database
from hermes.testing import samples
from hermes.testing.homes import skill_text
from hermes.testing.scripted_trials import ScriptedTrials
from hermes.testing.store import StorePorts, store_ports
from hermes.testing.stored_examples import CWD, Call, StoredExamples, bash

COMMAND = re.compile(r"sort (?P<flags>.*?) ?(?P<source>\S+) > (?P<target>\S+)")
BASH = '["bash", "-euo", "pipefail", "-c", {script!r}, "bash", input_path, output_path]'


@dataclass(frozen=True)
class Nothing:
    reason: str


def procedure(template: str | None, **fields: object) -> Procedure:
    made = Procedure(
        name="sort-rows",
        description="Sorts rows.",
        intent="sort rows",
        parameters=(
            Parameter(name="input_path", type="path"),
            Parameter(name="output_path", type="path"),
        ),
        code_template=template,
        outputs=("output_path",),
    )
    return replace(made, **fields)  # type: ignore[arg-type]


def sorting(flags: str, after: str = "") -> Procedure:
    run = BASH.format(script=f'sort {flags} "$1" > "$2"')
    head = "import subprocess\ninput_path = {input_path}\noutput_path = {output_path}\n"
    return procedure(f"{head}subprocess.run({run}, check=True)\n{after}")


def mine(examples: Sequence[Worked]) -> Procedure | Nothing:
    found = [COMMAND.search(one.moves[-1].action.text) for one in examples]
    flags = [match["flags"] for match in found if match]
    return sorting(statistics.mode(flags)) if flags else Nothing("nobody sorted anything")


def bind(made: Procedure, worked: Worked) -> Mapping[str, Json] | Nothing:
    match = COMMAND.search(worked.moves[-1].action.text)
    if match is None:
        return Nothing("its steps are others")
    return {"input_path": match["source"], "output_path": match["target"]}


class CountedReplays:
    def __init__(self, replays: Replays) -> None:
        self._replays = replays
        self.programs: list[str] = []

    def run(
        self, program: str, files: Mapping[str, bytes], *, requirements: Sequence[str] = ()
    ) -> ReplayRun:
        self.programs.append(program)
        return self._replays.run(program, files, requirements=requirements)


class NoSandbox:
    def run(
        self, program: str, files: Mapping[str, bytes], *, requirements: Sequence[str] = ()
    ) -> ReplayRun:
        raise SandboxUnavailable("nothing isolates here")


class Bench:
    """A store with recorded work, and the check on it."""

    def __init__(self, ports: StorePorts, root: Path) -> None:
        blobs = DiskBlobs(root / "blobs")
        environ = {"HERMES_HOME": str(root), "HOME": str(root)}
        self.replays = CountedReplays(sandbox_replays(settings.load(environ)))
        self.work = StoredExamples(ports, blobs)
        self.examples = ports.examples
        self.check = LeaveOneOut(
            cases=CaseReader(
                examples=ports.examples, trajectories=ports.trajectories, tasks=ports.tasks
            ),
            learning=Learning(mine=mine, bind=bind),
            replayer=Replayer(replays=lambda: self.replays, blobs=blobs),
            trials=lambda: ScriptedTrials({}),
        )

    def sorted_by(
        self, flags: str, rows: str, result: str | None, *, source: str = "in.csv"
    ) -> str:
        """An example in which somebody sorted a file."""
        target = f"{Path(source).stem}_sorted.csv"
        command = f"cd {CWD} && sort {flags} {CWD}/{source} > {target}"
        return self.work.add(
            f"sort {source}",
            bash("ls", f"{source}\n"),
            bash(command, writes={target: None if result is None else result.encode()}),
            inputs={source: rows.encode()},
        )

    def judged(self, *examples: str, by: Procedure | None = None) -> Measured:
        answer = self.check.check(candidate(examples), folder(by or sorting("-n")))
        assert answer is not None
        assert answer.check.name == MEASURE
        return answer


def candidate(examples: Sequence[str], **fields: object) -> Candidate:
    evidence = Evidence(example_ids=tuple(examples))
    values = {"origin": Origin.EXTRACT, "evidence": evidence, **fields}
    return samples.candidate("skill_1", "version_1", **values)


def folder(made: Procedure | None) -> Folder:
    files = {"SKILL.md": FileContent(skill_text("sort-rows").encode())}
    if made is not None:
        text = canonical_json(dump(made))
        files["references/procedure.json"] = FileContent(text.encode())
    return Folder(files)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    database = open_database(str(tmp_path / "loop.db"))
    yield Bench(store_ports(database), tmp_path / "home")
    database.close()


def three(bench: Bench) -> list[str]:
    return [
        bench.sorted_by("-n", "10\n9\n", "9\n10\n"),
        bench.sorted_by("-n", "3\n20\n1\n", "1\n3\n20\n", source="jan.csv"),
        bench.sorted_by("-n", "7\n", "7\n", source="data/feb.csv"),
    ]


def test_what_the_others_teach_reproduces_each(bench: Bench) -> None:
    examples = three(bench)
    answer = bench.judged(*examples)
    assert answer.check.outcome is CheckOutcome.PASSED
    assert answer.scores.measure == MEASURE
    assert (answer.scores.before, answer.scores.after) == (None, 1.0)
    assert answer.check.findings == (
        f"{examples[0]}: proven by in_sorted.csv",
        f"{examples[1]}: proven by jan_sorted.csv",
        f"{examples[2]}: proven by feb_sorted.csv",
    )
    assert len(bench.replays.programs) == 3, "the same program on the same bytes runs once"


def test_the_case_that_breaks_it_is_named(bench: Bench) -> None:
    examples = three(bench)
    odd = bench.sorted_by("-nr", "1\n2\n", "2\n1\n", source="odd.csv")
    answer = bench.judged(*examples, odd)
    assert answer.check.outcome is CheckOutcome.FAILED
    assert answer.scores.after == 0.75
    first, second, *_ = answer.check.findings
    difference = "odd_sorted.csv: row 1, column 1: recorded '2', replayed '1'"
    assert first == f"over-general: learned from the others, {odd} breaks: {difference}"
    assert second == f"as proposed it does not reproduce {odd}: {difference}"


def test_what_is_released_is_what_is_tested(bench: Bench) -> None:
    answer = bench.judged(*three(bench), by=sorting("-nr"))
    assert answer.check.outcome is CheckOutcome.FAILED
    assert answer.scores.after == 1.0
    assert answer.check.findings[0].startswith("as proposed it does not reproduce")


def test_an_example_without_its_bytes_is_not_proven_and_not_broken(bench: Bench) -> None:
    first, second, _ = three(bench)
    command = "sort -n gone.csv > gone_sorted.csv"
    writes = {"gone_sorted.csv": b"1\n"}
    gone = bench.work.add("sort gone.csv", bash(command, writes=writes), inputs={"gone.csv": None})
    answer = bench.judged(first, second, gone)
    assert answer.check.outcome is CheckOutcome.WARNED
    assert answer.scores.after == 1.0
    told = "the bytes of gone.csv were not kept, or lie outside the working folder"
    assert f"{gone}: not replayable: {told}" in answer.check.findings


def test_a_result_that_the_log_does_not_show_proves_nothing(bench: Bench) -> None:
    examples = [
        bench.sorted_by("-n", "2\n1\n", None, source=f"{name}.csv") for name in ("a", "b", "c")
    ]
    answer = bench.judged(*examples)
    assert answer.check.outcome is CheckOutcome.UNPROVEN
    assert answer.scores.after is None
    assert "the log does not show what is in a_sorted.csv" in answer.check.findings[0]


def test_a_file_that_is_not_written_breaks_it(bench: Bench) -> None:
    nothing = procedure("input_path = {input_path}\noutput_path = {output_path}\n")
    answer = bench.judged(*three(bench), by=nothing)
    assert answer.check.outcome is CheckOutcome.FAILED
    assert "it did not write in_sorted.csv" in answer.check.findings[0]


def test_without_a_sandbox_nothing_is_proven(bench: Bench) -> None:
    examples = three(bench)
    blind = replace(bench.check, replayer=replace(bench.check.replayer, replays=NoSandbox))
    answer = blind.check(candidate(examples), folder(sorting("-n")))
    assert answer is not None
    assert answer.check.outcome is CheckOutcome.UNPROVEN
    assert "no isolating sandbox: nothing isolates here" in answer.check.findings[0]


@pytest.mark.parametrize(
    ("after", "told"),
    [
        ("import no_such_package\n", "missing dependency no-such-package (not declared)"),
        (
            "import socket\nsocket.create_connection(('192.0.2.1', 80), 1)\n",
            "it reaches for the network, which a replay does not have",
        ),
    ],
)
def test_what_cannot_run_here_is_no_fault_and_no_proof(bench: Bench, after: str, told: str) -> None:
    answer = bench.judged(*three(bench), by=sorting("-n", after))
    assert answer.check.outcome is CheckOutcome.UNPROVEN
    assert any(f"as proposed: not replayable: {told}" in one for one in answer.check.findings)


def test_a_procedure_without_a_program_is_unproven(bench: Bench) -> None:
    answer = bench.judged(*three(bench), by=procedure(None))
    assert answer.check.outcome is CheckOutcome.UNPROVEN
    assert any("no program stands for its steps" in one for one in answer.check.findings)


def test_one_example_cannot_be_held_out(bench: Bench) -> None:
    (only, *_) = three(bench)
    answer = bench.judged(only)
    assert answer.check.outcome is CheckOutcome.UNPROVEN
    assert answer.check.findings == (
        f"{only}: not replayable: there is no other example to learn it from",
    )


def test_work_of_another_kind_is_not_covered_and_counts(bench: Bench) -> None:
    other = bench.work.add("count", bash("wc -l in.csv", "2 in.csv\n"), inputs={})
    answer = bench.judged(*three(bench), other)
    assert answer.check.outcome is CheckOutcome.WARNED
    assert answer.scores.after == 0.75
    assert f"{other}: not covered: its steps are others" in answer.check.findings


def test_examples_that_are_gone_are_told(bench: Bench) -> None:
    written = samples.example(trajectory_id=None)
    refused = samples.example(
        trajectory_id=None, status=ExampleStatus.REJECTED, reviewer="ana", reviewed_at=samples.NOW
    )
    for one in (written, refused):
        bench.examples.add(one)
    answer = bench.judged(*three(bench), "example_nowhere", written.id, refused.id)
    assert answer.check.outcome is CheckOutcome.WARNED
    assert answer.check.findings[-3:] == (
        "example_nowhere: not replayable: the example is not in the store",
        f"{written.id}: not replayable: it was written down, not recorded",
        f"{refused.id}: not replayable: a person rejected the example",
    )


def test_the_values_of_a_person_come_back_for_the_replay_only(bench: Bench) -> None:
    source = "ann.lee@example.org.csv"
    held = bench.sorted_by("-n", "2\n1\n", "1\n2\n", source=source)
    (case,) = bench.check.cases.read([held])
    assert "ann.lee@example.org" not in str(getattr(case, "worked", ""))
    answer = bench.judged(*three(bench), held)
    assert answer.check.outcome is CheckOutcome.PASSED, answer.check.findings
    assert any(source in program for program in bench.replays.programs)
    assert "ann.lee@example.org" not in str(answer.check.findings)


def test_numbers_that_were_printed_are_compared_with_tolerance(bench: Bench) -> None:
    printing = "output_path = {output_path}\ninput_path = {input_path}\n"
    printing += "values = [float(line) for line in open(input_path)]\n"
    printing += "print('mean', sum(values) / len(values))\n"
    command = "sort -n {0} > x; python mean.py {0}"
    examples = [
        bench.work.add(
            "mean",
            bash(command.format(name), f"mean {mean}\n"),
            inputs={name: rows},
        )
        for name, rows, mean in (
            ("a.csv", b"0.1\n0.2\n0.3\n", "0.20000000000000004"),
            ("b.csv", b"0.1\n0.2\n", "0.15"),
        )
    ]
    proof = bench.check.prove(procedure(printing), examples, ())
    assert [one.outcome for one in proof.as_proposed] == [CaseOutcome.PROVEN] * 2
    assert proof.as_proposed[0].compared == ("what it printed",)
    wrong = procedure(printing.replace("/ len", "/ 1.01 / len"))
    proof = bench.check.prove(wrong, examples, ())
    assert [one.outcome for one in proof.as_proposed] == [CaseOutcome.BROKEN] * 2
    assert "recorded 'mean 0.15', replayed 'mean 0.148" in proof.as_proposed[1].reason
    silent = procedure(printing.partition("print(")[0])
    proof = bench.check.prove(silent, examples, ())
    assert [one.outcome for one in proof.as_proposed] == [CaseOutcome.BROKEN] * 2
    assert "replayed printed nothing of it" in proof.as_proposed[0].reason


def test_the_verdict_carries_score_examples_and_reason(bench: Bench) -> None:
    examples = three(bench)
    draft = folder(sorting("-n"))
    verdict = validate(candidate(examples), draft, [bench.check], samples.NOW)
    assert verdict.decision is Decision.VALIDATED
    assert verdict.scores.after == 1.0
    assert verdict.example_ids == tuple(examples)
    assert type(verdict.checks[0]) is Check
    odd = bench.sorted_by("-nr", "1\n2\n", "2\n1\n", source="odd.csv")
    verdict = validate(candidate([*examples, odd]), draft, [bench.check], samples.NOW)
    assert verdict.decision is Decision.REJECTED
    assert verdict.reason.startswith(f"{MEASURE}: over-general: learned from the others, {odd}")


@pytest.mark.parametrize("origin", [Origin.USER, Origin.ASSISTANT_TOOL, Origin.HUB])
def test_only_what_was_learned_is_asked(bench: Bench, origin: Origin) -> None:
    assert bench.check.check(candidate([], origin=origin), folder(None)) is None


def test_a_draft_without_its_procedure_is_unproven_and_a_damaged_one_fails(bench: Bench) -> None:
    answer = bench.check.check(candidate([]), folder(None))
    assert answer is not None
    assert answer.check.outcome is CheckOutcome.UNPROVEN
    damaged = folder(None).with_file("references/procedure.json", b'{"name": "x"}')
    answer = bench.check.check(candidate([]), damaged)
    assert answer is not None
    assert answer.check.outcome is CheckOutcome.FAILED
    assert "references/procedure.json: Procedure: unknown [], missing" in answer.check.findings[0]


def test_a_program_that_fails_is_broken_by_its_error(bench: Bench) -> None:
    answer = bench.judged(*three(bench), by=sorting("-n", "raise ValueError('no rows')\n"))
    assert answer.check.outcome is CheckOutcome.FAILED
    assert "ValueError: no rows" in answer.check.findings[0]


def test_an_example_whose_own_commands_fail_here_says_nothing(bench: Bench) -> None:
    """Something was there that nobody kept; that is not the procedure's fault, and no proof."""
    lost = bench.work.add(
        "sort lost.csv",
        bash(f"cd {CWD} && sort -n {CWD}/lost.csv > lost_sorted.csv"),
        inputs={},
    )
    answer = bench.judged(*three(bench), lost)
    assert answer.check.outcome is CheckOutcome.WARNED, answer.check.findings
    (told,) = {one for one in answer.check.findings if one.startswith(f"{lost}:")}
    assert "not replayable: its own commands need more than was kept of it" in told


def test_what_a_limit_ended_is_neither(bench: Bench) -> None:
    endless = sorting("-n", "print('x' * (2 << 20))\n")
    answer = bench.judged(*three(bench), by=endless)
    assert answer.check.outcome is CheckOutcome.UNPROVEN
    told = "not replayable: a limit of the sandbox ended it, or cut what it printed ("
    assert told in answer.check.findings[-1]


def test_a_step_that_failed_and_its_tool_are_no_result(bench: Bench) -> None:
    script = Call(
        tool="Write",
        arguments={"file_path": f"{CWD}/s.py", "content": "…"},
        writes={"s.py": b"print(1)\n"},
    )
    tried = bash("python s.py", "Traceback\n", failed=True)
    done = bash("sort -n in.csv > out.csv", writes={"out.csv": b"1\n2\n"})
    example = bench.work.add("sort", script, tried, done, inputs={"in.csv": b"2\n1\n"})
    answer = bench.judged(*three(bench), example)
    assert answer.check.outcome is CheckOutcome.PASSED, answer.check.findings
