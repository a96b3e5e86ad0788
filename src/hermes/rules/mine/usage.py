"""What a value is used for: the name a class of such values would have, its type, its role.

`read_csv("jan.csv")` reads an input, `df.groupby("region")` names a column to group by,
`--month jan` says its own name. Names are those of the class, never of the case at hand.
"""

from __future__ import annotations

import ast
import keyword as python_keywords
import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from hermes.records.codec import Json
from hermes.rules.mine.python_tree import IMPORTED, Program, literal
from hermes.rules.mine.shell_text import REDIRECTS, Token, script_places
from hermes.rules.mine.word_sets import words

PATH = re.compile(r"(?!https?:)(?:[\w.@%+~-]*/)*[\w.@%+-]*\w\.[A-Za-z]\w{0,7}|(?:[\w.-]+/)+[\w.-]*")
_DATE = re.compile(r"\d{4}-\d{2}(?:-\d{2})?(?:[T ]\d{2}:\d{2}.*)?|\d{1,2}[/.]\d{1,2}[/.]\d{4}")

_READERS = words(
    "read_csv read_excel read_json read_parquet read_table read_html read_xml loadtxt genfromtxt "
    "imread load_workbook ZipFile getsize listdir glob iglob fromfile open_dataset"
)
_WRITERS = words(
    "to_csv to_excel to_json to_parquet to_html to_markdown to_latex to_pickle savefig imwrite "
    "save savetxt write_image write_html makedirs mkdir ExcelWriter tofile"
)
_PATH_READS = words("read_text read_bytes open exists stat iterdir rglob glob")
_PATH_WRITES = words("write_text write_bytes mkdir touch unlink rename")
_COLUMN_CALLS = {
    "groupby": "group_column",
    "sort_values": "sort_column",
    "set_index": "index_column",
    "drop_duplicates": "key_column",
    "nlargest": "count",
    "nsmallest": "count",
    "rolling": "window",
    "resample": "frequency",
    "head": "count",
    "tail": "count",
    "most_common": "count",
    "round": "digits",
    "strftime": "date_format",
    "strptime": "date_format",
    "startswith": "prefix",
    "endswith": "suffix",
    "split": "separator",
    "join": "separator",
}
_COLUMN_KEYWORDS = words("by on left_on right_on index columns values subset x y")
_MEASURES = words(
    "sum mean max min median std var cumsum pct_change rolling float int Decimal round"
)
_DATES = words("to_datetime strptime fromisoformat dt parse")
_EMPTY_NAMES = words(
    "data value values item items text string name result tmp temp file arg args row line path "
    "src dst source target infile outfile fname filename filepath file_path"
)
_OF_TIME = re.compile(r"date|month|day|week|year|when|time", re.IGNORECASE)
_FLAG_NAMES = {"-o": "output_path", "-i": "input_path", "-n": "count", "-F": "delimiter"}


class Role(StrEnum):
    """Whether a file of this name is read or made."""

    INPUT = "input"
    OUTPUT = "output"
    NONE = ""


@dataclass(frozen=True, slots=True)
class Usage:
    name: str
    type: str = ""
    role: Role = Role.NONE


INPUT = Usage("input_path", "path", Role.INPUT)
OUTPUT = Usage("output_path", "path", Role.OUTPUT)


def type_of(values: Iterable[Json], usage: Usage) -> str:
    """By how it is used where that says it, else by what all its values look like."""
    known = list(values)
    if usage.type and usage.type != "text":
        return usage.type
    if known and all(isinstance(value, list) for value in known):
        return "list"
    if known and all(isinstance(value, int | float) for value in known):
        return "number"
    texts = [value for value in known if isinstance(value, str)]
    if texts and all(_DATE.fullmatch(text) for text in texts):
        return "date"
    if texts and all(PATH.fullmatch(text) for text in texts):
        return "path"
    return "text"


def usages(program: Program) -> dict[int, Usage]:
    """By the id of each node that spells a value."""
    visitor = _Usages(program)
    visitor.look(program.tree, ())
    return visitor.found


def argument_usage(program: Program, at: int) -> Usage:
    """Of one argument of a program's command line, by the flag before it or as declared."""
    word = program.argv[at]
    before = program.argv[at - 1] if at else ""
    if before.startswith("-") and not word.startswith("-"):
        return flag_usage(before, word)
    declared = [
        name.value
        for node in ast.walk(program.tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "add_argument"
        for name in node.args[:1]
        if isinstance(name, ast.Constant) and isinstance(name.value, str)
    ]
    positional = [name for name in declared if not name.startswith("-")]
    index = sum(
        1
        for one, previous in zip(program.argv[:at], ("", *program.argv), strict=False)
        if not one.startswith("-") and not previous.startswith("-")
    )
    if index < len(positional):
        return named(positional[index], word)
    return INPUT if PATH.fullmatch(word) else Usage("argument")


def word_usage(tokens: list[Token], at: int) -> Usage:
    """Of one word of a shell command."""
    word = tokens[at].text
    before = tokens[at - 1] if at else Token("", operator=True)
    if before.operator and before.text in REDIRECTS:
        return OUTPUT
    if before.operator and before.text == "<":
        return INPUT
    flag = "" if before.operator else before.text
    if flag.startswith("--") or flag in ("-o", "-i"):
        return flag_usage(flag, word)
    if flag in _FLAG_NAMES and not PATH.fullmatch(word):
        return flag_usage(flag, word)
    command = [token.text for token in tokens[:at] if not token.operator]
    if command and command[-1] == "tee":
        return OUTPUT
    if at + 1 < len(tokens) and tokens[at + 1].glued and tokens[at + 1].expands:
        return INPUT
    if at in script_places(tokens):
        return Usage("program", "path")
    if PATH.fullmatch(word):
        moves = bool(command) and command[0] in ("cp", "mv", "ln")
        return OUTPUT if moves and at == len(tokens) - 1 else INPUT
    if any(name in command for name in ("grep", "rg", "egrep")):
        return Usage("pattern")
    return Usage("value")


def flag_usage(flag: str, word: str) -> Usage:
    if flag in _FLAG_NAMES:
        return named(_FLAG_NAMES[flag], word)
    name = flag.lstrip("-").split("=")[0]
    usage = named(name, word)
    return usage if usage.name or len(name) < 2 else Usage(identifier(name), usage.type)


def named(name: str, value: Json) -> Usage:
    """A usage by the name that somebody gave the value, where that name says anything."""
    name = identifier(name)
    is_path = isinstance(value, str) and PATH.fullmatch(value) is not None
    if is_path and re.search(r"out|dest|dst|target|save|result|report", name):
        return OUTPUT
    if is_path and (name in _EMPTY_NAMES or re.search(r"in(put)?(_|$)|src|source|file|csv", name)):
        return INPUT
    if re.search(r"col(umn)?s?$", name):
        return Usage(re.sub(r"col$", "column", name), "column")
    if name in _EMPTY_NAMES or len(name) < 3:
        return Usage("", "path" if is_path else "")
    return Usage(name, "path" if is_path else "")


def identifier(text: str) -> str:
    """Lower case, underscores, never a keyword of Python."""
    name = re.sub(r"\W+", "_", text.lower()).strip("_")
    if not name or name[0].isdigit():
        return f"value_{name}".rstrip("_")
    return f"{name}_value" if python_keywords.iskeyword(name) else name


class _Usages:
    """Walks with the chain of parents, nearest last."""

    def __init__(self, program: Program) -> None:
        self.found: dict[int, Usage] = {}
        self._hints = program.hints
        self._measured = frozenset(
            argument.id
            for node in ast.walk(program.tree)
            if isinstance(node, ast.Call) and _called(node) in _MEASURES
            for argument in node.args
            if isinstance(argument, ast.Name)
        )

    def look(self, node: ast.AST, parents: tuple[ast.AST, ...]) -> None:
        spelled = literal(node)
        if spelled is not None:
            self.found[id(node)] = self._usage(node, spelled[0], parents)
        for child in ast.iter_child_nodes(node):
            self.look(child, (*parents, node))

    def _usage(self, node: ast.AST, value: Json, parents: tuple[ast.AST, ...]) -> Usage:
        usage = self._by_place(node, parents)
        if usage.role is not Role.NONE or usage.name in ("group_column", "date_column"):
            return usage
        hint = self._hints.get(id(node))
        if hint is not None:
            said = named(hint, value)
            if said.name:
                return Usage(said.name, said.type or usage.type, said.role)
        if usage.name:
            return usage
        if isinstance(value, str) and PATH.fullmatch(value):
            return Usage("path", "path")
        return Usage("number" if isinstance(value, int | float) else "text")

    def _by_place(self, node: ast.AST, parents: tuple[ast.AST, ...]) -> Usage:
        parent = parents[-1] if parents else None
        match parent:
            case ast.Call():
                return self._argument(node, parent, parents)
            case ast.keyword(arg=str(name)):
                if name in _COLUMN_KEYWORDS:
                    return Usage({"by": "sort_column"}.get(name, f"{name}_column"), "column")
                return named(name, None)
            case ast.List() | ast.Tuple():
                return self._by_place(parent, parents[:-1])
            case ast.Subscript(slice=inner) if inner is node:
                is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
                return self._column(parents) if is_text else Usage("position")
            case ast.Compare():
                return Usage("threshold" if not isinstance(_value(node), str) else "match_value")
        return Usage("")

    def _argument(self, node: ast.AST, call: ast.Call, parents: tuple[ast.AST, ...]) -> Usage:
        name = _called(call)
        position = call.args.index(node) if node in call.args else -1
        if name == "open" and position == 0:
            return OUTPUT if _writing_mode(call) else INPUT
        if name in ("Path", "PurePath") and position == 0:
            return self._path_object(parents)
        if name in _READERS and position == 0:
            return INPUT
        if name in _WRITERS and position == 0:
            return OUTPUT
        if name == "get" and position == 0:
            return self._column(parents)
        if name in _COLUMN_CALLS and position == 0:
            column = _COLUMN_CALLS[name]
            return Usage(column, "column" if column.endswith("column") else "")
        return Usage("")

    def _path_object(self, parents: tuple[ast.AST, ...]) -> Usage:
        outer = parents[-2] if len(parents) > 1 else None
        match outer:
            case ast.Attribute(attr=act) if act in _PATH_WRITES:
                return OUTPUT
            case ast.Attribute(attr=act) if act in _PATH_READS:
                call = parents[-3] if len(parents) > 2 else None
                writing = isinstance(call, ast.Call) and act == "open" and _writing_mode(call)
                return OUTPUT if writing else INPUT
            case ast.Call():
                return self._argument(parents[-1], outer, parents[:-1])
        return Usage("path", "path")

    def _column(self, parents: tuple[ast.AST, ...]) -> Usage:
        """What is done with the column tells what it holds."""
        for parent in reversed(parents[-8:]):
            if isinstance(parent, ast.Compare):
                return Usage("filter_column", "column")
            if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name):
                target = parent.targets[0].id
                if target in self._measured:
                    return Usage("value_column", "column")
                if _OF_TIME.search(target):
                    return Usage("date_column", "column")
            name = parent.attr if isinstance(parent, ast.Attribute) else ""
            if isinstance(parent, ast.Call):
                name = _called(parent)
            if name in _DATES:
                return Usage("date_column", "column")
            if name in _MEASURES:
                return Usage("value_column", "column")
        return Usage("column", "column")


def _called(call: ast.Call) -> str:
    match call.func:
        case ast.Name(id=name):
            return name.removeprefix(IMPORTED).rsplit(".", 1)[-1]
        case ast.Attribute(attr=name):
            return name
    return ""


def _writing_mode(call: ast.Call) -> bool:
    modes = [*call.args, *(one.value for one in call.keywords if one.arg == "mode")]
    texts = [_value(mode) for mode in modes]
    return any(isinstance(text, str) and re.fullmatch(r"[bt]*[wax][bt+]*", text) for text in texts)


def _value(node: ast.AST) -> Json:
    spelled = literal(node)
    return spelled[0] if spelled else None
