"""Files of the project: read, write, edit, list, search."""

from __future__ import annotations

import fnmatch
import os
import re
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, Field

from hermes.agent.confinement import Confinement
from hermes.agent.tool import Tool, typed_tool
from hermes.agent.tools.searching import HITS, search
from hermes.errors import NotFound, Refused, WrongCall
from hermes.records.tool_answer import ToolAnswer
from hermes.rules import patching

_LARGEST = 32 * 1024 * 1024  # bytes of a file that is read as text
_LINES = 2_000
_LISTED = 500
_NAMED = 20
_MARK = "\ufeff"  # with which some programs begin a file; who reads it does not see it
_PASSED_BY = frozenset((".git", "node_modules", "__pycache__", ".venv", ".mypy_cache"))


class ReadFile(BaseModel):
    path: str = Field(description="relative to the project")
    first_line: int = Field(default=1, ge=1)
    lines: int = Field(default=_LINES, ge=1, le=20_000)


class WriteFile(BaseModel):
    path: str
    content: str


class EditFile(BaseModel):
    path: str
    old_string: str = Field(description="the exact text to replace, with enough around it")
    new_string: str
    replace_all: bool = False


class ListFiles(BaseModel):
    path: str = "."
    pattern: str = Field(default="*", description="of the file's name, such as *.csv")
    recursive: bool = False


class SearchFiles(BaseModel):
    pattern: str = Field(description="a regular expression")
    path: str = "."
    files: str = Field(default="*", description="of the files' names, such as *.py")


class FileTools:
    """What the five tools do. Every path goes through the confinement first."""

    def __init__(self, place: Confinement) -> None:
        self._place = place

    def read(self, asked: ReadFile) -> ToolAnswer:
        lines = self._text(asked.path).removeprefix(_MARK).splitlines(keepends=True)
        start = asked.first_line - 1
        shown = lines[start : start + asked.lines]
        if lines and not shown:
            raise WrongCall(f"{asked.path} has {len(lines)} lines")
        rest = len(lines) - start - len(shown)
        text = "".join(shown) or "(the file is empty)"
        more = f"\n[{rest} more lines; read on from line {start + len(shown) + 1}]" if rest else ""
        return ToolAnswer(text=text + more)

    def write(self, asked: WriteFile) -> ToolAnswer:
        path = self._place.writable(asked.path)
        is_new = not path.exists()
        self._put(path, asked.content)
        lines = len(asked.content.splitlines())
        return ToolAnswer(text=f"{'wrote' if is_new else 'replaced'} {asked.path}, {lines} lines")

    def edit(self, asked: EditFile) -> ToolAnswer:
        path = self._place.writable(asked.path)
        patched = patching.replace(
            self._text(asked.path),
            asked.old_string,
            asked.new_string,
            replace_all=asked.replace_all,
        )
        self._put(path, patched.text)
        return ToolAnswer(text=f"edited {asked.path}, {patched.count} places")

    def list(self, asked: ListFiles) -> ToolAnswer:
        folder = self._folder(asked.path)
        names = []
        for path in self._walk(folder, recursive=asked.recursive):
            if fnmatch.fnmatch(path.name, asked.pattern):
                names.append(f"{self._place.name(path)}{'/' if path.is_dir() else ''}")
            if len(names) > _LISTED:
                break
        more = f"\n[more than {_LISTED}; narrow the pattern]" if len(names) > _LISTED else ""
        return ToolAnswer(text="\n".join(sorted(names)[:_LISTED]) + more or "(nothing)")

    def search(self, asked: SearchFiles) -> ToolAnswer:
        try:
            re.compile(asked.pattern)
        except (re.error, OverflowError, RecursionError) as error:
            raise WrongCall(f"the pattern is no regular expression: {error}") from error
        start = self._place.readable(asked.path)
        files = [start] if start.is_file() else self._walk(self._folder(asked.path), recursive=True)
        hits = search(
            asked.pattern,
            [
                (str(path), self._place.name(path))
                for path in files
                if fnmatch.fnmatch(path.name, asked.files) and path.is_file()
            ],
        )
        if hits is None:
            raise WrongCall("the pattern takes too long", hint="make it simpler, or search less")
        more = f"\n[more than {HITS}; narrow the search]" if len(hits) > HITS else ""
        return ToolAnswer(text="\n".join(hits[:HITS]) + more or "(no match)")

    def _text(self, path: str) -> str:
        real = self._place.readable(path)
        if real.is_dir():
            raise WrongCall(f"{path} is a folder; it has {self._named_in(real)}")
        try:
            status = real.stat()
            if not stat.S_ISREG(status.st_mode):  # a pipe would be waited for, for ever
                raise WrongCall(f"{path} is no ordinary file")
            if status.st_size > _LARGEST:
                size = f"{status.st_size:,}"
                raise Refused(f"{path} has {size} bytes", hint="use shell with head or grep")
            return real.read_bytes().decode("utf-8")
        except FileNotFoundError:
            beside = self._named_in(real.parent)
            raise NotFound(f"there is no file {path}; its folder has {beside}") from None
        except UnicodeDecodeError:
            raise WrongCall(f"{path} is not text", hint="use python to read it") from None
        except OSError as error:
            raise Refused(f"{path}: {error.strerror}") from error

    def _named_in(self, folder: Path) -> str:
        """So that a wrong path is put right without another call."""
        names = [self._place.name(one) for one in self._walk(folder, recursive=False)]
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        return ", ".join(names[:_NAMED]) + more or "nothing"

    def _put(self, path: Path, text: str) -> None:
        """All of it or nothing; the mode of what was there stays."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            mode = path.stat().st_mode & 0o7777 if path.exists() else None
            handle, waiting = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
            try:
                with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
                    file.write(text)
                os.chmod(waiting, 0o644 if mode is None else mode)
                os.replace(waiting, path)
            except BaseException:
                os.unlink(waiting)
                raise
        except UnicodeEncodeError:
            raise WrongCall("the text has half of a surrogate pair; send valid Unicode") from None
        except OSError as error:
            raise Refused(f"{self._place.name(path)}: {error.strerror}") from error

    def _folder(self, path: str) -> Path:
        real = self._place.readable(path)
        if not real.is_dir():
            raise NotFound(f"there is no folder {path}")
        return real

    def _walk(self, folder: Path, *, recursive: bool) -> Iterator[Path]:
        waiting = [folder]
        while waiting:
            for path in sorted(_inside(waiting.pop())):
                if path.is_symlink() or self._place.is_hidden(path):
                    continue
                yield path
                if recursive and path.is_dir() and path.name not in _PASSED_BY:
                    waiting.append(path)


def file_tools(place: Confinement) -> list[Tool]:
    """What is read or written is kept with the step, so that a run can be replayed."""
    tools = FileTools(place)
    return [
        typed_tool(
            "read_file", "Read a text file of the project.", ReadFile, tools.read, touches=True
        ),
        typed_tool("write_file", "Write a whole text file.", WriteFile, tools.write, touches=True),
        typed_tool(
            "edit_file",
            "Replace a text in a file, exactly once unless replace_all.",
            EditFile,
            tools.edit,
            touches=True,
        ),
        typed_tool("list_files", "List files and folders of the project.", ListFiles, tools.list),
        typed_tool(
            "search_files",
            "Find lines in the project's files by a regular expression.",
            SearchFiles,
            tools.search,
        ),
    ]


def _inside(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:  # gone meanwhile, or not ours to read
        return []
