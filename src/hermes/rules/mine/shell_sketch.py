"""Several examples' commands as one command with places for the words that differ."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from hermes.records.codec import Json
from hermes.rules.mine.deed import Deed
from hermes.rules.mine.fillings import Filling, Place, Term
from hermes.rules.mine.shell_places import fixed_places, same_command, split_words
from hermes.rules.mine.shell_text import Token, programs
from hermes.rules.mine.sketch import Surroundings
from hermes.rules.mine.spelling import Names
from hermes.rules.mine.usage import Role, Usage, flag_usage, word_usage
from hermes.rules.mine.worked import PLACEHOLDER

_CODE = re.compile(r"[\s$;|()]")
# A value inside a word that a program reads as code (awk, sed, jq) must be a plain word itself.
_GUARD = (
    "if not re.fullmatch(r'[\\w .,:@%+-]*', str({0})):\n"
    "    raise SystemExit('{0} must be a plain word')"
)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_UNQUOTED = re.compile(r"[\w./{}@%+=:,-]+")


class ShellSketch:
    """Words are compared one by one: the same operators and the same number of words."""

    language = "bash"

    def __init__(self, deeds: Mapping[int, Deed], step: int, around: Surroundings) -> None:
        self.deeds = deeds
        self._words = {key: split_words(deed.text) for key, deed in deeds.items()}
        groups = {key: self._alike(key) for key in deeds}
        self.reference = max(groups, key=lambda key: (len(groups[key]), -key))
        self.members = tuple(groups[self.reference])
        self._tokens = self._words[self.reference]
        self._spots: dict[int, tuple[dict[int, Json], Usage]] = {}
        fixed = fixed_places(self._tokens or [])
        for at, token in enumerate(self._tokens or []):
            if at not in fixed:
                self._look_at(at, token, around)
        self.places = [Place(values, usage, step) for values, usage in self._spots.values()]
        self.why_not = deeds[self.reference].outside

    def taken(self) -> frozenset[str]:
        text = self.deeds[self.reference].text
        return frozenset(re.findall(r"\{(\w+)\}", text))

    def outputs(self, example: int) -> frozenset[str]:
        tokens = self._words[example] or []
        return frozenset(
            token.text
            for at, token in enumerate(tokens)
            if not token.operator and word_usage(tokens, at).role is Role.OUTPUT
            if not token.text.startswith("/dev/")
        )

    def title(self, names: Names, fillings: Sequence[Filling]) -> str:
        used = dict.fromkeys(programs(self.deeds[self.reference].text))
        shown = ", ".join(f"`{name}`" for name in list(used)[:4])
        return f"Run {shown}" if shown else "Run a shell script"

    def text(self, names: Names, fillings: Sequence[Filling]) -> str:
        def shown(at: int) -> str:
            text = names.text(fillings[at])
            return text if _UNQUOTED.fullmatch(text) else shlex.quote(text)

        return self._joined(shown)

    def program(self, names: Names, fillings: Sequence[Filling]) -> str:
        """A value is an argument of the script, so it can never become a command."""
        script = self._joined(lambda at: f'"${{{at + 1}}}"' if at > 8 else f'"${at + 1}"')
        values = [
            ast.unparse(ast.fix_missing_locations(names.expression(filling)))
            for filling in fillings
        ]
        texts = [
            value if place.usage.role is not Role.NONE or len(filling) > 1 else f"str({value})"
            for value, place, filling in zip(values, self.places, fillings, strict=True)
        ]
        guards = [
            _GUARD.format(names.variable(part))
            for filling in fillings
            if len(filling) > 1 and _CODE.search(names.text(filling))
            for part in filling
            if isinstance(part, Term)
        ]
        words = ["'bash'", "'-euo'", "'pipefail'", "'-c'", repr(script), "'bash'", *texts]
        lines = [*(["import re"] if guards else []), "import subprocess", *dict.fromkeys(guards)]
        return "\n".join([*lines, f"subprocess.run([{', '.join(words)}], check=True)"])

    def _alike(self, key: int) -> list[int]:
        mine = self._words[key]
        return [
            key,
            *(
                other
                for other, theirs in self._words.items()
                if other != key
                and (
                    self.deeds[other].text == self.deeds[key].text
                    or (mine is not None and theirs is not None and same_command(mine, theirs))
                )
            ),
        ]

    def _look_at(self, at: int, token: Token, around: Surroundings) -> None:
        values: dict[int, Json] = {}
        for key in self.members:
            words = self._words[key]
            values[key] = words[at].text if words else token.text
        usage = self._usage(at)
        made = around.made.get(self.reference, frozenset())
        differs = len(set(values.values())) > 1 or PLACEHOLDER.search(token.text)
        is_input = usage.role is Role.INPUT and token.text not in made
        alone = len(self.members) == 1 and (
            usage.role is Role.OUTPUT or around.singles_out(self.reference, token.text)
        )
        if differs or is_input or alone:
            self._spots[at] = (values, usage)

    def _usage(self, at: int) -> Usage:
        assert self._tokens is not None
        word = self._tokens[at].text
        usage = word_usage(self._tokens, at)
        if self._tokens[at].glued:
            usage = flag_usage(self._tokens[at - 1].text, word)
        return replace(usage, type="number") if _NUMBER.fullmatch(word) else usage

    def _joined(self, spelled: Callable[[int], str]) -> str:
        """The command with something else at each place."""
        if self._tokens is None:
            return self.deeds[self.reference].text
        order = {at: index for index, at in enumerate(self._spots)}
        text = ""
        for at, token in enumerate(self._tokens):
            piece = spelled(order[at]) if at in order else token.raw or token.text
            together = token.glued or not text or text.endswith("\n")
            text += piece if together else f" {piece}"
        return text
