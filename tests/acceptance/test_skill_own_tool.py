"""From other agents' logs to a tool: learned, approved, and called by a model on a new file."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from hermes import settings
from hermes.app import Home, open_home
from hermes.app.agent import AgentOptions, Request, open_agent
from hermes.cli.main import main
from hermes.records.scope import PERSONAL
from hermes.records.trajectory import StepType
from hermes.store.tables.use import UseTable
from hermes.testing.agents import Answers, Watcher, run_of
from hermes.testing.model_servers import Calls, Says, openai_server

LOGS = Path(__file__).parents[2] / "src/hermes/cli/demo/logs"
SKILL = "csv-clean-cancelled-monthly-totals"
TOOL = "skill_csv_clean_cancelled_monthly_totals"
REQUEST = (
    "Clean the sales in bike_rentals.csv and write monthly totals to rentals_monthly.csv, "
    "without the cancelled ones."
)
ARGUMENTS = {
    "input_path": "bike_rentals.csv",
    "value_column": "fee",
    "filter_column": "booking_state",
    "date_column": "picked_up",
    "output_path": "rentals_monthly.csv",
}


def learned(root: Path) -> Home:
    environ = {"HERMES_HOME": str(root), "HOME": str(root)}
    logs = [str(LOGS / "claude-code"), str(LOGS / "codex")]
    assert main(["learn", *logs, "--approve-successes", "--by", "ana"], environ) == 0
    home = open_home(settings.load(environ))
    drafts = [one.id for one in home.ledger.candidates.awaiting() if one.skill_name == SKILL]
    home.close()
    assert main(["review", "approve", drafts[0], "--by", "ana", "--note", "ok"], environ) == 0
    return open_home(settings.load(environ))


def test_a_model_applies_what_it_could_not_have_written(tmp_path: Path) -> None:
    home = learned(tmp_path / "home")
    project = tmp_path / "project"
    project.mkdir()
    shutil.copy(LOGS / "unseen" / "bike_rentals.csv", project)
    wrong = {**ARGUMENTS, "value_column": "no such column"}
    script = (
        Calls(TOOL, {"input_path": "bike_rentals.csv"}),
        Calls(TOOL, wrong),
        Calls(TOOL, ARGUMENTS),
        Says("Done."),
    )
    with openai_server(*script) as server:
        options = AgentOptions(project=project, model=f"openai:m@{server.url}")
        session = open_agent(home, options, Answers())
        turn = session.ask(Request(text=REQUEST), Watcher())
        session.close()
        offered = {one["function"]["name"]: one["function"] for one in server.asked[0]["tools"]}
    assert "proven on earlier work" in offered[TOOL]["description"]
    assert "monthly totals" in offered[TOOL]["description"]
    assert set(offered[TOOL]["parameters"]["required"]) == set(ARGUMENTS)
    made = (project / "rentals_monthly.csv").read_text()
    expected = LOGS / "unseen" / "rentals_monthly.expected.csv"
    assert made.strip() == expected.read_text().strip()
    _, steps = run_of(home, turn.trajectory_id)
    missing, failed, good = [one for one in steps if one.type is StepType.OBSERVATION]
    assert "was not run: value_column is missing" in missing.content
    assert failed.metadata["error"] is True
    assert "no such column" in failed.content
    assert (good.metadata["error"], good.metadata["skill"]) == (False, SKILL)
    assert [one.name for one in good.artefacts] == ["rentals_monthly.csv"]
    skill = home.ledger.skills.named(SKILL, PERSONAL)
    assert skill is not None
    (use,) = UseTable(home.database).of_task(turn.task_id)
    assert use.skill_id == skill.id
    assert json.dumps(ARGUMENTS["input_path"]) in json.dumps(
        [one.metadata.get("arguments") for one in steps]
    )
    home.close()
