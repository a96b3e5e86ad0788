"""Makes the session logs that `hermes demo` learns from, by really running every session.

`python scripts/make_demo_logs.py` rewrites the bundled ones; a folder as argument writes them there
instead. Names, ids and times are seeded, everything a command printed is what it printed; the same
tools give the same bytes, and a test compares them.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from demo_logs.access import ACCESS
from demo_logs.claude_code import claude_code_log
from demo_logs.codex import codex_log
from demo_logs.one_offs import ONE_OFFS
from demo_logs.sales import SALES
from demo_logs.scenario import Agent, Scenario
from demo_logs.unseen import unseen_files
from demo_logs.workspace import workspace

BUNDLED = Path(__file__).parent.parent / "src" / "hermes" / "cli" / "demo" / "logs"
LOGS = {Agent.CLAUDE_CODE: claude_code_log, Agent.CODEX: codex_log}


def files() -> dict[str, str]:
    """Every file of the bundle: path below its folder → text."""
    made = {f"unseen/{name}": text for name, text in unseen_files().items()}
    for scenario in (*SALES, *ACCESS, *ONE_OFFS):
        made |= _session(scenario)
    return made


def _session(scenario: Scenario) -> dict[str, str]:
    with workspace(scenario) as here:
        log = LOGS[scenario.agent](scenario, here)
    return {f"{scenario.agent}/{path}": text for path, text in log.items()}


def main(arguments: list[str]) -> None:
    target = Path(arguments[0]) if arguments else BUNDLED
    made = files()
    if target == BUNDLED and target.exists():
        shutil.rmtree(target)
    for path, text in made.items():
        file = target / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode("utf-8"))
    print(f"{len(made)} files in {target}")


if __name__ == "__main__":
    main(sys.argv[1:])
