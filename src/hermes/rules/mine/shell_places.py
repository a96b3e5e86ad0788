"""Which words of a shell command may ever be a value, and which are what is run.

A parameter must not be able to become a command, a flag, or a program for another interpreter: a
word in such a place is the same in all examples, or they are different commands.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from hermes.rules.mine.fillings import differing_parts
from hermes.rules.mine.shell_text import INTERPRETERS, REDIRECTS, Token, tokens_of
from hermes.rules.mine.usage import PATH
from hermes.rules.mine.word_sets import words

_BEFORE_COMMANDS = words(
    "do then else elif if while until { ! time env xargs sudo nohup exec command eval nice"
)
_CODE_FLAGS = words("-c -e -lc -ec -E --eval --command")
_READS_CODE = words("awk gawk mawk sed jq yq sqlite3 duckdb mlr perl bc")
_CODE = re.compile(r"[\s{}$;|()/]")
_FLAG_WITH_VALUE = re.compile(r"(--[\w-]+=)(.+)", re.DOTALL)
_NAME_WITH_VALUE = re.compile(r"([A-Za-z_]\w*=)([^=].*)", re.DOTALL)
_FOLDER_OF_GLOB = re.compile(r"([\w./{}@%+-]+?)(/[^/$`'\"]*[*?][^$`'\"]*)")


def split_words(script: str) -> list[Token] | None:
    """The tokens of a script; `--flag=value`, `-v name=value` and `folder/*.csv` as two."""
    tokens = tokens_of(script)
    if tokens is None:
        return None
    found: list[Token] = []
    for token in tokens:
        flag = _FLAG_WITH_VALUE.fullmatch(token.text)
        named = _NAME_WITH_VALUE.fullmatch(token.text)
        before = found[-1].text if found else ""
        glob = _FOLDER_OF_GLOB.fullmatch(token.text)
        if token.operator:
            found.append(token)
        elif flag is not None and not token.expands:
            found.append(Token(flag[1], raw=flag[1]))
            found.append(Token(flag[2], raw=shlex.quote(flag[2]), glued=True))
        elif named is not None and not token.expands and before.startswith("-"):
            found.append(Token(named[1], raw=named[1]))
            found.append(Token(named[2], raw=shlex.quote(named[2]), glued=True))
        elif glob is not None and token.expands:
            found.append(Token(glob[1], raw=glob[1]))
            found.append(Token(glob[2], raw=glob[2], expands=True, glued=True))
        else:
            found.append(token)
    return found


def same_command(mine: Sequence[Token], theirs: Sequence[Token]) -> bool:
    """One command with other values in it."""
    if len(mine) != len(theirs) or fixed_places(mine) != fixed_places(theirs):
        return False
    fixed = fixed_places(mine)
    command = ""
    for at, (one, two) in enumerate(zip(mine, theirs, strict=True)):
        if one.operator != two.operator or one.glued != two.glued:
            return False
        if at in fixed:
            command = one.text if not one.operator and not one.text.startswith("-") else command
            if one.text != two.text:
                return False
        elif one.text != two.text and command in _READS_CODE and not _may_differ(one, two):
            return False
    return True


def fixed_places(tokens: Sequence[Token]) -> frozenset[int]:
    """Operators, commands, flags, programs for interpreters, and what the shell expands."""
    found: set[int] = set()
    command, expected, code = "", True, False
    redirected = False
    for at, token in enumerate(tokens):
        if token.operator:
            found.add(at)
            redirected = token.text in REDIRECTS or token.text == "<"
            if not redirected:
                command, expected, code = "", True, False
            continue
        if redirected:
            redirected = False
        elif expected:
            found.add(at)
            command = token.text.rsplit("/", 1)[-1]
            expected = command in _BEFORE_COMMANDS or "=" in token.text
        elif token.text.startswith("-"):
            found.add(at)
            code = command in INTERPRETERS and token.text in _CODE_FLAGS
            expected = token.text in ("-exec", "-execdir")
        elif code:
            found.add(at)
            code = False
        if token.expands:
            found.add(at)
    return frozenset(found)


def _may_differ(one: Token, two: Token) -> bool:
    """A word that some program reads as code may differ in a plain word or two, not as a whole."""
    if PATH.fullmatch(one.text) and PATH.fullmatch(two.text):
        return True
    if not _CODE.search(one.text) and not _CODE.search(two.text):
        return True
    return differing_parts({0: one.text, 1: two.text}) is not None
