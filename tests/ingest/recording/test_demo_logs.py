"""The bundled logs are of real runs: what they show of their inputs is what those files were."""

from __future__ import annotations

from pathlib import Path

from hermes.ids import now
from hermes.ingest.reading import conversations
from hermes.ingest.recorder import Recorder, RecordingPorts, Run
from hermes.records.trajectory import TrajectoryState

ROOT = Path(__file__).parents[3]
LOGS = ROOT / "src" / "hermes" / "cli" / "demo" / "logs"
INPUTS = ROOT / "scripts" / "demo_logs" / "inputs"


def _runs(recording: RecordingPorts) -> list[Run]:
    recorder = Recorder(recording)
    return [run for talk in conversations(LOGS) for run in recorder.runs(talk, otherwise=now())]


def test_inputs_are_recovered_byte_for_byte(recording: RecordingPorts) -> None:
    real = {file.name: file.read_bytes() for file in INPUTS.iterdir()}
    runs = _runs(recording)
    compared = 0
    for run in runs:
        for given in run.task.inputs:
            name = Path(given.name).name
            if given.content is not None and name in real:
                assert run.blobs[given.content] == real[name], given.name
                compared += 1
    assert compared >= 10
    assert all(run.trajectory.state is TrajectoryState.FINISHED for run in runs)


def test_what_a_run_made_is_no_input(recording: RecordingPorts) -> None:
    for run in _runs(recording):
        given = {artefact.name for artefact in run.task.inputs}
        assert not [name for name in given if "monthly" in name or name.startswith("reports/")]
