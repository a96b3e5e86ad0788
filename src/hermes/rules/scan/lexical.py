"""Any other language → effects, by the calls and places its text names.

For languages without a parser at hand. Values are not followed: that a secret is read and a host
is written to in one file is told as two effects, and the judge weighs that they occur together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from hermes.rules.scan.destinations import Reach, reach_of, urls
from hermes.rules.scan.effects import Effect, Kind, Piece, Surface
from hermes.rules.scan.holdings import (
    AGENT_PLACE,
    ALL_HOME,
    ENV_FILE,
    KEY_NAME,
    SECRET_PLACE,
    STARTUP_PLACE,
)
from hermes.rules.scan.shell import destination, shell_effects

_ENV_ALL = re.compile(
    r"JSON\.stringify\([^)]*process\.env(?![.\[\w])|Object\.(?:entries|keys|values|assign)\([^)]*process\.env(?![.\[\w])|"
    r"[:(,=]\s*process\.env\s*[,})]|\bENV\.(?:to_h|to_a|map|each|inspect)|os\.Environ\(\)|System\.getenv\(\)|"
    r"Get-ChildItem\s+env:|\bgetenv\(\)\s*;|%ENV\b|GetEnvironmentVariables\(\)"
)
_ENV_NAMED = re.compile(
    r"(?:process\.env(?:\.|\[[\"'])|(?:Getenv|getenv|env::var|ENV\[|ENV\.fetch|env\.get)\(?\s*[\"']|"
    r"\$env:)([A-Z][A-Z0-9_]+)"
)


_SPAWN_ENV = re.compile(r"env\s*:\s*(?:\{\s*\.\.\.)?process\.env")
_SEND = re.compile(
    r"\bfetch\s*\(|\baxios\b|\bgot\.(?:post|put)|https?\.(?:request|get)\s*\(|\bXMLHttpRequest\b|\bsendBeacon\b|"
    r"Net::HTTP|\bHTTParty\b|Faraday|\bcurl_exec\b|file_get_contents\s*\(\s*['\"]http|Invoke-(?:RestMethod|WebRequest)|"
    r"UploadString|UploadFile|UploadData|WebClient|HttpClient|http\.Post|http\.NewRequest|reqwest|new\s+WebSocket|"
    r"\bnet\.(?:connect|createConnection|Socket)|\.connect\(\d|TCPSocket|IO::Socket|LWP::|sendMail|nodemailer|\bsocket\b",
    re.IGNORECASE,
)
_POST = re.compile(r"(?i)\b(?:post|put|body|sendBeacon|data|upload|InFile|write|sendall|send)\b")
_DYNAMIC = re.compile(
    r"\beval\s*\(|new\s+Function\s*\(|\bFunction\s*\(|vm\.run\w+|\brunInThisContext\b|\bInvoke-Expression\b|\biex\b|"
    r"\binstance_eval\b|\bclass_eval\b|\bassert\s*\(\s*\$|\bcreate_function\b|module\.constructor|_load\s*\(|loadstring\s*\(|"
    r"\bexec\s*\(",
    re.IGNORECASE,
)
_FETCH_TEXT = re.compile(
    r"\.text\(\)|\.json\(\)|responseText|DownloadString|\.on\(\s*['\"]data['\"]|open-uri|Net::HTTP\.get|\.body\b|urlopen",
    re.IGNORECASE,
)
_SPAWN = re.compile(
    r"child_process|\bexecSync\b|\bspawn(?:Sync)?\s*\(|\bexecFile\b|\bcp\.exec|Start-Process|\bsystem\s*\(|\bOpen3\b|"
    r"\bshell_exec\b|\bpopen\b|\bpassthru\b|do\s+shell\s+script|Runtime\.getRuntime|os/exec|Process\.Start|"
    r"\bsubprocess\b|os\.system|\bIO\.popen\b",
    re.IGNORECASE,
)
_DECODE = re.compile(
    r"\batob\s*\(|Buffer\.from\([^)]*['\"](?:base64|hex)['\"]|FromBase64String|Base64\.(?:strict_)?decode64|"
    r"base64_decode|fromCharCode|\bunpack\(|pack\(['\"]H\*|b64decode|\bfromhex\b|decodeURIComponent\s*\(\s*escape|gzinflate|str_rot13",
    re.IGNORECASE,
)
_RUNNER = re.compile(rf"{_DYNAMIC.pattern}|{_SPAWN.pattern}|\]\(", re.IGNORECASE)


_WRITE = re.compile(
    r"\b(?:writeFile(?:Sync)?|appendFile(?:Sync)?|createWriteStream|File\.(?:write|open)|Out-File|Add-Content|Set-Content|copyFile(?:Sync)?|file_put_contents|os\.WriteFile|write_text|Copy-Item|fs\.cp\w*)\b"
)
_HEXED = re.compile(r"(?:\\x[0-9a-fA-F]{2}){4,}|(?:\\u00[0-9a-fA-F]{2}){4,}")
_OBFUSCATED = re.compile(r"\b_0x[0-9a-f]{3,}\b")
_SHELL_ON_SOCKET = re.compile(
    r"\.pipe\(\s*\w+\.stdin\s*\)|stdin\.pipe|\.stdout\.pipe\(\s*(?:client|c|s|sock|socket|conn)\b|\bdup2\b"
)
_REMOVE = re.compile(
    r"\b(?:rmSync|rm|rmdirSync|rimraf|unlinkSync|Remove-Item|FileUtils\.rm_rf|RemoveAll)\b[^\n]*"
)
_TRIGGER = re.compile(
    r"(?:Date\.now\(\)|new\s+Date\(\)[^\n]{0,24})\s*[<>]=?\s*(?:\d{10,}|new\s+Date\(|Date\.parse)|setTimeout\([^\n]*\d{7,}|\bhostname\(\)[^\n]{0,40}(?:includes|match|test)"
)
_STRING = re.compile(r"`[^`]{9,2000}`|\"(?:[^\"\\\n]|\\.){9,2000}\"|'(?:[^'\\\n]|\\.){9,2000}'")


def lexical_effects(piece: Piece) -> Iterator[Effect]:
    """The effects a text names, each at its first line."""
    text = piece.text
    yield from _taken(piece)
    yield from _network(piece)
    yield from _dynamic(piece)
    yield from _left_behind(piece)
    if _SPAWN.search(text) or _DYNAMIC.search(text):
        for match in list(_STRING.finditer(text))[:200]:
            inner = replace(
                piece, text=match[0][1:-1], line=piece.line + _line(text, match.start())
            )
            yield from shell_effects(inner)


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at)


def _taken(piece: Piece) -> Iterator[Effect]:
    text = piece.text
    for pattern, kind in ((SECRET_PLACE, Kind.SECRET_READ), (ENV_FILE, Kind.KEY_READ)):
        for match in list(pattern.finditer(text))[:5]:
            if not _in_comment(text, match.start()):
                yield piece.effect(kind, _line(text, match.start()), what=match[0].strip())
    for match in list(_ENV_NAMED.finditer(text))[:10]:
        if KEY_NAME.search(match[1]):
            yield piece.effect(Kind.KEY_READ, _line(text, match.start()), what=match[1])
    for match in _ENV_ALL.finditer(text):
        if not _SPAWN_ENV.search(text[max(0, match.start() - 12) : match.end() + 4]):
            yield piece.effect(Kind.ENV_READ, _line(text, match.start()))
            break
    clip = re.search(
        r"(?i)navigator\.clipboard\.read|pbpaste|Get-Clipboard|xclip\s+-o|desktopCapturer|SetWindowsHookEx|GetAsyncKeyState",
        text,
    )
    if clip:
        yield piece.effect(Kind.PRIVATE_READ, _line(text, clip.start()), what=clip[0])


def _in_comment(text: str, at: int) -> bool:
    line = text[text.rfind("\n", 0, at) + 1 : at].lstrip()
    return line.startswith(("//", "#", "*", "/*"))


def _network(piece: Piece) -> Iterator[Effect]:
    text = piece.text
    call = _SEND.search(text)
    if not call:
        return
    kind = Kind.SEND if _POST.search(text) or "?" in text else Kind.FETCH
    found = {url for _, url in urls(text) if not _in_comment(text, text.find(url))}
    if not found:
        host = destination(re.sub(r"[\"'`,]", " ", text))
        found = {host} if host else set()
    order = list(Reach)
    ranked = sorted(found, key=lambda url: -order.index(reach_of(url)))
    for url in ranked[:3]:
        if reach_of(url) is not Reach.LOCAL:
            yield piece.effect(kind, _line(text, max(0, text.find(url))), host=url)


def _dynamic(piece: Piece) -> Iterator[Effect]:
    """Text that becomes code: fetched, decoded or spelled so that it cannot be read."""
    text = piece.text
    call, spawn = _DYNAMIC.search(text), _SPAWN.search(text)
    runner = call or spawn
    if call and _SEND.search(text) and _near(text, _DYNAMIC, _FETCH_TEXT, 400):
        host = _worst(url for _, url in urls(text))
        yield piece.effect(Kind.FETCH_RUN, _line(text, call.start()), what=call[0], host=host)
    if runner and _DECODE.search(text) and _near(text, _RUNNER, _DECODE, 300):
        yield piece.effect(Kind.DECODE_RUN, _line(text, runner.start()), what=runner[0])
    hexed = _HEXED.search(text) if runner else None
    if hexed and re.search(r"[a-z]{4}", re.sub(r"\\(?:x|u00)(..)", _unescaped, hexed[0])):
        yield piece.effect(Kind.DISGUISE, _line(text, hexed.start()), what="escaped characters")
    if len(_OBFUSCATED.findall(text)) > 2:
        yield piece.effect(Kind.DISGUISE, what="names made by an obfuscator")
    shell = _SHELL_ON_SOCKET.search(text) if spawn else None
    if shell and re.search(r"(?i)\bnet\b|socket", text):
        yield piece.effect(Kind.REMOTE_SHELL, _line(text, shell.start()), what=shell[0])
    downloads = _DOWNLOAD.search(text) if spawn and _SEND.search(text) else None
    if downloads and _MADE_RUNNABLE.search(text):
        host = next((url for _, url in urls(text)), "")
        what = downloads[0]
        yield piece.effect(Kind.FETCH_RUN, _line(text, downloads.start()), what=what, host=host)


_DOWNLOAD = re.compile(r"createWriteStream|DownloadFile|OutFile|writeFile")
_MADE_RUNNABLE = re.compile(r"0o?7[0-7][0-7]|chmod|detached|\.exe\b|WindowStyle")


def _unescaped(match: re.Match[str]) -> str:
    return chr(int(match[1], 16))


def _worst(found: Iterable[str]) -> str:
    order = list(Reach)
    return max(found, key=lambda url: order.index(reach_of(url)), default="")


def _near(text: str, one: re.Pattern[str], other: re.Pattern[str], distance: int) -> bool:
    places = [match.start() for match in other.finditer(text)][:50]
    return any(
        abs(match.start() - at) < distance
        for match in list(one.finditer(text))[:50]
        for at in places
    )


def _left_behind(piece: Piece) -> Iterator[Effect]:
    text = piece.text
    if _WRITE.search(text):
        for pattern, kind in ((STARTUP_PLACE, Kind.STARTUP), (AGENT_PLACE, Kind.AGENT_WRITE)):
            match = pattern.search(text)
            if match:
                yield piece.effect(kind, _line(text, match.start()), what=match[0])
    for match in _REMOVE.finditer(text):
        if ALL_HOME.search(match[0]) or "homedir()" in match[0]:
            yield piece.effect(Kind.DESTROY, _line(text, match.start()), what=match[0][:60])
    trigger = _TRIGGER.search(text)
    if trigger:
        yield piece.effect(Kind.TRIGGER, _line(text, trigger.start()), what=trigger[0][:60])
    miner = re.search(r"(?i)xmrig|stratum\+tcp|coinhive|monero|cryptonight", text)
    if miner and piece.surface is Surface.SCRIPT:
        yield piece.effect(Kind.MINE, _line(text, miner.start()), what=miner[0])
