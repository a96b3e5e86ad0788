"""skills_list and skill_view: progressive disclosure as two calls.

A list shows names and descriptions; the whole SKILL.md comes only when it is asked for, and a
support file only when that is.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from hermes.errors import HermesError, NotFound
from hermes.library.reader import Reader
from hermes.ports import Candidates, Skills, Versions
from hermes.records.candidate import Candidate
from hermes.records.codec import Json
from hermes.records.folder import SKILL_FILE
from hermes.records.skill import Skill
from hermes.records.version import FileEntry, Version
from hermes.rules.catalogue import GENERAL
from hermes.rules.folder_rules import skill_file

PAGE = 200


class ViewTools:
    def __init__(
        self, reader: Reader, skills: Skills, versions: Versions, candidates: Candidates
    ) -> None:
        self._reader = reader
        self._skills = skills
        self._versions = versions
        self._candidates = candidates

    def skills_list(self, category: str | None = None, after: str = "") -> dict[str, Json]:
        """Names and descriptions of the live skills, by name; `after` is the last name seen."""
        self._reader.look(deep=False)
        live = sorted((s for s in self._skills.all() if s.is_shown), key=lambda s: s.name)
        categories = Counter(skill.category or GENERAL for skill in live)
        chosen = [s for s in live if category in (None, s.category or GENERAL) and s.name > after]
        page = chosen[:PAGE]
        return {
            "success": True,
            "count": len(live),
            "categories": dict(categories),
            "skills": [head(skill) for skill in page],
            "next_after": page[-1].name if len(chosen) > PAGE else None,
        }

    def skill_view(
        self,
        name: str,
        file_path: str | None = None,
        session_id: str | None = None,
        version_id: str | None = None,
    ) -> dict[str, Json]:
        """One SKILL.md or one support file of a live skill.

        The session that wrote a draft sees its draft, marked as one; nobody else does. A task that
        was given a certain version keeps that one, though another may be live by now.
        """
        try:
            draft = own_draft(self._candidates, self._reader, name, session_id)
            if draft is not None:
                version = self._version(draft.version_id)
                return {**self._content(name, version, file_path), "draft": True}
            live = self._reader.live(name)
            shown = self._version(version_id) if version_id else live.version
            answer = {**head(live.skill), **self._content(name, shown, file_path)}
            if live.problem:
                answer["problem"] = live.problem
            return answer
        except HermesError as error:
            return {
                "success": False,
                "name": name,
                "error": error.code,
                "message": error.message,
                "hint": error.hint,
            }

    def _version(self, version_id: str) -> Version:
        version = self._versions.get(version_id)
        if version is None:
            raise NotFound(f"there is no version {version_id}")
        return version

    def _content(self, name: str, version: Version, file_path: str | None) -> dict[str, Json]:
        files = {file.path: file for file in version.files}
        path = file_path or skill_file(files) or SKILL_FILE
        if path not in files:
            raise NotFound(
                f"skill '{name}' has no file '{path}'",
                hint="it has " + ", ".join(sorted(files)[:20]),
            )
        return {
            "success": True,
            "name": name,
            "version": version.number,
            "file": path,
            "files": [file.path for file in version.files],
            **self._text(files[path]),
        }

    def _text(self, file: FileEntry) -> dict[str, Any]:
        data = self._versions.content(file.content)
        try:
            return {"content": data.decode("utf-8-sig")}
        except UnicodeDecodeError:
            return {"content": None, "binary": True, "size": file.size}


def own_draft(
    candidates: Candidates, reader: Reader, name: str, session_id: str | None
) -> Candidate | None:
    """The last draft of a skill that this session wrote and that waits.

    Not one that is based on a version which is live no more: what others made of the skill since
    would be hidden from the session, and no further change of its own could ever fit.
    """
    if session_id is None:
        return None
    drafts = [
        candidate
        for candidate in candidates.awaiting_of(session_id)
        if candidate.skill_name == name
    ]
    if not drafts or drafts[-1].parent_version_id != reader.live_version_id(name):
        return None
    return drafts[-1]


def head(skill: Skill) -> dict[str, Json]:
    """What a list says of a skill."""
    return {
        "name": skill.name,
        "description": skill.description,
        "category": skill.category,
        "tags": list(skill.tags),
        "state": str(skill.state),
        "pinned": skill.pinned,
        "proven": skill.proven,
    }
