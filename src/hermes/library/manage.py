"""skill_manage: six actions on the skill library, as one call with structured arguments.

Every action becomes a whole new folder that is proposed to the gate; nothing is written here.
Answers are plain JSON values. An error says what was wrong and what to send instead, because the
caller is usually a model that gets one more try.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hermes.errors import Conflict, HermesError, InvalidSkill, NotFound, PatchMismatch, WrongCall
from hermes.ids import now
from hermes.library.conforming import conform
from hermes.library.names_in_use import NamesInUse
from hermes.library.reader import Reader
from hermes.library.views import own_draft
from hermes.ports import Candidates, Gate, Versions
from hermes.records.approval import Approval, Channel
from hermes.records.candidate import Action, Candidate
from hermes.records.change import Act
from hermes.records.codec import Json
from hermes.records.folder import SKILL_FILE, FileContent, Folder
from hermes.records.origin import Origin
from hermes.records.proposal import Outcome, Proposal
from hermes.records.version import VersionState
from hermes.rules import patching
from hermes.rules.folder_rules import check_support_path
from hermes.rules.guarding import guard_archive
from hermes.rules.names import check_category, check_skill_name, suggest_name

ARGUMENTS: dict[str, dict[str, bool]] = {
    "create": {"name": True, "content": True, "category": False},
    "edit": {"name": True, "content": True, "base_version": False},
    "patch": {
        "name": True,
        "old_string": True,
        "new_string": True,
        "replace_all": False,
        "file_path": False,
        "base_version": False,
    },
    "delete": {"name": True, "reason": False},
    "write_file": {"name": True, "file_path": True, "file_content": True, "base_version": False},
    "remove_file": {"name": True, "file_path": True, "base_version": False},
}
"""What each action takes; True means that it must be there."""

_SHOWN = 100  # characters of what was sent that an answer repeats
_TOLD = 2_000  # characters of one message
_FINDINGS = 50
_TYPES: dict[str, type] = {"replace_all": bool, "base_version": int}


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who calls. The runtime fills this in; a model cannot claim to be somebody else."""

    origin: Origin
    author: str
    session_id: str | None = None
    requested_by_user: bool = False

    @property
    def effective_origin(self) -> Origin:
        asked = self.requested_by_user and self.origin is Origin.ASSISTANT_TOOL
        return Origin.REQUESTED_BY_USER if asked else self.origin


@dataclass(frozen=True, slots=True, kw_only=True)
class _Opened:
    """What a change is applied to: the live version, or this session's own draft over it."""

    name: str
    folder: Folder
    live_version_id: str | None
    draft: Candidate | None = None


class ManageTool:
    def __init__(
        self,
        reader: Reader,
        names: NamesInUse,
        versions: Versions,
        candidates: Candidates,
        gate: Gate,
        os_user: str,
    ) -> None:
        self._reader = reader
        self._names = names
        self._versions = versions
        self._candidates = candidates
        self._gate = gate
        self._os_user = os_user
        self._actions: dict[str, Callable[[Mapping[str, Any], Caller], dict[str, Json]]] = {
            "create": self._create,
            "edit": self._edit,
            "patch": self._patch,
            "delete": self._delete,
            "write_file": self._write_file,
            "remove_file": self._remove_file,
        }

    def __call__(self, arguments: Mapping[str, Any], caller: Caller) -> dict[str, Json]:
        """Do it, or answer with `success: false` and what to send instead."""
        try:
            action = _checked(arguments)
            return self._actions[action](arguments, caller)
        except HermesError as error:
            return _failure(arguments, error)

    def _create(self, arguments: Mapping[str, Any], caller: Caller) -> dict[str, Json]:
        name, category = arguments["name"], arguments.get("category", "")
        faults = check_skill_name(name) + (check_category(category) if category else [])
        if faults:
            raise InvalidSkill(
                faults[0], findings=faults, hint=f"for example '{suggest_name(name)}'"
            )
        data, notes = conform(_encode(arguments["content"]), name)
        self._refuse_look_alike(name)
        folder = Folder({SKILL_FILE: FileContent(data)})
        drafted = self._drafted(name, caller)
        outcome = self._propose(arguments, caller, Action.CREATE, folder, drafted)
        return _success("create", name, outcome, notes)

    def _edit(self, arguments: Mapping[str, Any], caller: Caller) -> dict[str, Json]:
        opened = self._open(arguments, caller)
        data, notes = conform(_encode(arguments["content"]), opened.name)
        edited = opened.folder.with_file(SKILL_FILE, data)
        outcome = self._propose(arguments, caller, Action.EDIT, edited, opened)
        return _success("edit", opened.name, outcome, notes)

    def _patch(self, arguments: Mapping[str, Any], caller: Caller) -> dict[str, Json]:
        opened = self._open(arguments, caller)
        path = arguments.get("file_path") or SKILL_FILE
        text = _text(_file(opened.folder, path, opened.name), path)
        patched = patching.replace(
            text,
            arguments["old_string"],
            arguments["new_string"],
            replace_all=arguments.get("replace_all", False),
        )
        notes: list[str] = []
        data = _encode(patched.text)
        if path == SKILL_FILE:
            data, notes = conform(data, opened.name)
        folder = opened.folder.with_file(path, data)
        outcome = self._propose(arguments, caller, Action.PATCH, folder, opened)
        return {**_success("patch", opened.name, outcome, notes), "matches": patched.count}

    def _write_file(self, arguments: Mapping[str, Any], caller: Caller) -> dict[str, Json]:
        opened = self._open(arguments, caller)
        path = _support_path(arguments["file_path"])
        written = opened.folder.with_file(path, _encode(arguments["file_content"]))
        outcome = self._propose(arguments, caller, Action.WRITE_FILE, written, opened)
        return _success("write_file", opened.name, outcome, [])

    def _remove_file(self, arguments: Mapping[str, Any], caller: Caller) -> dict[str, Json]:
        opened = self._open(arguments, caller)
        path = arguments["file_path"]
        if path == SKILL_FILE:
            raise WrongCall(
                "SKILL.md is the skill itself", hint="use action 'delete' to archive the skill"
            )
        _file(opened.folder, path, opened.name)
        folder = opened.folder.without(path)
        outcome = self._propose(arguments, caller, Action.REMOVE_FILE, folder, opened)
        return _success("remove_file", opened.name, outcome, [])

    def _delete(self, arguments: Mapping[str, Any], caller: Caller) -> dict[str, Json]:
        live = self._reader.live(arguments["name"])
        guard_archive(live.skill, caller.effective_origin)
        approval = Approval(
            by=f"policy:archive:{caller.effective_origin}",
            os_user=self._os_user,
            channel=Channel.POLICY,
            agent_session_open=True,
            note=arguments.get("reason", ""),
            at=now(),
        )
        reason = arguments.get("reason", "deleted by skill_manage")
        self._gate.act(live.skill.name, Act.ARCHIVE, approval, reason=reason)
        return {
            "success": True,
            "action": "delete",
            "name": live.skill.name,
            "state": "archived",
            "message": f"Archived, not deleted: `hermes skills restore {live.skill.name}` "
            "brings it back.",
        }

    def _open(self, arguments: Mapping[str, Any], caller: Caller) -> _Opened:
        """The skill as the caller sees it, with its files; refused when it read an older one.

        A session sees its own draft, so a second change goes on from the first.
        """
        name = arguments["name"]
        asked = caller.effective_origin is Origin.REQUESTED_BY_USER  # goes live: on what is live
        draft = (
            None if asked else own_draft(self._candidates, self._reader, name, caller.session_id)
        )
        if draft is not None:
            version = self._versions.get(draft.version_id)
            if version is not None:
                return _Opened(
                    name=name,
                    folder=self._versions.folder(version),
                    live_version_id=draft.parent_version_id,
                    draft=draft,
                )
        live = self._reader.live(name)
        base = arguments.get("base_version")
        if base is not None and base != live.version.number:
            raise Conflict(
                f"skill '{live.skill.name}' is at version {live.version.number}, not {base}",
                hint="read it again with skill_view, then apply your change to what it says now",
            )
        return _Opened(
            name=live.skill.name,
            folder=self._versions.folder(live.version),
            live_version_id=live.version.id,
        )

    def _propose(
        self,
        arguments: Mapping[str, Any],
        caller: Caller,
        action: Action,
        folder: Folder,
        opened: _Opened | None,
    ) -> Outcome:
        never_live = opened is not None and opened.live_version_id is None
        outcome = self._gate.propose(
            Proposal(
                name=arguments["name"],
                folder=folder,
                action=Action.CREATE if never_live else action,
                origin=caller.effective_origin,
                author=caller.author,
                summary=_summary(action, arguments),
                parent_version_id=opened.live_version_id if opened else None,
                category=arguments.get("category", ""),
                session_id=caller.session_id,
            )
        )
        if outcome.state is VersionState.REJECTED and outcome.verdict is not None:
            findings = [text for check in outcome.verdict.checks for text in check.findings]
            raise InvalidSkill(f"refused: {outcome.reason}", findings=findings)
        if opened is not None and opened.draft is not None and outcome.candidate is not None:
            self._gate.withdraw(opened.draft.id, f"continued as {outcome.candidate.id}")
        return outcome

    def _refuse_look_alike(self, name: str) -> None:
        twin = self._names.look_alike(name)
        if twin is not None:
            raise Conflict(
                f"'{name}' looks like the existing skill '{twin}'",
                hint=f"patch '{twin}' instead, or choose a name that nobody confuses with it",
            )

    def _drafted(self, name: str, caller: Caller) -> _Opened | None:
        """One proposal for one thing: a session that creates a skill again replaces its own draft,
        and a look back leaves alone what anybody else has drafted already."""
        draft = own_draft(self._candidates, self._reader, name, caller.session_id)
        if draft is not None and draft.parent_version_id is None:
            return _Opened(name=name, folder=Folder({}), live_version_id=None, draft=draft)
        waiting = (one.skill_name for one in self._candidates.awaiting())
        if caller.origin is Origin.BACKGROUND_REVIEW and name in waiting:
            raise Conflict(
                f"a draft of '{name}' waits for a person already",
                hint="nothing more is needed; choose another name for another class of tasks",
            )
        return None


def _checked(arguments: Mapping[str, Any]) -> str:
    """The action, once every argument is known, present and of its type."""
    action = arguments.get("action")
    if not isinstance(action, str) or action not in ARGUMENTS:
        raise WrongCall(
            f"there is no action {str(action)[:_SHOWN]!r}",
            hint="send one of " + ", ".join(ARGUMENTS),
        )
    allowed = ARGUMENTS[action]
    unknown = sorted(str(name)[:_SHOWN] for name in set(arguments) - set(allowed) - {"action"})
    missing = sorted(name for name, needed in allowed.items() if needed and name not in arguments)
    if unknown or missing:
        needs = ", ".join(name if needed else f"[{name}]" for name, needed in allowed.items())
        what = f"lacks {', '.join(missing)}" if missing else f"does not take {', '.join(unknown)}"
        raise WrongCall(f"action '{action}' {what}", hint=f"it takes {needs}")
    for name in allowed.keys() & arguments.keys():
        kind, value = _TYPES.get(name, str), arguments[name]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise WrongCall(
                f"argument '{name}' is {type(value).__name__}", hint=f"send {kind.__name__}"
            )
    if not arguments["name"].isprintable():
        raise WrongCall("argument 'name' has unreadable characters", hint="send a plain name")
    return action


def _encode(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise InvalidSkill(
            f"character {error.start} is half of a pair and cannot be written",
            hint="send valid Unicode text",
        ) from None


def _text(data: bytes, path: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise WrongCall(
            f"{path} is not text, so it cannot be patched", hint="use write_file to replace it"
        ) from None


def _support_path(path: str) -> str:
    if path == SKILL_FILE:
        raise WrongCall("SKILL.md is not a support file", hint="use action 'edit' or 'patch'")
    fault = check_support_path(path)
    if fault:
        raise InvalidSkill(fault, findings=(fault,))
    return path


def _file(folder: Folder, path: str, name: str) -> bytes:
    if path not in folder.files:
        raise NotFound(
            f"skill '{name}' has no file {path[:_SHOWN]!a}",
            hint="it has " + ", ".join(sorted(folder.files)[:20]),
        )
    return folder.files[path].data


def _summary(action: Action, arguments: Mapping[str, Any]) -> str:
    path = arguments.get("file_path")
    return f"{action} {path}" if path else str(action)


def _success(action: str, name: str, outcome: Outcome, notes: list[str]) -> dict[str, Json]:
    assert outcome.version is not None
    assert outcome.candidate is not None
    live = outcome.state is VersionState.ACTIVE
    message = (
        f"Version {outcome.version.number} is live."
        if live
        else "Stored as a draft; a person decides with `hermes review`. "
        "Until then the live version stays as it is."
    )
    return {
        "success": True,
        "action": action,
        "name": name,
        "state": str(outcome.state),
        "version": outcome.version.number,
        "candidate": outcome.candidate.id,
        "message": message,
        "notes": [*notes, *_warnings(outcome)],
    }


def _warnings(outcome: Outcome) -> list[str]:
    if outcome.verdict is None:
        return []
    return [finding for check in outcome.verdict.checks for finding in check.findings]


def _failure(arguments: Mapping[str, Any], error: HermesError) -> dict[str, Json]:
    """What was wrong, in so many words and no more: a model reads this, and it sent the rest."""
    answer: dict[str, Json] = {
        "success": False,
        "action": _echo(arguments.get("action")),
        "name": _echo(arguments.get("name")),
        "error": error.code,
        "message": error.message[:_TOLD],
        "hint": error.hint[:_TOLD],
    }
    if isinstance(error, InvalidSkill):
        answer["findings"] = [finding[:_TOLD] for finding in error.findings[:_FINDINGS]]
    if isinstance(error, PatchMismatch):
        answer["matches"] = error.matches
    return answer


def _echo(value: object) -> str | None:
    return value[:_SHOWN] if isinstance(value, str) else None
