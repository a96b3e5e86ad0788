"""Conversations in the store: the same twice adds nothing, and what is stored is fit to be kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from hermes.ingest.conversation import Conversation
from hermes.ingest.recorder import NOT_IMPORTED, Recorder, RecordingPorts, Run, Written
from hermes.records.artefact import Artefact, ArtefactRole
from hermes.records.trajectory import Step, StepType, Trajectory, TrajectoryState
from hermes.rules.recording import LONGEST_OUTPUT
from hermes.testing.turns import BEGAN, Talk

AWS_KEY = "AKIA" + "IOSFODNN7" + "QZXWVTR"


def _record(ports: RecordingPorts, *talks: Conversation) -> Written:
    recorder = Recorder(ports)
    runs: list[Run] = []
    for talk in talks:
        runs += recorder.runs(talk, otherwise=BEGAN)
    return recorder.write(runs, ())


def _trajectories(ports: RecordingPorts) -> Sequence[Trajectory]:
    return ports.trajectories.page(limit=1000)


def _only_steps(ports: RecordingPorts) -> Sequence[Step]:
    (one,) = _trajectories(ports)
    return ports.trajectories.steps(one.id)


def _talk() -> Talk:
    talk = Talk().user("Count the lines of a.txt").thinks("wc does that")
    return talk.does("Bash", "3 a.txt", command="wc -l a.txt").agent("Three lines.")


def test_a_conversation_becomes_records(recording: RecordingPorts) -> None:
    _record(recording, _talk().user("thanks").conversation(model="m"))
    (session,) = recording.sessions.page()
    (task,) = recording.tasks.of_session(session.id)
    (run,) = _trajectories(recording)
    assert (session.source, session.external_id, session.cwd) == (
        "claude-code",
        "one",
        "/home/ann/proj",
    )
    assert session.ended_at == BEGAN + timedelta(seconds=5)
    assert task.text == "Count the lines of a.txt"
    assert task.environment == {"agent": "claude-code", "cwd": "/home/ann/proj"}
    assert (run.state, run.model, run.started_at) == (TrajectoryState.FINISHED, "m", BEGAN)
    assert run.summary is not None
    assert (run.summary.total_steps, run.summary.tool_calls_count, run.summary.tools_used) == (
        6,
        1,
        ("Bash",),
    )
    assert run.summary.was_successful is None
    assert run.summary.best_code_snippet == "wc -l a.txt"
    steps = recording.trajectories.steps(run.id)
    assert [step.type for step in steps] == [
        StepType.MESSAGE,
        StepType.THOUGHT,
        StepType.TOOL_CALL,
        StepType.OBSERVATION,
        StepType.MESSAGE,
        StepType.MESSAGE,
    ]
    assert steps[2].content == "Bash: wc -l a.txt"
    assert steps[3].metadata["tool_name"] == "Bash"
    assert steps[3].metadata["error"] is False
    assert steps[5].metadata == {"role": "user", "follow_up": "thanks"}


def test_the_same_log_twice_adds_nothing(recording: RecordingPorts) -> None:
    first = _record(recording, _talk().conversation())
    before = _trajectories(recording)
    second = _record(recording, _talk().conversation())
    assert (len(first.new), second.new, second.grown, second.unchanged) == (1, [], [], 1)
    assert _trajectories(recording) == before
    assert len(recording.sessions.page()) == 1


def test_a_grown_log_adds_the_rest(recording: RecordingPorts) -> None:
    talk = _talk().user("no, without the empty ones").agent("Two lines.")
    talk.user("Write a Dockerfile for the billing service").agent("Done.")
    _record(recording, talk.conversation(upto=4))
    (short,) = _trajectories(recording)
    assert short.state is TrajectoryState.INTERRUPTED
    written = _record(recording, talk.conversation())
    assert written.grown == [short.id]
    assert len(written.new) == 1
    grown, other = _trajectories(recording)
    assert grown.id == short.id
    assert grown.state is TrajectoryState.FINISHED
    assert len(recording.trajectories.steps(grown.id)) == 7
    assert len(recording.tasks.of_session(grown.session_id or "")) == 2
    assert other.started_at == BEGAN + timedelta(seconds=7)


def test_a_copy_of_a_session_is_the_same_tasks(recording: RecordingPorts) -> None:
    """An agent that resumes a session in a new file copies what was said, with its ids."""
    talk = _talk()
    key = "0e1ba9a8-ec9a-4c4f-bd0b-5f1d6a8a1c3{}"
    talk.turns = [replace(turn, key=key.format(n)) for n, turn in enumerate(talk.turns)]
    _record(recording, talk.conversation())
    copy = _record(recording, talk.conversation(upto=3, external_id="resumed"))
    assert (copy.new, copy.grown, copy.unchanged) == ([], [], 1)


def test_a_log_without_times_keeps_its_ids(recording: RecordingPorts) -> None:
    talk = _talk().user("Write a Dockerfile for the billing service").agent("Done.")
    talk.turns = [replace(turn, at=None) for turn in talk.turns]
    _record(recording, talk.conversation(upto=5, started_at=None))
    recorder = Recorder(recording)
    later = BEGAN + timedelta(days=3)
    written = recorder.write(
        list(recorder.runs(talk.conversation(started_at=None), otherwise=later)), ()
    )
    assert (len(written.new), written.grown, written.unchanged) == (1, [], 1)


def test_time_never_goes_back(recording: RecordingPorts) -> None:
    talk = _talk()
    skewed = [BEGAN, BEGAN - timedelta(days=1), None, BEGAN + timedelta(seconds=9), BEGAN]
    talk.turns = [replace(turn, at=at) for turn, at in zip(talk.turns, skewed, strict=True)]
    _record(recording, talk.conversation())
    assert [step.timestamp for step in _only_steps(recording)] == [0, 0, 0, 9, 9]
    (run,) = _trajectories(recording)
    assert run.ended_at == BEGAN + timedelta(seconds=9)


def test_what_broke_off_is_interrupted(recording: RecordingPorts) -> None:
    asked = "Count the lines of a.txt"
    talks = {
        "no answer": Talk("a").user(asked).does("Bash", "3", command="wc a.txt"),
        "no result": Talk("b").user(asked).agent("I look").calls("Bash", command="wc a.txt"),
        "stopped": Talk("c").user(asked).agent("I").user("[Request interrupted by user]"),
        "unheard": Talk("d").user(asked).agent("Three").user("no, that's wrong"),
        "nothing": Talk("e").user(asked),
    }
    _record(recording, *(talk.conversation() for talk in talks.values()))
    states = [run.state for run in _trajectories(recording)]
    assert states == [TrajectoryState.INTERRUPTED] * len(talks)


def test_credentials_are_stored_nowhere(recording: RecordingPorts) -> None:
    talk = Talk(f"x {AWS_KEY}").user(f"Upload a.txt with {AWS_KEY}")
    talk.does("Bash", f"used {AWS_KEY}", command=f"AWS_ACCESS_KEY_ID={AWS_KEY} aws s3 ls")
    talk.does("Write", "ok", file_path="k.txt", content=f"id: {AWS_KEY}")
    talk.thinks(AWS_KEY).agent(f"Done with {AWS_KEY}")
    _record(recording, talk.conversation(external_id="one", title=f"key {AWS_KEY}"))
    (session,) = recording.sessions.page()
    (task,) = recording.tasks.of_session(session.id)
    (run,) = _trajectories(recording)
    assert AWS_KEY not in repr((session, task, run, recording.trajectories.steps(run.id)))


def test_characters_that_no_database_keeps_are_taken_out(recording: RecordingPorts) -> None:
    talk = Talk().user("Count \0 the \ud800 lines").agent("x", tokens=7)
    talk.does("Bash", "a\0b", command="printf 'a\0b\udfff'", nested={"k\0": ["\ud83e", 1.5]})
    _record(recording, talk.agent("Done.").conversation())
    steps = _only_steps(recording)
    assert steps[0].content == "Count  the ? lines"
    assert steps[1].metadata == {"role": "assistant", "tokens": 7}
    assert steps[2].metadata["arguments"]["nested"] == {"k": ["?", 1.5]}
    assert steps[3].content == "ab"


def test_a_long_output_loses_its_middle_and_says_so(recording: RecordingPorts) -> None:
    output = "a" * LONGEST_OUTPUT + "b" * LONGEST_OUTPUT
    talk = Talk().user("Count the lines").does("Bash", output, command="x").agent("Done.")
    _record(recording, talk.conversation())
    shown = _only_steps(recording)[2]
    assert shown.metadata["truncated"] is True
    assert f"[… {LONGEST_OUTPUT} characters left out …]" in shown.content
    assert (shown.content[0], shown.content[-1]) == ("a", "b")


def test_a_subagent_is_linked_to_its_parent_whichever_comes_first(
    recording: RecordingPorts,
) -> None:
    def child(name: str) -> Conversation:
        return Talk(name).user("Look around").agent("ok").conversation(parent_external_id="boss")

    boss = Talk("boss").user("Do it all").agent("ok").conversation(started_at=BEGAN)
    _record(recording, child("early"), child("also-early"))
    waiting = recording.sessions.find("claude-code", "boss")
    assert waiting is not None
    assert waiting.title == NOT_IMPORTED
    _record(recording, boss)
    _record(recording, child("late"))
    parent = recording.sessions.find("claude-code", "boss")
    assert parent is not None
    assert parent.title == "a talk"
    for name in ("early", "also-early", "late"):
        session = recording.sessions.find("claude-code", name)
        assert session is not None
        assert session.parent_id == parent.id == waiting.id


def test_files_are_kept_as_blobs_and_inputs(recording: RecordingPorts) -> None:
    talk = Talk().user("Sort data/jan.csv into sorted.csv")
    talk.does("Read", "     1→b\n     2→a", file_path="/home/ann/proj/data/jan.csv")
    talk.does("Write", "ok", file_path="/home/ann/proj/sorted.csv", content="a\nb\n")
    talk.does("Bash", "x\ny", command="head -2 more.csv").agent("Done.")
    _record(recording, talk.conversation())
    (session,) = recording.sessions.page()
    (task,) = recording.tasks.of_session(session.id)
    jan, more = task.inputs
    assert (jan.name, jan.role, jan.size) == ("data/jan.csv", ArtefactRole.GIVEN, 4)
    assert jan.media_type == "text/csv"
    assert recording.blobs.get(jan.content or "") == b"b\na\n"
    assert more == Artefact(
        name="more.csv",
        role=ArtefactRole.GIVEN,
        content=None,
        size=0,
        media_type="text/csv",
    )
    steps = _only_steps(recording)
    (written,) = steps[4].artefacts
    assert (written.name, written.role) == ("sorted.csv", ArtefactRole.WRITTEN)
    assert recording.blobs.get(written.content or "") == b"a\nb\n"
    assert steps[6].metadata["unrecovered"] == "more.csv: only a part of the file was shown"
