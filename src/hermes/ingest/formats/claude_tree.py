"""The lines of a Claude Code log as a tree, and the branch of it that the user kept.

Every line names its parent. Going back and asking anew starts a second branch, and the first one
stays in the file. Only places and links are held here, never a line: a log may be of any size.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum

from hermes.ingest.fields import mapping, moment, sequence, string
from hermes.ingest.lines import Line
from hermes.records.codec import Json

_NONE = -1
_RECENT = 1_000
_LONGEST_LINK = 1_000  # lines between a call and its result that only report progress


class Role(IntEnum):
    """What a line is for the branch. OTHER lines only link their children to their parents."""

    OTHER = 0
    PROMPT = 1
    ANSWER = 2
    RESULT = 3


@dataclass(slots=True)
class Thread:
    """One conversation of a file: a session, or a subagent within it."""

    session: str
    agent: str = ""
    parent: str | None = None
    cwd: str | None = None
    model: str | None = None
    title: str = ""
    started_at: datetime | None = None
    last: int = _NONE  # the last line written that is neither a result nor a mere link
    newest: int = _NONE  # the last line written
    pinned: int = _NONE  # the line that the user went back to, if nothing was said since
    lines: array[int] = field(default_factory=lambda: array("q"))

    @property
    def external_id(self) -> str:
        return f"{self.session}/{self.agent}" if self.agent else self.session


class Tree:
    """Columns instead of objects: a million lines take less than 200 MB, and 50 once sealed."""

    def __init__(self, default_session: str) -> None:
        self.threads: list[Thread] = []
        self.repeated = 0
        self.first_repeated = 0
        self._default_session = default_session
        self._thread_of: dict[tuple[str, str], int] = {}
        self._index: dict[int, int] = {}
        self._number = array("q")
        self._offset = array("q")
        self._parent = array("q")
        self._thread = array("l")
        self._role = bytearray()
        self._answer = array("l")  # which answer a line is a part of, counted from 1; 0 for none
        self._answers = 0
        self._recent: dict[tuple[int, str], int] = {}
        self._kept = bytearray()
        self._final = array("q")  # the last line kept of each answer

    def add(self, line: Line, value: dict[str, Json]) -> None:
        """Take in a line; the same uuid again is a repetition and left out."""
        uuid = hash(value["uuid"])
        if uuid in self._index:
            self.repeated += 1
            self.first_repeated = self.first_repeated or line.number
            return
        named = self._index.get(hash(_parent_of(value)), _NONE)
        place = self._place(value, named)
        thread = self.threads[place]
        index = self._index[uuid] = len(self._number)
        role = _role(value)
        self._number.append(line.number)
        self._offset.append(line.offset)
        self._parent.append(self._linked(value, named, thread))
        self._thread.append(place)
        self._role.append(role)
        self._answer.append(self._answer_number(place, value) if role is Role.ANSWER else 0)
        _describe(thread, value)
        thread.lines.append(index)
        thread.newest = index
        if role in (Role.PROMPT, Role.ANSWER):
            thread.last, thread.pinned = index, _NONE

    def pin(self, session: str, uuid: str) -> None:
        """The user went back to this line and has said nothing since."""
        thread = self._thread_of.get((session or self._default_session, ""))
        index = self._index.get(hash(uuid))
        if thread is not None and index is not None:
            self.threads[thread].pinned = index

    def thread(self, session: str) -> Thread | None:
        place = self._thread_of.get((session or self._default_session, ""))
        return None if place is None else self.threads[place]

    def kept(self, thread: Thread) -> Iterator[tuple[int, int, bool]]:
        """(number, offset, whether its answer's token count stands here), in the file's order.

        The ancestors of the last line, and what belongs to them: an answer is written as several
        lines with one message id, and parallel calls have results on side branches.
        """
        place = self._thread_of[thread.session, thread.agent]
        kept, final = self._kept, self._final
        index = thread.pinned if thread.pinned >= 0 else thread.last
        while index >= 0 and self._thread[index] == place:
            kept[index] = 1
            final[self._answer[index]] = index
            index = self._parent[index]
        final[0] = _NONE
        for index in thread.lines:
            if not kept[index]:
                kept[index] = self._belongs(index)
            if kept[index] and self._answer[index]:
                final[self._answer[index]] = index
        for index in thread.lines:
            if kept[index]:
                yield self._number[index], self._offset[index], final[self._answer[index]] == index

    def seal(self) -> None:
        """Every line is known: the names are forgotten, and branches can be asked for."""
        self._index.clear()
        self._recent.clear()
        self._kept = bytearray(len(self._number))
        self._final = array("q", (_NONE,)) * (self._answers + 1)

    def _belongs(self, index: int) -> bool:
        if self._role[index] == Role.ANSWER:
            return self._final[self._answer[index]] != _NONE
        if self._role[index] != Role.RESULT:
            return False
        parent = self._parent[index]
        for _ in range(_LONGEST_LINK):
            if parent < 0 or self._kept[parent] or self._role[parent] != Role.OTHER:
                break
            parent = self._parent[parent]
        return parent >= 0 and bool(self._kept[parent])

    def _answer_number(self, place: int, value: dict[str, Json]) -> int:
        """The lines of one answer stand close together, so only the latest names are held."""
        name = (place, string(mapping(value.get("message")).get("id")))
        if not name[1]:
            return 0
        if name not in self._recent:
            self._answers += 1
            self._recent[name] = self._answers
            if len(self._recent) > _RECENT:
                del self._recent[next(iter(self._recent))]
        return self._recent[name]

    def _place(self, value: dict[str, Json], parent: int) -> int:
        session = string(value.get("sessionId")) or self._default_session
        agent = ""
        if value.get("isSidechain") is True:
            agent = string(value.get("agentId")) or self._side_agent(value, parent, session)
        key = (session, agent)
        if key not in self._thread_of:
            self._thread_of[key] = len(self.threads)
            self.threads.append(Thread(session, agent, parent=session if agent else None))
        return self._thread_of[key]

    def _side_agent(self, value: dict[str, Json], parent: int, session: str) -> str:
        """Older logs do not name the subagent: it is the one of the parent line, or a new one."""
        above = self.threads[self._thread[parent]] if parent >= 0 else None
        if above is not None and above.agent and above.session == session:
            return above.agent
        return string(value.get("uuid"))

    def _linked(self, value: dict[str, Json], named: int, thread: Thread) -> int:
        """A parent that is not in the file was a broken line, or was cut away by a compaction."""
        if named >= 0:
            above = self.threads[self._thread[named]]
            if above.session != thread.session and thread.parent is None and thread.newest < 0:
                thread.parent = above.session
            return named
        begins = "parentUuid" in value and value["parentUuid"] is None
        if begins and value.get("subtype") != "compact_boundary":
            return _NONE
        return thread.newest


def _parent_of(value: dict[str, Json]) -> str:
    return string(value.get("parentUuid")) or string(value.get("logicalParentUuid"))


def _role(value: dict[str, Json]) -> Role:
    kind = value.get("type")
    if kind == "assistant":
        return Role.ANSWER
    if kind != "user":
        return Role.OTHER
    content = sequence(mapping(value.get("message")).get("content"))
    results = any(mapping(block).get("type") == "tool_result" for block in content)
    return Role.RESULT if results else Role.PROMPT


def _describe(thread: Thread, value: dict[str, Json]) -> None:
    if thread.cwd is None:
        thread.cwd = string(value.get("cwd")) or None
    if thread.started_at is None:
        thread.started_at = moment(value.get("timestamp"))
    if thread.model is None and value.get("type") == "assistant":
        model = string(mapping(value.get("message")).get("model"))
        thread.model = None if model in ("", "<synthetic>") else model
