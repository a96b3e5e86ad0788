"""A session → the log that an agent would have left of it, where that is a plain file."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from hermes.testing.sessions.doing import Act, Kind, Session

Line = dict[str, Any]
_NAMESPACE = uuid.UUID("5f0c1a4e-0000-4000-8000-000000000001")


def id_of(session: Session, *parts: object) -> str:
    """The same session has the same ids each time."""
    return str(uuid.uuid5(_NAMESPACE, "/".join(map(str, (session.name, *parts)))))


def lines(values: Iterable[Line]) -> str:
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)


def claude_code(session: Session, folder: Path) -> Path:
    own = id_of(session)
    path = folder / "projects" / session.cwd.replace("/", "-") / f"{own}.jsonl"
    return _written(path, lines(claude_lines(session)))


def claude_lines(session: Session) -> Iterator[Line]:
    parent = None
    for number, act in enumerate(session.acts):
        for part, (kind, message, more) in enumerate(_claude_messages(session, act, number)):
            own = id_of(session, number, part)
            yield {
                "parentUuid": parent,
                "isSidechain": False,
                "userType": "external",
                "cwd": session.cwd,
                "sessionId": id_of(session),
                "version": "2.1.63",
                "type": kind,
                "message": message,
                "uuid": own,
                "timestamp": _stamp(act),
                **more,
            }
            parent = own


def _claude_messages(
    session: Session, act: Act, number: int
) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    if act.kind is Kind.USER:
        yield "user", {"role": "user", "content": act.text}, {}
        return
    if act.kind is Kind.AGENT:
        yield "assistant", _claude_answer({"type": "text", "text": act.text}, number), {}
        return
    call = f"toolu_{session.name}_{number}"
    name, arguments, content, shown = _claude_call(session, act)
    use = {"type": "tool_use", "id": call, "name": name, "input": arguments}
    yield "assistant", _claude_answer(use, number), {}
    result: Line = {"tool_use_id": call, "type": "tool_result", "content": content}
    if act.kind is Kind.RUN:
        result["is_error"] = bool(act.exit_code)
    yield "user", {"role": "user", "content": [result]}, {"toolUseResult": shown}


def _claude_answer(block: Line, number: int) -> dict[str, Any]:
    usage = {"input_tokens": 5, "output_tokens": 40}
    message = {"id": f"msg_{number}", "role": "assistant", "model": "claude-sonnet-4-5"}
    return {**message, "content": [block], "usage": usage}


def _claude_call(session: Session, act: Act) -> tuple[str, dict[str, Any], str, Any]:
    if act.kind is Kind.RUN:
        shown = act.output.rstrip("\n")
        if act.exit_code:
            said = f"Exit code {act.exit_code}\n{shown}"
            return "Bash", {"command": act.text}, said, f"Error: {said}"
        data = {"stdout": shown, "stderr": "", "interrupted": False, "isImage": False}
        return "Bash", {"command": act.text}, shown, data
    path = session.absolute(act.path)
    if act.kind is Kind.WRITE:
        arguments = {"file_path": path, "content": act.text}
        data = {"type": "create", "filePath": path, "content": act.text, "structuredPatch": []}
        return "Write", arguments, f"File created successfully at: {path}", data
    rows = act.output.split("\n")
    numbered = "\n".join(f"{number:6d}→{row}" for number, row in enumerate(rows, 1))
    file = {"filePath": path, "content": act.output, "startLine": 1}
    counts = {"numLines": len(rows), "totalLines": len(rows)}
    return "Read", {"file_path": path}, numbered, {"type": "text", "file": file | counts}


def codex(session: Session, folder: Path) -> Path:
    name = f"rollout-{session.began:%Y-%m-%dT%H-%M-%S}-{id_of(session)}.jsonl"
    path = folder / "sessions" / f"{session.began:%Y/%m/%d}" / name
    return _written(path, lines(codex_lines(session)))


def codex_zst(session: Session, folder: Path) -> Path:
    import zstandard

    plain = codex(session, folder)
    path = plain.with_name(f"{plain.name}.zst")
    path.write_bytes(zstandard.compress(plain.read_bytes()))
    plain.unlink()
    return path


def codex_lines(session: Session) -> Iterator[Line]:
    meta = {"id": id_of(session), "timestamp": session.began.isoformat(), "cwd": session.cwd}
    meta |= {"originator": "codex_cli_rs", "cli_version": "0.104.0", "source": "cli"}
    yield {"timestamp": session.began.isoformat(), "type": "session_meta", "payload": meta}
    for number, act in enumerate(session.acts):
        for payload in _codex_items(act, f"call_{session.name}_{number}"):
            yield {"timestamp": _stamp(act), "type": "response_item", "payload": payload}


def _codex_items(act: Act, call: str) -> Iterator[Line]:
    if act.kind in (Kind.USER, Kind.AGENT):
        role, kind = ("user", "input") if act.kind is Kind.USER else ("assistant", "output")
        content = [{"type": f"{kind}_text", "text": act.text}]
        yield {"type": "message", "role": role, "content": content}
        return
    if act.kind is Kind.WRITE:
        body = "".join(f"+{row}\n" for row in act.text.splitlines())
        patch = f"*** Begin Patch\n*** Add File: {act.path}\n{body}*** End Patch\n"
        yield {"type": "custom_tool_call", "call_id": call, "name": "apply_patch", "input": patch}
        said = json.dumps({"output": "Success.", "metadata": {"exit_code": 0}})
        yield {"type": "custom_tool_call_output", "call_id": call, "output": said}
        return
    arguments = json.dumps({"command": ["bash", "-lc", _as_command(act)]})
    item = {"type": "function_call", "name": "shell", "arguments": arguments}
    yield {**item, "call_id": call}
    said = json.dumps({"output": act.output, "metadata": {"exit_code": act.exit_code}})
    yield {"type": "function_call_output", "call_id": call, "output": said}


def gemini(session: Session, folder: Path) -> Path:
    project = folder / "tmp" / "ab12"
    head = {
        "sessionId": id_of(session),
        "projectHash": "ab12",
        "startTime": session.began.isoformat(),
        "kind": "main",
        "directories": [session.cwd],
    }
    values = [head, *(_gemini_message(session, act, at) for at, act in enumerate(session.acts))]
    return _written(project / "chats" / f"session-{session.name}.jsonl", lines(values))


def _gemini_message(session: Session, act: Act, number: int) -> Line:
    head = {"id": id_of(session, number), "timestamp": _stamp(act)}
    if act.kind is Kind.USER:
        return {**head, "type": "user", "content": [{"text": act.text}]}
    said = {**head, "type": "gemini", "content": "", "model": "gemini-3-pro", "toolCalls": []}
    if act.kind is Kind.AGENT:
        return {**said, "content": act.text}
    call = f"call-{session.name}-{number}"
    names = {Kind.RUN: "run_shell_command", Kind.READ: "read_file", Kind.WRITE: "write_file"}
    exit_code = f"\nExit Code: {act.exit_code}" if act.exit_code else ""
    output = act.output
    if act.kind is Kind.RUN:
        output = f"Output: {act.output.rstrip()}{exit_code}\nProcess Group PGID: 4500"
    response = {"id": call, "name": names[act.kind], "response": {"output": output or "written"}}
    one = {"id": call, "name": names[act.kind], "args": arguments_of(session, act)}
    done = {"result": [{"functionResponse": response}], "status": "success"}
    return {**said, "toolCalls": [one | done | {"timestamp": _stamp(act)}]}


def atif(session: Session, folder: Path) -> Path:
    steps = [_atif_step(session, act, number) for number, act in enumerate(session.acts, 1)]
    document = {
        "schema_version": "ATIF-v1.8",
        "session_id": id_of(session),
        "agent": {"name": "some-agent", "version": "1"},
        "steps": steps,
        "extra": {"cwd": session.cwd},
    }
    return _written(folder / f"{session.name}.atif.json", json.dumps(document))


def _atif_step(session: Session, act: Act, number: int) -> Line:
    step: Line = {"step_id": number, "timestamp": _stamp(act), "source": "agent", "message": ""}
    if act.kind is Kind.USER:
        return step | {"source": "user", "message": act.text}
    if act.kind is Kind.AGENT:
        return step | {"message": act.text}
    call = {"tool_call_id": f"call_{number}", "function_name": TOOLS[act.kind]}
    result = {"source_call_id": f"call_{number}", "content": answer_of(act)}
    step["tool_calls"] = [call | {"arguments": arguments_of(session, act)}]
    return step | {"observation": {"results": [result]}}


def sharegpt(session: Session, folder: Path) -> Path:
    turns = [{"from": "system", "value": "You are an agent. <tools>[]</tools>"}]
    for act in session.acts:
        turns += _sharegpt_turns(session, act)
    line = {"id": id_of(session), "conversations": turns, "timestamp": session.began.isoformat()}
    return _written(folder / f"{session.name}.sharegpt.jsonl", lines([line]))


def _sharegpt_turns(session: Session, act: Act) -> list[Line]:
    if act.kind is Kind.USER:
        return [{"from": "human", "value": act.text}]
    if act.kind is Kind.AGENT:
        return [{"from": "gpt", "value": f"<think>\n</think>\n{act.text}"}]
    call = {"name": TOOLS[act.kind], "arguments": arguments_of(session, act, relative=True)}
    said = f"<think>\n</think>\n<tool_call>\n{json.dumps(call)}\n</tool_call>"
    response = {"name": TOOLS[act.kind], "content": answer_of(act)}
    answer = f"<tool_response>\n{json.dumps(response)}\n</tool_response>"
    return [{"from": "gpt", "value": said}, {"from": "tool", "value": answer}]


def openai(session: Session, folder: Path) -> Path:
    messages: list[Line] = [{"role": "system", "content": "You are an agent."}]
    for number, act in enumerate(session.acts):
        messages += chat_messages(session, act, number, relative=True)
    line = {"id": id_of(session), "messages": messages}
    return _written(folder / f"{session.name}.openai.jsonl", lines([line]))


def chat_messages(session: Session, act: Act, number: int, *, relative: bool = False) -> list[Line]:
    """One act in the form of the OpenAI interface."""
    if act.kind in (Kind.USER, Kind.AGENT):
        role = "user" if act.kind is Kind.USER else "assistant"
        return [{"role": role, "content": act.text}]
    call = f"call_{number}"
    arguments = json.dumps(arguments_of(session, act, relative=relative))
    function = {"name": TOOLS[act.kind], "arguments": arguments}
    calls = [{"id": call, "type": "function", "function": function}]
    return [
        {"role": "assistant", "content": "", "tool_calls": calls},
        {"role": "tool", "tool_call_id": call, "content": answer_of(act)},
    ]


TOOLS = {Kind.RUN: "terminal", Kind.READ: "read_file", Kind.WRITE: "write_file"}


def arguments_of(session: Session, act: Act, *, relative: bool = False) -> dict[str, str]:
    """`relative` for logs that do not tell where they were written."""
    if act.kind is Kind.RUN:
        return {"command": act.text}
    arguments = {"path": act.path if relative else session.absolute(act.path)}
    return arguments if act.kind is Kind.READ else {**arguments, "content": act.text}


def answer_of(act: Act) -> str:
    """A command's answer with its exit code; of a file what it holds."""
    if act.kind is Kind.RUN:
        return json.dumps({"output": act.output, "exit_code": act.exit_code, "error": None})
    return act.output or "written"


def _as_command(act: Act) -> str:
    """Codex has no tool that reads: it asks its shell."""
    return f"cat {act.path}" if act.kind is Kind.READ else act.text


def _stamp(act: Act) -> str:
    return act.at.isoformat().replace("+00:00", "Z")


def _written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


Log = Callable[[Session, Path], Path]
