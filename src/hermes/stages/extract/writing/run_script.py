"""scripts/run.py: the procedure's program as a command with named arguments."""

from __future__ import annotations

import ast

from hermes.records.procedure import Procedure
from hermes.records.skill import Parameter
from hermes.rules.mine.assembling import body_of

_PLAIN = ("path", "column", "date", "enum", "text")
_HEAD = '''\
#!/usr/bin/env python3
{requirements}"""{summary}

Writes its result where it says; a failure ends with an exit code other than 0.
"""

import argparse
{imports}

def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
{declared}
    return parser.parse_args()


_given = _arguments()
{assigned}
'''


def run_script(procedure: Procedure, template: str) -> str:
    """The same program, with argparse in place of the lines that set the parameters."""
    parameters = procedure.parameters
    has_values = any(parameter.type not in _PLAIN for parameter in parameters)
    head = _HEAD.format(
        requirements=_requirements(procedure.dependencies),
        summary=_docstring(procedure.intent),
        imports="import json\n" if has_values else "",
        declared="\n".join(_declared(one) for one in parameters) or "    # it takes no arguments",
        assigned="\n".join(f"{one.name} = _given.{one.name}" for one in parameters),
    )
    script = f"{head}\n{body_of(template, len(parameters)).strip()}\n"
    ast.parse(script)  # what we write is Python, or it is our own fault and must be seen
    return script


def _declared(parameter: Parameter) -> str:
    flag = "--" + parameter.name.replace("_", "-")
    parts = [repr(flag)]
    if parameter.type not in _PLAIN:
        parts.append("type=json.loads")
    if parameter.required:
        parts.append("required=True")
    else:
        parts.append(f"default={parameter.default!r}")
    parts.append(f"help={parameter.description.replace('%', '%%')!r}")
    return f"    parser.add_argument({', '.join(parts)})"


def _requirements(dependencies: tuple[str, ...]) -> str:
    if not dependencies:
        return ""
    listed = ", ".join(f'"{name}"' for name in dependencies)
    return f'# /// script\n# requires-python = ">=3.11"\n# dependencies = [{listed}]\n# ///\n'


def _docstring(text: str) -> str:
    plain = " ".join(text.split()).replace("\\", "/").replace('"', "'").rstrip(".")
    return f"{plain}."
