"""A tool's name and arguments → Action, for the tools of every agent whose logs we read.

A name that nobody knows is read by its arguments: a `command` is run, a `file_path` with `content`
is written. What stays unclear is OTHER, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from hermes.records.codec import Json
from hermes.rules.actions.action import Action, ActionKind

_KINDS: dict[ActionKind, str] = {
    ActionKind.RUN: "bash shell terminal exec local_shell_call run_shell_command exec_command "
    "container.exec shell_command run_command execute_command",
    ActionKind.CODE: "python execute_code run_python ipython jupyter code_interpreter",
    ActionKind.READ: "read read_file view cat open_file read_many_files notebookread",
    ActionKind.WRITE: "write write_file create_file save_file",
    ActionKind.EDIT: "edit multiedit patch apply_patch replace str_replace edit_file notebookedit "
    "str_replace_based_edit_tool str_replace_editor",
    ActionKind.SEARCH: "grep glob ls list list_directory search_files search_file_content "
    "find_files codebase_search list_files",
    ActionKind.FETCH: "webfetch web_fetch websearch web_search google_web_search fetch "
    "web_search_call browser_navigate web_extract",
    ActionKind.DELEGATE: "task agent delegate_task spawn_agent subagent",
    ActionKind.PLAN: "todowrite todoread todo update_plan write_todos exitplanmode",
}
_KIND_OF = {name: kind for kind, names in _KINDS.items() for name in names.split()}

_PATHS = ("file_path", "path", "absolute_path", "filename", "file", "notebook_path", "filePath")
_TEXTS: dict[ActionKind, tuple[str, ...]] = {
    ActionKind.RUN: ("command", "cmd", "script"),
    ActionKind.CODE: ("code", "source", "script", "input"),
    ActionKind.READ: (),
    ActionKind.WRITE: ("content", "contents", "text", "file_text"),
    ActionKind.EDIT: ("new_string", "newString", "new_str", "patch", "input", "diff"),
    ActionKind.SEARCH: ("pattern", "query", "glob"),
    ActionKind.FETCH: ("url", "query"),
    ActionKind.DELEGATE: ("prompt", "task", "goal"),
    ActionKind.PLAN: (),
    ActionKind.OTHER: (),
}
_BEFORE = ("old_string", "oldString", "old_str")
_SHELL_FLAG = re.compile(r"^-[a-z]*c$")


def action_of(tool: str, arguments: Mapping[str, Json]) -> Action:
    """What this call does."""
    kind = _kind(tool, arguments)
    return Action(
        kind=kind,
        tool=tool,
        text=_first(arguments, _TEXTS[kind]),
        path=_first(arguments, _PATHS),
        before=_first(arguments, _BEFORE) if kind is ActionKind.EDIT else "",
        arguments=arguments,
    )


def _kind(tool: str, arguments: Mapping[str, Json]) -> ActionKind:
    name = tool.rsplit("__", 1)[-1].rsplit(".", 1)[-1].lower()
    known = _KIND_OF.get(tool.lower()) or _KIND_OF.get(name)
    if known is not None:
        return _by_command(known, arguments)
    if any(key in arguments for key in ("command", "cmd")):
        return ActionKind.RUN
    if "code" in arguments:
        return ActionKind.CODE
    if any(key in arguments for key in _PATHS):
        if any(key in arguments for key in _BEFORE):
            return ActionKind.EDIT
        if any(key in arguments for key in _TEXTS[ActionKind.WRITE]):
            return ActionKind.WRITE
    return ActionKind.OTHER


def _by_command(kind: ActionKind, arguments: Mapping[str, Json]) -> ActionKind:
    """Some editors are one tool with a `command` that says which act is meant."""
    if kind is not ActionKind.EDIT:
        return kind
    acts = {"view": ActionKind.READ, "create": ActionKind.WRITE}
    return acts.get(str(arguments.get("command", "")), kind)


def _first(arguments: Mapping[str, Json], keys: tuple[str, ...]) -> str:
    for key in keys:
        value = arguments.get(key)
        if isinstance(value, str):
            return value
        if isinstance(value, list) and all(isinstance(part, str) for part in value) and value:
            return _command_line(value)
    return ""


def _command_line(argv: list[str]) -> str:
    """`["bash", "-lc", "ls | wc"]` is the script; any other list is joined as a shell reads it."""
    import shlex

    if len(argv) == 3 and _SHELL_FLAG.match(argv[1]):
        return argv[2]
    return shlex.join(argv)
