"""Secrets and a tenant's data, wherever a session holds them, stay out of what is learned."""

from __future__ import annotations

import json
from pathlib import Path

from hermes.testing.sessions.city_counts import begun, counted, thanked
from hermes.testing.sessions.doing import Session
from hermes.testing.sessions.logs import claude_code, codex

from .conftest import Learner

SECRETS = (
    "AKIA" + "QYLPMN5HXGWRTZ2B",
    "ghp_" + "a8Kd03LmQx7VtZw2RbYc5NfHs9JeUg4Pi6To",
    "sk-ant-" + "api03-Zk4mQ8vXw2Lr7Tn1Yb6Hc9Jd3Fs5Ga0Pe",
)
TENANT = (
    "petra.huber@kunde-ag.example",
    "/home/petra/private/ledger.csv",
    "db7.internal.kunde-ag.example",
    "CH9300762011623852957",
)


def leaking(number: int, folder: Path) -> Session:
    """The usual work among everything that must not leave it."""
    secret, told = SECRETS[number % 3], ", ".join(TENANT)
    session = begun(number, folder)
    session.agent(f"The owner is {told}; the key is {secret}.")
    session.shows(f"export TOKEN={secret}; echo {TENANT[0]}", f"{told}\n{secret}\n")
    session.shows(
        f"psql -h {TENANT[2]} -c 'select 1'", f"FATAL: no such host {told} password={secret}", 2
    )
    session.shows(f"head -n 1 {TENANT[1]}", f"account,{TENANT[3]},{secret}\n")
    return thanked(counted(session))


def test_nothing_private_is_learned_or_told(learner: Learner, tmp_path: Path) -> None:
    for number in range(5):
        write = claude_code if number % 2 else codex
        write(leaking(number, tmp_path / "work"), tmp_path / "logs")
    answer = learner("learn", tmp_path / "logs", "--json")
    assert answer.code == 0, answer.err
    (line,) = answer.json["learned"]["lines"]
    assert line["candidate_id"], line
    shown = [
        answer.out,
        answer.err,
        json.dumps(learner.files_of(line["candidate_id"])),
        learner("examples", "list", "--json").out,
        learner("patterns", "list", "--json").out,
        learner("review", "show", line["candidate_id"], "--json").out,
        learner("events", "--json").out,
    ]
    with learner.open() as home:
        shown.append(repr(home.ledger.verdicts.of_candidate(line["candidate_id"])))
    for value in (*SECRETS, *TENANT):
        for text in shown:
            at = text.find(value)
            assert at < 0, text[max(0, at - 200) : at + 80]


def test_no_secret_is_on_disk_outside_the_raw_inputs(learner: Learner, tmp_path: Path) -> None:
    claude_code(leaking(0, tmp_path / "work"), tmp_path / "logs")
    learner.learn(tmp_path / "logs")
    blobs = learner.root / "loop" / "blobs"
    found = [
        path
        for path in learner.root.rglob("*")
        if path.is_file() and not path.is_relative_to(blobs)
        if any(secret.encode() in path.read_bytes() for secret in SECRETS)
    ]
    assert found == []
    open_to_others = [path for path in blobs.rglob("*") if path.is_file()]
    assert all(path.stat().st_mode & 0o077 == 0 for path in open_to_others)
