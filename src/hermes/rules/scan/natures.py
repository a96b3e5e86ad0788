"""What a file is: prose to read, a script to run, settings, or data nobody obeys."""

from __future__ import annotations

import re

PROSE, JSON, CONFIG, DATA = "prose", "json", "config", "data"

SHELL_NAMES = frozenset(
    [
        "sh",
        "bash",
        "zsh",
        "shell",
        "console",
        "shell-session",
        "terminal",
        "ksh",
        "fish",
        "text",
        "txt",
        "dockerfile",
        "makefile",
    ]
)
"""What authors call shell in a fence; an unlabelled command is called text, too."""
PYTHON_NAMES = frozenset(["python", "py", "python3", "pycon"])

_SUFFIXES = {
    "shell": "sh bash zsh command fish mk",
    "python": "py pyw",
    "javascript": "js mjs cjs ts tsx jsx",
    "ruby": "rb",
    "perl": "pl",
    "php": "php",
    "powershell": "ps1 psm1",
    "batch": "bat cmd",
    "applescript": "applescript scpt",
    "other code": "go rs java lua swift c cc cpp h cs vbs r kt scala dart ex groovy",
    CONFIG: "yaml yml toml ini cfg plist service timer xml",
    JSON: "json",
    DATA: "csv tsv svg lock map css scss less ipynb sql",
    PROSE: "md markdown mdx txt rst html htm adoc",
}
_LANGUAGE = {suffix: name for name, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}
_SHEBANG = re.compile(r"#!.*?\b(python|node|ruby|perl|php|bash|zsh|sh|osascript)")
_SHEBANG_LANGUAGE = {"node": "javascript", "bash": "shell", "zsh": "shell", "sh": "shell"}
_REQUIREMENTS = re.compile(r"(?:requirements|constraints)[\w.-]*\.(?:txt|in)")
_LEGAL = re.compile(r"(?:licen[cs]e|copying|notice|copyright|authors)[\w-]*(?:\.(?:md|txt|rst))?")


def nature_of(path: str, text: str) -> str:
    """`prose`, `json`, `config`, `data`, or the language of a script."""
    name = path.rsplit("/", 1)[-1].lower()
    if _LEGAL.fullmatch(name) or _REQUIREMENTS.fullmatch(name):
        return DATA  # nobody takes orders from a licence, whatever words it needs
    shebang = _SHEBANG.match(text)
    if shebang:
        return _SHEBANG_LANGUAGE.get(shebang[1], shebang[1])
    if name in ("dockerfile", "makefile"):
        return "shell"
    if "." not in name:
        return PROSE
    return _LANGUAGE.get(name.rsplit(".", 1)[-1], DATA)


def is_requirements(path: str) -> bool:
    return bool(_REQUIREMENTS.fullmatch(path.rsplit("/", 1)[-1].lower()))
