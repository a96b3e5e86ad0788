"""A small real repository whose pull requests are branches, and whose host is a script in it.

`tools/pr` stands for the command of a real host. It reads and writes files of the repository only,
so that what an agent does with it can be done in the sandbox and looked at afterwards.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

_HOST = """#!/bin/sh
# The host of the pull requests: checks, diff, style, comment.
set -e
case "$1" in
  checks) cat "ci/$2.txt" ;;
  diff) git diff "main...pr-$2" ;;
  style) git diff "main...pr-$2" | grep -cE '^[+].{80,}' || echo "no line is too long" ;;
  comment) mkdir -p reviews && printf '%s\\n' "$3" > "reviews/$2.md" && echo "posted on #$2" ;;
  *) echo "usage: pr checks|diff|style|comment NUMBER" >&2; exit 2 ;;
esac
"""
_SHOP = "def total(items):\n    return sum(items)\n"


class PullRequests:
    """The repository at `root`, with one open pull request for each number."""

    def __init__(self, root: Path, *numbers: int) -> None:
        self.root = root
        self._write("tools/pr", _HOST).chmod(0o755)
        self._write("shop.py", _SHOP)
        for number in numbers:
            self._write(f"ci/{number}.txt", f"build of {number}: success\n")
        self._git("init", "--quiet", "--initial-branch=main")
        self._commit("a shop")
        for number in numbers:
            self._git("checkout", "--quiet", "-b", f"pr-{number}", "main")
            self._write("shop.py", f"{_SHOP}\n\ndef price_{number}():\n    return {number}\n")
            self._commit(f"a price of {number}")
            self._git("checkout", "--quiet", "main")

    def review_of(self, number: int) -> str | None:
        """What was posted; None where nothing was."""
        file = self.root / "reviews" / f"{number}.md"
        return file.read_text() if file.exists() else None

    def _write(self, name: str, text: str) -> Path:
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def _commit(self, message: str) -> None:
        self._git("add", "--all")
        self._git("commit", "--quiet", f"--message={message}")

    def _git(self, *words: str) -> None:
        who = ("-c", "user.name=Ana", "-c", "user.email=ana@example.org")
        subprocess.run(["git", *who, *words], cwd=self.root, check=True, capture_output=True)
