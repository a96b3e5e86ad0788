"""Which commands look, which ask, which check, and which reach outside the workspace."""

from __future__ import annotations

import ast
import re

from hermes.rules.mine.shell_text import programs, targets, tokens_of
from hermes.rules.mine.word_sets import words

_LOOKS = words(
    "ls cat head tail pwd file stat tree which whoami date env printenv less more echo printf type "
    "df du id uname history true nl bat realpath basename dirname column md5sum sha256sum"
)
_QUERIES = words(
    "grep rg egrep fgrep ag wc sort uniq cut awk gawk sed jq tr find diff cmp comm paste xmllint "
    "strings test [ sqlite3 csvcut csvstat csvlook xxd od join tac rev bc seq fold numfmt"
)
_OUTSIDE = words(
    "curl wget ssh scp rsync docker podman kubectl helm terraform aws gcloud az gh hub heroku ping "
    "nc telnet ftp sftp mail sendmail mutt systemctl service crontab sudo su psql mysql mongosh "
    "redis-cli apt apt-get brew yum dnf apk npm npx yarn pnpm cargo go kill killall open "
    "xdg-open"
)
_OUTSIDE_GIT = words("push pull fetch clone")
_READING_GIT = words("status log diff show branch blame rev-parse remote ls-files")
_TESTS = re.compile(
    r"^(?:\w+=\S+\s+)*(?:uv run |poetry run |python3? -m )?(?:pytest|tox|nox|mypy|ruff|flake8|"
    r"unittest|make (?:test|check|lint)|npm (?:run )?test|npm run (?:build|lint)|yarn test|"
    r"cargo (?:test|check|build)|go (?:test|build|vet)|shellcheck|py_compile|test -\w|\[ -\w|"
    r"diff |cmp )"
)
_INSTALL = re.compile(
    r"^(?:\w+\s+-m\s+)?(?:uv )?pip3? install\b(?P<what>.*)|^uv add\b(?P<added>.*)", re.MULTILINE
)
_WRITING_CALLS = words(
    "to_csv to_excel to_json to_parquet to_html to_markdown to_latex to_pickle to_sql to_feather "
    "savefig imwrite save savetxt write_text write_bytes writerow writerows "
    "writelines mkdir makedirs rename unlink rmtree copy copyfile copy2 move symlink "
    "dump write touch rmdir remove write_image write_html commit"
)
_PLAIN_PRINTERS = frozenset({"stdout", "stderr"})
_RUNS_TEXT = words("system popen getoutput getstatusoutput eval exec")
_NETWORK = words(
    "requests httpx urllib3 aiohttp boto3 smtplib paramiko ftplib socket psycopg psycopg2 pymysql "
    "openai anthropic slack_sdk"
)


def only_looks(script: str) -> bool:
    """Nothing but listing and showing; nobody repeats that to get a result."""
    return bool(programs(script)) and not targets(script) and set(programs(script)) <= _LOOKS


def only_asks(script: str) -> bool:
    """It prints and changes nothing: exploration, a check, or the answer itself."""
    names = programs(script)
    if not names or targets(script) or re.search(r"\b(?:sed|perl)\s+(?:-\w+\s+)*-\w*i", script):
        return False
    if re.search(r"\bfind\b.*\s-(?:delete|exec)", script) or re.search(r"\bsort\b.*\s-o", script):
        return False
    if names[0] == "git":
        return all(_git_word(script) in _READING_GIT for name in names if name == "git")
    if re.match(r"\S+\s+(?:--version|-V|--help|-h)\s*$", script):
        return True
    return set(names) <= _LOOKS | _QUERIES


def is_test(script: str) -> bool:
    """A command whose success says that the work is right."""
    return _TESTS.match(script.strip()) is not None


def installed_by(script: str) -> tuple[str, ...] | None:
    """The packages that a command installs; None where it is no installation."""
    match = _INSTALL.search(script.strip())
    if match is None:
        return None
    words = (match["what"] or match["added"] or "").split()
    return tuple(word for word in words if re.fullmatch(r"[A-Za-z][\w.\[\]=<>~!-]*", word))


def reaches_outside(script: str) -> str:
    """The name of the first command with effects that no sandbox can repeat; empty if none."""
    for name in programs(script):
        if name in _OUTSIDE or (name == "git" and _git_word(script) in _OUTSIDE_GIT):
            return name
    return ""


def program_writes(tree: ast.Module) -> bool:
    """Whether a Python program can leave anything but printed text."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        match node.func:
            case ast.Attribute(value=ast.Attribute(attr=stream), attr="write") if (
                stream in _PLAIN_PRINTERS
            ):
                continue
            case ast.Attribute(attr=name) if name in _WRITING_CALLS:
                return True
            case ast.Attribute(attr="run" | "check_call" | "Popen" | "system"):
                return True
            case ast.Name(id="open") | ast.Attribute(attr="open") if _opens_to_write(node):
                return True
    return False


def runs_text(call: ast.Call) -> bool:
    """Whether its first argument is read as code, by a shell or by Python itself."""
    match call.func:
        case ast.Name(id=name):
            name = name.rsplit(".", 1)[-1].removeprefix("import:")
        case ast.Attribute(attr=name):
            pass
        case _:
            return False
    shell = any(
        keyword.arg == "shell" and not _is_false(keyword.value) for keyword in call.keywords
    )
    return shell or name in _RUNS_TEXT


def program_reaches_outside(tree: ast.Module) -> str:
    """The first module for networks that a program imports; empty if none."""
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        for name in names:
            if name.split(".")[0] in _NETWORK or name.startswith(("urllib.request", "http.client")):
                return name
    return ""


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and not node.value


def _opens_to_write(call: ast.Call) -> bool:
    modes = [*call.args, *(keyword.value for keyword in call.keywords if keyword.arg == "mode")]
    return any(
        isinstance(mode, ast.Constant)
        and isinstance(mode.value, str)
        and re.fullmatch(r"[rbt]*[wax+][waxbt+]*", mode.value) is not None
        for mode in modes
    )


def _git_word(script: str) -> str:
    words = [token.text for token in tokens_of(script) or [] if not token.operator]
    after = words[words.index("git") + 1 :] if "git" in words else []
    return next((word for word in after if not word.startswith("-")), "")
