"""Releases: what is and was live. End the old one before you add the next active one."""

from __future__ import annotations

from collections.abc import Sequence

from hermes.records.release import Release
from hermes.store.tables.table import PAGE, Table


class ReleaseTable(Table[Release]):
    word = "release"
    table = "releases"
    record = Release

    def add(self, release: Release) -> None:
        self._insert(release)

    def replace(self, release: Release) -> None:
        self._replace(release)

    def get(self, release_id: str) -> Release | None:
        return self._one("get_release", id=release_id)

    def current(self, skill_id: str) -> Release | None:
        """The active release, or the canary where nothing is active."""
        return self._one("current_release", skill_id=skill_id)

    def of_skill(self, skill_id: str) -> Sequence[Release]:
        return self._many("releases_of_skill", skill_id=skill_id)

    def page(self, after: str = "", limit: int = PAGE) -> Sequence[Release]:
        return self._many("page_releases", after=after, limit=limit)
