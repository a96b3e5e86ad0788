"""Users: who may do what."""

from __future__ import annotations

from collections.abc import Sequence

from hermes.records.scope import User
from hermes.store.tables.table import Table


class UserTable(Table[User]):
    word = "user"
    table = "users"
    record = User

    def add(self, user: User) -> None:
        self._insert(user)

    def replace(self, user: User) -> None:
        self._replace(user)

    def named(self, name: str) -> User | None:
        return self._one("user_named", name=name)

    def all(self) -> Sequence[User]:
        return self._many("all_users")
