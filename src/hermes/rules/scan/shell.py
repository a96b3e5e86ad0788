"""Shell → effects: what is read, sent, fetched, run and left behind by its pipelines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from hermes.rules.scan.cued import Cued
from hermes.rules.scan.destinations import (
    Reach,
    bare_addresses,
    bare_names,
    host_of,
    reach_of,
    urls,
)
from hermes.rules.scan.effects import Effect, Kind, Piece
from hermes.rules.scan.holdings import (
    AGENT_PLACE,
    ENV_FILE,
    SECRET_PLACE,
    SECRET_WORDS,
    STARTUP_ACT,
    STARTUP_PLACE,
)
from hermes.rules.scan.shell_lines import Pipeline, pipelines

_FETCHERS = frozenset(
    "curl wget fetch aria2c http https lwp-request iwr irm invoke-webrequest invoke-restmethod".split()
)
_CARRIERS = frozenset(
    "nc ncat netcat socat scp sftp ftp telnet rsync dig nslookup host ping openssl mail sendmail".split()
)
_SHELLS = frozenset(
    "sh bash zsh dash ksh fish python python2 python3 node perl ruby php pwsh powershell iex invoke-expression eval source . osascript deno bun".split()
)
_DECODERS = Cued(
    ("base64", r"\bbase64\s+(?:-[dDi]|--decode)"),
    ("openssl xxd uudecode", r"\bopenssl\s+(?:enc|base64)\s.*-d|\bxxd\s+-r|\buudecode\b"),
    ("rev tr gunzip", r"\brev\b|\btr\s+['\"]?[A-Za-z-]{4,}|\bgunzip\b.*<<<"),
    ("frombase64string", r"\bFromBase64String\b"),
)
_SENDING = re.compile(
    r"(?:^|\s)(?:-d|--data\S*|-F|--form\S*|-T|--upload-file|--post-\w+|--body-\w+|--json|-InFile|"
    r"-Body|-Form)(?:[\s=@\"']|$)|-X\s*['\"]?(?:POST|PUT)|--request\s+(?:POST|PUT)|"
    r"-Method\s+['\"]?(?:Post|Put)|\s-\w*[FTd]\s+[\"']?\S",
    re.IGNORECASE,
)
_ENV_DUMP = Cued(
    (
        "printenv env set export get gci dir",
        r"(?:^|[\s|;(`])(?:printenv|env|set|export\s+-p|(?:Get-ChildItem|gci|dir)\s+env:)\s*(?:$|[|>;)`&]|2>)",
    )
)
_REMOTE_SHELL = Cued(
    ("dev", r"/dev/(?:tcp|udp)/\S+"),
    ("nc ncat netcat", r"\b(?:nc|ncat|netcat)\b[^|;]*\s(?:-\w*[ec]\w*\s|--exec|--sh-exec)"),
    ("socat", r"\bsocat\b[^|;]*(?:exec|system):"),
    ("mkfifo", r"\bmkfifo\b.*\b(?:nc|ncat|openssl|telnet)\b"),
    ("sh bash", r"\b(?:sh|bash)\s+-i\b.*\b(?:nc|ncat)\b"),
    ("tcpclient", r"TCPClient\("),
)
_LISTENING = re.compile(r"\b(?:nc|ncat)\s+-\w*l(?![^|;]*\s-\w*[ec]\s)")
_MINER = Cued(
    (
        "xmrig stratum minerd cpuminer donate nicehash coin ethminer",
        r"\bxmrig\b|stratum\+tcp|\bminerd\b|\bcpuminer\b|--donate-level|\bnicehash\b|"
        r"--coin\s+monero|\bethminer\b",
    )
)
_WIDE = re.compile(
    r"(?:/|~|/\*|~/?\*?|\$\{?HOME\}?/?\*?|/home(?:/.*)?|/Users(?:/.*)?|/etc|/usr|/var|\*|\.\*|\.|"
    r"(?:\$HOME|~)/(?:Documents|Desktop|Pictures|Downloads).*|C:\\\\?.*|%USERPROFILE%.*)",
    re.IGNORECASE,
)
_DESTROY = Cued(
    ("mkfs dd wipefs format dev", r"\bmkfs\.\w+|\bdd\b.*\bof=/dev/(?:sd|nvme|disk|hd)|\bwipefs\b|\bformat\s+c:|>\s*/dev/sd[a-z]"),
    ("git", r"\bgit\s+push\b.*--mirror|\bgit\s+push\b.*--force\b(?!-with).*--all|\breflog\s+expire\b.*--all"),
    ("aws kubectl terraform", r"\baws\s+s3\s+rb\b.*--force|\bkubectl\s+delete\s+(?:ns|namespaces?|all)\b.*--all|\bterraform\s+destroy\b.*-auto-approve"),
    ("drop vssadmin cipher", r"\bdrop\s+database\b|\bvssadmin\s+delete\s+shadows|\bcipher\s+/w"),
)  # fmt: skip
_GUARD = Cued(
    ("spctl xattr csrutil", r"\bspctl\b.*--master-disable|\bxattr\s+-\w*[dc]\w*\s.*quarantine|\bcsrutil\s+disable"),
    ("setenforce ufw iptables auditctl", r"\bsetenforce\s+0|\bufw\s+disable|\biptables\s+-F|\bauditctl\s+-e\s*0"),
    ("systemctl kill killall pkill", r"\b(?:systemctl\s+(?:stop|disable|mask)|p?kill(?:all)?)\s.*(?:auditd|falcon|apparmor|clamav|firewalld|defender|osquery|sysmon|crowdstrike|sentinel)"),
    ("set add", r"\bSet-MpPreference\b.*-Disable|\bAdd-MpPreference\b.*-Exclusion|\bSet-ExecutionPolicy\s+(?:Unrestricted|Bypass)"),
    ("nopasswd", r"NOPASSWD:\s*ALL"),
    ("unset histsize history", r"\bunset\s+HISTFILE|\bHISTSIZE=0|\bhistory\s+-c"),
    ("dangerously bypasspermissions yolo", r"--dangerously-(?:skip-permissions|bypass)|bypassPermissions|--yolo\b"),
    ("chattr rm node", r"\bchattr\s+-i\b|\brm\b.*/var/log\b|NODE_TLS_REJECT_UNAUTHORIZED=0"),
)  # fmt: skip
_REDIRECT = re.compile(r"(?:>>?|\btee\s+(?:-a\s+)?)\s*[\"']?([^\s\"'|;&]+)")
_OUTPUT = re.compile(
    r"(?:\s-o|\s-O|--output|--output-document|-OutFile|\s-Lo|\s-sLo|\s-\w*o)[\s=]+[\"']?([^\s\"'|;&]+)"
)
_MADE_FILE = re.compile(
    r"(?:\btar\s+-?\w*c\w*f?\s+|\bzip\s+(?:-\w+\s+)*|\bcp\s+(?:-\w+\s+)*\S+\s+|-DestinationPath\s+)[\"']?([^\s\"'|;&]+)"
)


@dataclass
class _Script:
    """What earlier lines left behind: files made of secrets, files that came from outside."""

    tainted: set[str] = field(default_factory=set)
    fetched: dict[str, str] = field(default_factory=dict)


def shell_effects(piece: Piece) -> Iterator[Effect]:
    """The effects of one script or snippet, in the order of its lines."""
    script = _Script()
    floods = 0
    for pipe in pipelines(piece.text):
        yield from _network(piece, pipe, script)
        yield from _reading(piece, pipe, script)
        yield from _running(piece, pipe, script)
        yield from _staying(piece, pipe)
        floods += bool(
            re.search(r"\bseq\s+\d{3,}|\bwhile\s+true|\{1\.\.\d{3,}\}|\bfor\s*\(\(", pipe.text)
        )
        if (
            floods
            and destination(pipe.text)
            and reach_of(destination(pipe.text)) is not Reach.LOCAL
            and _names(pipe) & {"curl", "wget", "ping", "ab", "hping3"}
            and "/dev/null" in pipe.text
        ):
            yield piece.effect(Kind.FLOOD, pipe.line, what=pipe.text[:80])
            floods = 0


def _names(pipe: Pipeline) -> set[str]:
    return {command.name for command in pipe.commands}


def destination(text: str) -> str:
    """The least trusted address in a text; empty when there is none."""
    found = [url for _, url in urls(text)] + [address for _, address in bare_addresses(text)]
    if not found:
        found = [name for _, name in bare_names(text)]
    order = list(Reach)
    return max(found, key=lambda url: order.index(reach_of(url)), default="")


def _reading(piece: Piece, pipe: Pipeline, script: _Script) -> Iterator[Effect]:
    secret = SECRET_PLACE.search(pipe.text) or ENV_FILE.search(pipe.text)
    dump = _ENV_DUMP.search(pipe.text)
    uses = secret and not _only_tends(pipe)
    if uses or dump or any(name in pipe.text for name in script.tainted):
        for pattern in (_REDIRECT, _MADE_FILE):
            script.tainted |= {
                m[1] for m in pattern.finditer(pipe.text) if len(m[1]) > 3 and m[1] != "/dev/null"
            }
    if uses and secret:
        kind = Kind.SECRET_READ if SECRET_PLACE.search(pipe.text) else Kind.KEY_READ
        yield piece.effect(kind, pipe.line, what=secret[0])
    if dump:
        yield piece.effect(Kind.ENV_READ, pipe.line)


def _only_tends(pipe: Pipeline) -> bool:
    """Making, listing or protecting a key is not reading it."""
    tending = {
        "chmod",
        "chown",
        "mkdir",
        "ls",
        "ssh-keygen",
        "ssh-add",
        "ssh-copy-id",
        "touch",
        "test",
        "[",
        "[[",
        "rm",
        "stat",
        "ssh",
        "ln",
        "cd",
        "icacls",
        "nano",
        "vim",
        "code",
    }
    return _names(pipe) <= tending | {"echo", "grep", "head", "wc", "true", "export"}


def _network(piece: Piece, pipe: Pipeline, script: _Script) -> Iterator[Effect]:
    names = _names(pipe)
    pushes = "git push http" in pipe.text
    if not names & (_FETCHERS | _CARRIERS) and not pushes:
        return
    text, host = pipe.text, destination(pipe.text)
    carrier = bool(names & _CARRIERS) or pushes
    sends = bool(_SENDING.search(text)) or (carrier and bool(host)) or "$(" in text
    for what in _carried(pipe, script, host):
        yield piece.effect(Kind.LEAK, pipe.line, what=what, host=host)
    body = _HEADER.sub("", text)
    if host and sends and (_ENCODING.search(body) or SECRET_WORDS.search(body)):
        yield piece.effect(Kind.VEILED_SEND, pipe.line, what=text[:80], host=host)
    if sends and host:
        yield piece.effect(Kind.SEND, pipe.line, what=text[:100], host=host)
    elif host:
        yield piece.effect(Kind.FETCH, pipe.line, host=host)


_LOOKUPS = frozenset(["dig", "nslookup", "host", "ping"])
_KEY_VARIABLE = re.compile(r"\$\{?([A-Z][A-Z0-9_]*(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)\w*)")
_HEADER = re.compile(r"(?:-H|--header|-u|--user)[\s=]*(\"[^\"]*\"|'[^']*'|\S+)")
_ENCODING = re.compile(
    r"\b(?:base64(?!\s+-d)|xxd\s+-p|gzip|openssl\s+(?:enc|base64))\b(?!.*\s-d\b)"
)


def _carried(pipe: Pipeline, script: _Script, host: str) -> Iterator[str]:
    """What a pipeline hands to the network beyond what the request needs."""
    text, reach = pipe.text, reach_of(host or "$X")
    if _names(pipe) & _LOOKUPS and re.search(r"\$\(|`|\$\{?\w+\}?\.\w", text):
        yield "data in the name that is looked up"
    if reach is Reach.LOCAL:
        return
    taken = _taken(text, script)
    if taken and not _authenticates(text, taken):
        yield taken
    if reach in (Reach.KNOWN, Reach.CHOSEN):
        return
    for key in _KEY_VARIABLE.findall(_HEADER.sub("", text)):
        if key.split("_")[0].lower() not in host_of(host):
            yield key


def _taken(text: str, script: _Script) -> str:
    secret = SECRET_PLACE.search(text) or ENV_FILE.search(text)
    if secret:
        return secret[0].strip()
    if _ENV_DUMP.search(text):
        return "the environment"
    if re.search(r"\bgit\s+(?:diff|show|log|archive)\b|(?:^|[|;]\s*)history\b", text):
        return "the repository or command history"
    return next((name for name in script.tainted if name in text), "")


def _authenticates(text: str, taken: str) -> bool:
    """A key given with -i, --key or as a certificate opens a door; it is not carried through it."""
    quoted = re.escape(taken)
    return bool(
        re.search(
            rf"(?:-i|--key|--cert|--cacert|-e|--netrc-file|--env-file|--config)[\s=]+\S*{quoted}",
            text,
        )
    )


def _running(piece: Piece, pipe: Pipeline, script: _Script) -> Iterator[Effect]:
    text, names = pipe.text, _names(pipe)
    runs = [c for c in pipe.commands if c.name in _SHELLS]
    fetches = any(c.name in _FETCHERS for c in pipe.commands) or re.search(
        r"\b(?:curl|wget|iwr|irm|DownloadString|DownloadFile|invoke-webrequest)\b",
        text,
        re.IGNORECASE,
    )
    host = destination(text)
    for match in _OUTPUT.finditer(text):
        if fetches and host:
            script.fetched[match[1]] = host
    for name, origin in script.fetched.items():
        started = re.search(
            rf"(?:^|[\s;&|\"'])(?:(?:ba|z)?sh|python3?|node|open|start|Start-Process|nohup|chmod\s+\S+|hdiutil\s+attach)\s+[^|;]*{re.escape(name)}|^[\"']?{re.escape(name)}",
            text,
        )
        if started and not (fetches and name in text.split(started[0])[0]):
            yield piece.effect(Kind.FETCH_RUN, pipe.line, what=name, host=origin)
    fed = bool(runs) and len(pipe.commands) > 1 and pipe.commands[0].name not in _SHELLS
    called = bool(runs) and bool(
        re.search(r"\$\(|<\(|`|\biex\b|invoke-expression", text, re.IGNORECASE)
    )
    if fetches and host and (fed or called):
        yield piece.effect(Kind.FETCH_RUN, pipe.line, what=text[:100], host=host)
    elif _DECODERS.search(text) and (fed or called):
        yield piece.effect(Kind.DECODE_RUN, pipe.line, what=text[:100])
    if _REMOTE_SHELL.search(text) and not _LISTENING.search(text):
        peer = re.search(r"/dev/(?:tcp|udp)/([^/\s]+)", text)
        where = peer[1] if peer else host
        yield piece.effect(Kind.REMOTE_SHELL, pipe.line, what=text[:80], host=where)
    if _MINER.search(text):
        yield piece.effect(Kind.MINE, pipe.line, what=text[:80], host=host)
    if names & {"unzip", "7z", "7za"} and re.search(r"\s-P|\s-p\S", text):
        yield piece.effect(Kind.LOCKED_ARCHIVE, pipe.line, what=text[:80])


def _staying(piece: Piece, pipe: Pipeline) -> Iterator[Effect]:
    text, target = pipe.text, _written(pipe)
    start = STARTUP_ACT.search(text) or STARTUP_PLACE.search(target)
    if not start and "hooksPath" in text:
        start = re.search(r"git\s+config\s+--global\s+core\.hooksPath\s+\S+", text)
    if start:
        yield piece.effect(Kind.STARTUP, pipe.line, what=start[0], host=destination(text))
    agent = AGENT_PLACE.search(target)
    if agent:
        yield piece.effect(Kind.AGENT_WRITE, pipe.line, what=agent[0], host=destination(text))
    guard = _GUARD.search(text)
    if guard:
        yield piece.effect(Kind.GUARD_OFF, pipe.line, what=guard[0])
    if _DESTROY.search(text) or _wide_removal(pipe):
        yield piece.effect(Kind.DESTROY, pipe.line, what=text[:80])


def _written(pipe: Pipeline) -> str:
    """The places a pipeline writes to."""
    places = [match[1] for match in _REDIRECT.finditer(pipe.text) if match[1] != "/dev/null"]
    for command in pipe.commands:
        inplace = command.name == "sed" and "-i" in command.text
        if command.name in ("cp", "mv", "install", "ln", "tee") or inplace:
            places.append(command.words[-1])
    return " ".join(places)


def _wide_removal(pipe: Pipeline) -> bool:
    for command in pipe.commands:
        words = command.words[1:]
        flags = "".join(w for w in words if w.startswith("-"))
        targets = [w for w in words if not w.startswith("-")]
        if (
            command.name in ("rm", "shred", "remove-item", "del", "rmdir")
            and ("r" in flags.lower() or command.name == "shred")
            and any(_WIDE.fullmatch(t) for t in targets)
        ):
            return True
        if command.name == "find" and ("-delete" in words or "rm" in words):
            return (
                bool(targets) and bool(_WIDE.fullmatch(targets[0])) and targets[0] not in (".", "*")
            )
    return False
