"""Work on a few skills, told step by step, so that whoever kills the worker knows what it owes.

A worker says what it is about to do and what the folder must be afterwards, does it, and says that
it was acknowledged. After the kill, each folder must be what was acknowledged last or what was
begun; everything acknowledged must be in the store.
"""

from __future__ import annotations

import json
import os
import random
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from hermes.app import Home
from hermes.records.candidate import Candidate
from hermes.records.change import Act
from hermes.records.folder import Folder
from hermes.records.skill import Skill, SkillState
from hermes.records.version import Version
from hermes.testing.homes import AGENT, Desk, Place, person, skill_text
from hermes.testing.wholeness import tree_on_disk

NAMES = ("alpha", "beta", "gamma")
Tell = Callable[[str, str, str | None, str | None], None]
"""(begun or done, the skill, the tree its folder must have then, a tree the store must have)."""


@dataclass
class Told:
    """What a worker said before it died."""

    live: dict[str, str | None] = field(default_factory=dict)
    begun: dict[str, str | None] = field(default_factory=dict)
    stored: set[tuple[str, str]] = field(default_factory=set)
    error: str = ""
    acknowledged: int = 0

    def hear(self, line: str) -> None:
        word, skill, live, stored = json.loads(line)
        if word == "error":
            self.error = skill
        elif word == "ready":
            pass
        elif word == "begun":
            self.begun = {skill: live}
        else:
            self.acknowledged += 1
            self.begun = {}
            self.live[skill] = live
            if stored:
                self.stored.add((skill, stored))


@dataclass(frozen=True)
class Job:
    """One call: what the folder is afterwards, what must be stored, and the call itself."""

    live: str | None
    stored: str | None
    call: Callable[[], object]


class Worker:
    """Does one thing after another with the skills of an open home."""

    def __init__(self, home: Home, tell: Tell, seed: int = 0) -> None:
        self._home = home
        self._desk = Desk(home)
        self._tell = tell
        self._random = random.Random(seed)

    def work(self, calls: int) -> None:
        """Whatever can be done next, at random."""
        for _ in range(calls):
            name = self._random.choice(NAMES)
            possible = [one for one in OPERATIONS if self.job(one, name) is not None]
            self.do(self._random.choice(possible), name)

    def do(self, operation: str, name: str) -> None:
        job = self.job(operation, name)
        if job is None:
            raise AssertionError(f"{operation} is not possible for {name} now")
        self._tell("begun", name, job.live, None)
        answer = job.call()
        if isinstance(answer, dict) and not answer["success"]:
            raise AssertionError(f"{operation} of {name}: {answer}")
        self._tell("done", name, job.live, job.stored)

    def prepare(self, operation: str, name: str) -> None:
        """Bring the skill into a state in which the operation is possible."""
        for first in ("restore", "create", "patch", "propose", "archive"):
            if self.job(operation, name) is not None:
                return
            if self.job(first, name) is not None:
                self.do(first, name)

    def job(self, operation: str, name: str) -> Job | None:
        """What the operation would do to the skill as it is; None where it cannot be done."""
        skill = self._home.ledger.skills.named(name, "personal")
        active = self._home.ledger.active(skill) if skill else None
        if operation == "create":
            return self._create(name) if active is None and not _is_archived(skill) else None
        if skill is None:
            return None
        if operation == "restore":
            return self._restore(skill) if _is_archived(skill) else None
        if active is None:
            return None
        if operation == "approve":
            return self._approve(skill, active)
        if operation == "rollback":
            return self._rollback(skill)
        if operation == "archive":
            return Job(None, None, lambda: self._home.loop.act(name, Act.ARCHIVE, person()))
        return self._change(operation, name, self._home.ledger.versions.folder(active))

    def _create(self, name: str) -> Job:
        text = skill_text(name, body=f"{self._mark()}\n\nEND")
        tree = Folder({}).with_file("SKILL.md", text.encode()).tree()
        return Job(tree, tree, lambda: self._desk.manage("create", name=name, content=text))

    def _change(self, operation: str, name: str, folder: Folder) -> Job:
        mark, manage = self._mark(), self._desk.manage
        text = folder.skill_md.decode().replace("END", f"{mark}\nEND")
        patched = folder.with_file("SKILL.md", text.encode()).tree()
        arguments: dict[str, Any] = {
            "name": name,
            "old_string": "END",
            "new_string": f"{mark}\nEND",
        }
        if operation == "patch":
            return Job(patched, patched, lambda: manage("patch", **arguments))
        if operation == "propose":
            agent = replace(AGENT, session_id=mark)  # on what is live: it has no draft of its own
            return Job(folder.tree(), patched, lambda: manage("patch", caller=agent, **arguments))
        path = "scripts/run.py"
        script = f"# {mark}\n"
        written = folder.with_file(path, script.encode()).tree()
        file: dict[str, Any] = {"name": name, "file_path": path, "file_content": script}
        return Job(written, written, lambda: manage("write_file", **file))

    def _approve(self, skill: Skill, active: Version) -> Job | None:
        waiting: list[Candidate] = [
            one
            for one in self._home.ledger.candidates.awaiting()
            if one.skill_id == skill.id and one.parent_version_id == active.id
        ]
        if not waiting:
            return None
        tree = self._home.ledger.version(waiting[-1].version_id).tree
        return Job(tree, tree, lambda: self._home.loop.approve(waiting[-1].id, person()))

    def _rollback(self, skill: Skill) -> Job | None:
        release = self._home.ledger.releases.current(skill.id)
        if release is None or release.previous_version_id is None:
            return None
        tree = self._home.ledger.version(release.previous_version_id).tree
        return Job(tree, tree, lambda: self._home.loop.rollback(skill.name, person()))

    def _restore(self, skill: Skill) -> Job:
        changes = self._home.ledger.changes.of_skill(skill.id)
        archived = [one for one in changes if one.act is Act.ARCHIVE][-1]
        tree = self._home.ledger.version(archived.version_id or "").tree
        return Job(tree, tree, lambda: self._home.loop.act(skill.name, Act.RESTORE, person()))

    def _mark(self) -> str:
        return f"mark {self._random.getrandbits(64):016x}"


OPERATIONS = (
    "create",
    "patch",
    "write_file",
    "propose",
    "approve",
    "rollback",
    "archive",
    "restore",
)


def _is_archived(skill: Skill | None) -> bool:
    return skill is not None and skill.state is SkillState.ARCHIVED


def run_in_child(
    act: Callable[[Tell], None], kill_after_s: float | None = None, words: int = 1
) -> tuple[Told, int]:
    """Run it in a forked process, kill that a while after it said so many words, if it is to be.

    Returns what it told, and the signal that ended it; 0 when it came to its own end.
    """
    child = _Child(act)
    if kill_after_s is not None:
        for _ in range(words):
            child.hear_one()
        time.sleep(kill_after_s)
        os.kill(child.pid, signal.SIGKILL)
    return child.hear_all()


def run_in_children(*acts: Callable[[Tell], None]) -> list[Told]:
    """Run them all at once, each in its own process, and return what each told."""
    children = [_Child(act) for act in acts]
    return [child.hear_all()[0] for child in children]


class _Child:
    """A forked process, and the pipe by which it tells."""

    def __init__(self, act: Callable[[Tell], None]) -> None:
        reading, writing = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(reading)
            _live_and_die(act, writing)
        os.close(writing)
        self._lines = os.fdopen(reading, encoding="utf-8")
        self._told = Told()

    def hear_one(self) -> None:
        line = self._lines.readline()
        if line:
            self._told.hear(line)

    def hear_all(self) -> tuple[Told, int]:
        with self._lines:
            for line in self._lines:
                self._told.hear(line)
        _, status = os.waitpid(self.pid, 0)
        if self._told.error:
            raise AssertionError(f"the worker failed:\n{self._told.error}")
        return self._told, os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


def _live_and_die(act: Callable[[Tell], None], writing: int) -> None:
    """Never returns: what belongs to the parent must not be tidied up by the child."""

    def tell(word: str, skill: str, live: str | None, stored: str | None) -> None:
        os.write(writing, (json.dumps([word, skill, live, stored]) + "\n").encode())

    try:
        act(tell)
    except BaseException:  # noqa: BLE001 - told to the parent, which raises it
        tell("error", traceback.format_exc()[-3000:], None, None)
    finally:
        os._exit(0)


def trees(place: Place) -> dict[str, str | None]:
    """What is on disk now, by skill."""
    return {path.name: tree_on_disk(path) for path in place.skills.glob("[!.]*")}


def broken_promises(before: dict[str, str | None], told: Told, home: Home) -> Iterator[str]:
    """What was acknowledged and is gone, and folders that nobody was ever told about."""
    place = home.settings.paths.skills_dir
    for name in before.keys() | told.live.keys() | told.begun.keys():
        owed = told.live.get(name, before.get(name))
        allowed = {owed, told.begun[name]} if name in told.begun else {owed}
        if tree_on_disk(place / name) not in allowed:
            yield f"{name} is neither what was acknowledged last nor what was begun"
    for name, tree in told.stored:
        skill = home.ledger.skills.named(name, "personal")
        versions = home.ledger.versions.of_skill(skill.id) if skill else ()
        if tree not in {version.tree for version in versions}:
            yield f"a version of {name} that was acknowledged is not in the store"
