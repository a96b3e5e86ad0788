"""A procedure → SKILL.md with its references and scripts, in plain words and without a model.

The body says what to do; what is bulky (the whole program, every step that proves a line) lies in
references/ and scripts/, where it is read when needed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from hermes.ports import SkillWriter
from hermes.records.codec import dump
from hermes.records.folder import SKILL_FILE, FileContent, Folder
from hermes.records.procedure import Lesson, Procedure, ProcedureStep
from hermes.stages.extract.writing.evidence import evidence_of
from hermes.stages.extract.writing.markdown import bullets, cell, code, fenced, table
from hermes.stages.extract.writing.run_script import run_script

PROCEDURE_FILE = "references/procedure.json"
EVIDENCE_FILE = "references/evidence.md"
SCRIPT_FILE = "scripts/run.py"

_MOST_LINES = 480  # of a body: the format asks for fewer than 500
_MOST_CHARACTERS = 18_000  # about 4,500 tokens: the format asks for fewer than 5,000
_LONGEST_CODE = 40
_COMPATIBILITY = 500
_ACRONYMS = frozenset({"api", "csv", "html", "json", "pdf", "png", "sql", "tsv", "xml", "yaml"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Prose:
    """The words of a skill where somebody wrote better ones than a table gives; none by default.

    `steps` has a sentence for each step, in order. `suggestions` are steps of judgement that no
    example shows: they are marked as such.
    """

    title: str = ""
    description: str = ""
    goal: str = ""
    when_to_use: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    output_format: str = ""
    suggestions: tuple[str, ...] = ()


def document(procedure: Procedure, writer: SkillWriter, prose: Prose | None = None) -> Folder:
    """The folder of the skill."""
    prose = prose or Prose()
    files = {
        PROCEDURE_FILE: _json(procedure).encode(),
        EVIDENCE_FILE: evidence_of(procedure).encode(),
    }
    if procedure.code_template is not None:
        files[SCRIPT_FILE] = run_script(procedure, procedure.code_template).encode()
    body = _body(procedure, prose, tuple(files), most_code=_LONGEST_CODE)
    if _is_too_long(body):
        body = _body(procedure, prose, tuple(files), most_code=0)
    if _is_too_long(body):
        body = _body(_cut(procedure), prose, tuple(files), most_code=0)
    files[SKILL_FILE] = writer.write(
        name=procedure.name,
        description=prose.description or procedure.description,
        body=body,
        compatibility=_compatibility(procedure),
        metadata={"hermes.examples": str(len(procedure.example_ids))},
    )
    return Folder(
        {
            path: FileContent(data, executable=path == SCRIPT_FILE)
            for path, data in sorted(files.items())
        }
    )


def _body(procedure: Procedure, prose: Prose, files: Sequence[str], *, most_code: int) -> str:
    title = prose.title or _title(procedure.name)
    sections = {
        "Goal": prose.goal or f"{procedure.intent.rstrip(' .?')}.",
        "When to use": bullets(prose.when_to_use or procedure.trigger_conditions),
        "Inputs": _inputs(procedure),
        "Preferred tools": _tools(procedure),
        "Steps": _steps(procedure, prose, most_code),
        "Constraints": bullets(_constraints(procedure)),
        "Output format": _output(procedure, prose),
        "Recovery rules": bullets(_recovery(procedure.pitfalls)),
        "Pitfalls": bullets(f"{one.text} {_support(one)}" for one in procedure.pitfalls),
        "Verification": bullets(_verification(procedure.success_criteria)),
        "Support files": bullets(_files(procedure, files)),
    }
    written = [f"## {head}\n\n{text}" for head, text in sections.items() if text]
    return "\n\n".join([f"# {title}", *written]) + "\n"


def _title(name: str) -> str:
    words = [word.upper() if word in _ACRONYMS else word for word in name.split("-")]
    text = " ".join(words)
    return text[:1].upper() + text[1:]


def _inputs(procedure: Procedure) -> str:
    if not procedure.parameters:
        return ""
    found = {clue.parameter: clue.how for clue in procedure.how_to_find}
    rows = [
        (
            code(one.name),
            one.type,
            "required" if one.required else f"default {code(str(one.default))}",
            one.description,
            found.get(one.name, ""),
            ", ".join(code(str(value)) for value in one.observed[:3]),
        )
        for one in procedure.parameters
    ]
    return table(("name", "type", "value", "what it is", "where to find it", "seen"), rows)


def _tools(procedure: Procedure) -> str:
    languages = dict.fromkeys(step.language for step in procedure.steps)
    names = {"python": "Python", "bash": "a shell (bash)", "text": "a file editor"}
    tools = [names.get(one, "") for one in languages if one]
    tools += [f"the tool {code(step.tool)}" for step in procedure.steps if not step.language]
    if procedure.dependencies:
        tools.append(f"the packages {', '.join(code(one) for one in procedure.dependencies)}")
    return bullets(dict.fromkeys(filter(None, tools)))


def _steps(procedure: Procedure, prose: Prose, most_code: int) -> str:
    parts = []
    if procedure.code_template is not None:
        flags = " ".join(
            f"--{one.name.replace('_', '-')} {one.name.upper()}" for one in procedure.parameters
        )
        command = f"python {SCRIPT_FILE} {flags}".strip()
        parts.append(f"In one go, from the folder of the data:\n\n{fenced(command, 'bash')}")
        parts.append("Or step by step:")
    for number, step in enumerate(procedure.steps, 1):
        words = prose.steps[number - 1] if number <= len(prose.steps) else ""
        parts.append(_step(number, step, words, most_code))
    if prose.suggestions:
        parts.append("Suggested, and shown by no example:")
        parts.append(bullets(f"{one} (unverified)" for one in prose.suggestions))
    return "\n\n".join(parts)


def _step(number: int, step: ProcedureStep, words: str, most_code: int) -> str:
    support = f"({step.support.examples} of {step.support.of} examples)"
    optional = ", optional" if step.optional else ""
    lines = [f"{number}. {words or f'{step.title}.'} {support}{optional}"]
    code_lines = step.code.strip().count("\n") + 1
    if step.code.strip() and code_lines <= most_code:
        lines.append(_indented(fenced(step.code, step.language)))
    elif step.code.strip():
        lines.append(f"   The code has {code_lines} lines: see {code(SCRIPT_FILE)}.")
    for other in step.alternatives:
        if other.strip().count("\n") + 1 <= most_code:
            lines.append("   Or, as in other examples:")
            lines.append(_indented(fenced(other, step.language)))
    return "\n\n".join(lines)


def _indented(text: str) -> str:
    return "\n".join(f"   {line}" if line else line for line in text.split("\n"))


def _constraints(procedure: Procedure) -> Iterator[str]:
    for one in procedure.preconditions:
        yield f"{one.text} {_support(one)}"
    for one in procedure.guardrails:
        yield f"{one.text} Asked for by users {_support(one)}"
    if procedure.why_no_program:
        yield f"No program does all of it: {procedure.why_no_program}."


def _output(procedure: Procedure, prose: Prose) -> str:
    known = {one.name for one in procedure.parameters}
    outputs = [code(f"{{{one}}}" if one in known else one) for one in procedure.outputs]
    fact = f"Files written: {', '.join(outputs)}." if outputs else "The result is printed."
    return f"{prose.output_format}\n\n{fact}" if prose.output_format else fact


def _recovery(pitfalls: Sequence[Lesson]) -> Iterator[str]:
    for one in pitfalls:
        if one.remedy:
            yield f"If this happens: {one.text} Do this: {one.remedy}"


def _verification(criteria: Sequence[Lesson]) -> Iterator[str]:
    for one in criteria:
        yield f"{one.text} {_support(one)}"


def _support(lesson: Lesson) -> str:
    return f"({lesson.support.examples} of {lesson.support.of})"


def _files(procedure: Procedure, files: Sequence[str]) -> Iterator[str]:
    said = {
        PROCEDURE_FILE: "the procedure as data: parameters, steps, program",
        EVIDENCE_FILE: "which steps of which examples prove each line",
        SCRIPT_FILE: "the whole procedure as one command",
    }
    for path in sorted(files):
        yield f"{code(path)}: {said[path]}"


def _compatibility(procedure: Procedure) -> str:
    needs = [one.text for one in procedure.preconditions if one.text.startswith("The command")]
    parts = ["Python 3.11 or newer"] if procedure.code_template is not None else []
    if procedure.dependencies:
        parts.append(f"packages: {', '.join(procedure.dependencies)}")
    return cell("; ".join([*parts, *needs]))[:_COMPATIBILITY]


def _is_too_long(body: str) -> bool:
    return body.count("\n") > _MOST_LINES or len(body) > _MOST_CHARACTERS


def _cut(procedure: Procedure) -> Procedure:
    """The best supported lines only; references/procedure.json has the rest."""
    return replace(
        procedure,
        steps=tuple(replace(step, alternatives=()) for step in procedure.steps[:60]),
        pitfalls=procedure.pitfalls[:15],
        guardrails=procedure.guardrails[:15],
        success_criteria=procedure.success_criteria[:15],
        preconditions=procedure.preconditions[:15],
    )


def _json(procedure: Procedure) -> str:
    return json.dumps(dump(procedure), indent=2, ensure_ascii=False) + "\n"
