"""Python → effects: what its calls read, send, run and write, following values to where they go."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import replace

from hermes.rules.scan.destinations import Reach, host_of, reach_of
from hermes.rules.scan.effects import Effect, Kind, Piece, Surface
from hermes.rules.scan.holdings import AGENT_PLACE, ALL_HOME, STARTUP_PLACE
from hermes.rules.scan.lexical import lexical_effects
from hermes.rules.scan.python_flow import OPEN, Module, Origin, Taint, Taints
from hermes.rules.scan.python_text import is_network
from hermes.rules.scan.shell import destination, shell_effects

_EXECUTORS = frozenset(
    """exec eval compile os.system os.popen os.execv os.execvp os.execl os.startfile os.spawnl
    subprocess.run subprocess.call subprocess.Popen subprocess.check_output subprocess.check_call
    subprocess.getoutput subprocess.getstatusoutput pty.spawn runpy.run_path runpy.run_module
    asyncio.create_subprocess_shell asyncio.create_subprocess_exec commands.getoutput
    importlib.util.spec_from_file_location ctypes.CDLL ctypes.windll""".split()
)
_CARRYING = frozenset(
    "post put patch request send sendall sendto sendmail send_message storbinary urlopen upload get head gethostbyname getaddrinfo resolve connect create_connection Request urlretrieve upload_file".split()
)
_HEADERS = frozenset("headers auth cert cookies verify timeout proxies stream".split())
_TAKEN = {
    Origin.ENVIRONMENT: Kind.ENV_READ,
    Origin.SECRET: Kind.SECRET_READ,
    Origin.PRIVATE: Kind.PRIVATE_READ,
}
_MINUTES = re.compile(r"datetime\.|date\.today|time\.time\(|\.now\(|strftime")


def python_effects(piece: Piece) -> Iterator[Effect]:
    """The effects of a Python text; one too odd to follow is read by its words instead."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(piece.text)
        found = list(_followed(piece, tree))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        found = list(lexical_effects(piece))
    yield from found


def _followed(piece: Piece, tree: ast.Module) -> Iterator[Effect]:
    module = Module()
    module.learn(tree)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    for call in calls:
        yield from _call_effects(piece, module, call)
    yield from _taken(piece, module, tree)
    yield from _shapes(piece, module, tree, calls)


def _at(node: ast.AST) -> int:
    return max(0, getattr(node, "lineno", 1) - 1)


def _taken(piece: Piece, module: Module, tree: ast.Module) -> Iterator[Effect]:
    spoken = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    seen: set[Taint] = set()
    for node in ast.walk(tree):
        if id(node) in spoken and isinstance(node, ast.Constant):
            continue  # a docstring names things without touching them
        if isinstance(node, ast.Call | ast.Constant | ast.JoinedStr | ast.BinOp | ast.Subscript):
            for taint in module.taint_of(node) - seen:
                seen.add(taint)
                if taint.origin in _TAKEN:
                    yield piece.effect(_TAKEN[taint.origin], _at(node), what=taint.what)


def _call_effects(piece: Piece, module: Module, call: ast.Call) -> Iterator[Effect]:
    name = module.dotted(call.func)
    last = name.split(".")[-1]
    if name in _EXECUTORS or (last in ("system", "popen") and "." in name):
        yield from _execution(piece, module, call, name)
    elif last in _CARRYING and (
        is_network(name)
        or _has_url(module, call)
        or last in ("sendall", "sendto", "sendmail", "send_message", "storbinary")
    ):
        yield from _sending(piece, module, call, last)
    elif last in (
        "open",
        "write_text",
        "write_bytes",
        "copy",
        "copyfile",
        "move",
        "symlink_to",
        "touch",
        "rename",
    ):
        yield from _writing(piece, module, call, last)
    elif last in ("rmtree", "unlink", "remove") or name == "os.removedirs":
        yield from _removing(piece, module, call)
    if name == "os.dup2":
        yield piece.effect(
            Kind.REMOTE_SHELL, _at(call), what="a socket becomes the input of a shell"
        )


def _has_url(module: Module, call: ast.Call) -> bool:
    return any("://" in (module.text(arg) or "") for arg in call.args)


def _execution(piece: Piece, module: Module, call: ast.Call, name: str) -> Iterator[Effect]:
    taints: Taints = frozenset().union(*(module.taint(arg) for arg in call.args[:2]))
    line = _at(call)
    for taint in taints:
        if taint.origin is Origin.FETCHED:
            yield piece.effect(Kind.FETCH_RUN, line, what=name, host=taint.what.replace(OPEN, "x"))
        elif taint.origin is Origin.DECODED:
            yield piece.effect(Kind.DECODE_RUN, line, what=f"{name} of {taint.what}")
    text = module.text(call.args[0]) if call.args else None
    if not text:
        return
    if name in ("exec", "eval", "compile"):
        inner = replace(
            piece, text=text, line=piece.line + line, surface=Surface.DECODED, language="python"
        )
        if text != piece.text and len(text) > 12:
            yield from python_effects(inner)
        return
    inner = replace(piece, text=text.replace(OPEN, "X"), line=piece.line + line)
    yield from shell_effects(inner)
    reads = [
        effect
        for effect in shell_effects(inner)
        if effect.kind in (Kind.SECRET_READ, Kind.ENV_READ)
    ]
    if reads and isinstance(call.func, ast.Attribute):
        module.returns.setdefault("subprocess", frozenset())


def _sending(piece: Piece, module: Module, call: ast.Call, last: str) -> Iterator[Effect]:
    host = _host(module, call) or destination(module.peer.replace(OPEN, "x"))
    line = _at(call)
    body = [*call.args, *(k.value for k in call.keywords if k.arg not in _HEADERS)]
    taints: Taints = frozenset().union(*(module.taint(arg) for arg in body))
    carried: Taints = frozenset().union(
        *(module.taint(k.value) for k in call.keywords if k.arg == "headers")
    )
    keys = {t.what for t in taints if t.origin is Origin.KEY and t.what}
    if call.args and any(t.origin is Origin.DECODED for t in module.taint(call.args[0])):
        yield piece.effect(Kind.DISGUISE, line, what="the address is encoded", host=host)
    for taint in sorted(taints | carried, key=lambda t: (t.origin, t.what)):
        if taint.origin in _TAKEN and reach_of(host or "$X") is not Reach.LOCAL:
            yield piece.effect(Kind.LEAK, line, what=taint.what or taint.origin.value, host=host)
    if _foreign_keys(keys, host):
        yield piece.effect(Kind.LEAK, line, what=", ".join(sorted(keys)), host=host)
    sends = last not in ("get", "head", "urlretrieve", "connect", "create_connection") or bool(
        taints
    )
    if host and reach_of(host) is not Reach.LOCAL:
        yield piece.effect(Kind.SEND if sends else Kind.FETCH, line, host=host)


def _foreign_keys(keys: set[str], host: str) -> bool:
    """Keys of several makers, or a key that has nothing to do with the host it is sent to."""
    if not host or reach_of(host) in (Reach.LOCAL, Reach.CHOSEN):
        return False
    makers = {key.split("_")[0].lower() for key in keys if key not in ("?", ".env")}
    strangers = {maker for maker in makers if maker not in host_of(host)}
    return ".env" in keys or len(strangers) > 1


def _host(module: Module, call: ast.Call) -> str:
    said = [
        module.text(node) or ""
        for node in [
            *call.args,
            *(k.value for k in call.keywords if k.arg in ("url", "host", "hostname")),
        ]
    ]
    if isinstance(call.func, ast.Attribute):
        said.append(module.text(call.func.value) or "")
    nested = [arg for arg in call.args if isinstance(arg, ast.Call | ast.Name)]
    for arg in nested:
        source = module.taint(arg)
        said += [t.what for t in source if t.origin is Origin.FETCHED]
        if isinstance(arg, ast.Call):
            said += [module.text(inner) or "" for inner in arg.args]
    return destination(" ".join(said).replace(OPEN, "x"))


def _writing(piece: Piece, module: Module, call: ast.Call, last: str) -> Iterator[Effect]:
    said = " ".join(filter(None, (module.text(arg) for arg in call.args)))
    mode = " ".join(
        arg.value
        for arg in call.args
        if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
    )
    if isinstance(call.func, ast.Attribute):
        said += " " + (module.text(call.func.value) or "")
    if last == "open" and not re.search(r"(?:^|\s)[rb]?[wax]\+?b?(?:\s|$)", mode):
        return
    if STARTUP_PLACE.search(said):
        yield piece.effect(Kind.STARTUP, _at(call), what=said[:80])
    if AGENT_PLACE.search(said):
        yield piece.effect(Kind.AGENT_WRITE, _at(call), what=said[:80])


def _removing(piece: Piece, module: Module, call: ast.Call) -> Iterator[Effect]:
    said = " ".join(ast.unparse(arg) for arg in call.args)
    taints: Taints = frozenset().union(*(module.taint(arg) for arg in call.args), frozenset())
    if ALL_HOME.search(f" {said}") or Taint(Origin.PRIVATE, "the home folder") in taints:
        yield piece.effect(Kind.DESTROY, _at(call), what=f"removal of {said[:60]}")


def _shapes(
    piece: Piece, module: Module, tree: ast.Module, calls: list[ast.Call]
) -> Iterator[Effect]:
    """What only several parts together show."""
    names = {module.dotted(call.func) for call in calls}
    text = piece.text
    if "pty.spawn" in names and any("socket" in name for name in names):
        yield piece.effect(Kind.REMOTE_SHELL, what="pty.spawn on a socket")
    if re.search(r"cmdclass\s*=", text) and names & _EXECUTORS:
        yield piece.effect(Kind.INSTALL_HOOK, what="setup.py runs a program during installation")
    home = any(
        t == Taint(Origin.PRIVATE, "the home folder")
        for found in module.taints.values()
        for t in found
    )
    if home and re.search(r"Fernet|AES\.new|encrypt\(", text) and re.search(r"write|rename", text):
        yield piece.effect(Kind.DESTROY, what="encrypts the files of the home folder")
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.If)
            and _MINUTES.search(ast.unparse(node.test))
            and re.search(r"20\d\d|\d{10}", ast.unparse(node.test))
        ):
            yield piece.effect(Kind.TRIGGER, _at(node), what=ast.unparse(node.test)[:60])
        if isinstance(node, ast.While) and _commands_from_outside(piece, module, node):
            yield piece.effect(
                Kind.REMOTE_SHELL, _at(node), what="a loop runs commands it receives"
            )
        if isinstance(node, ast.Call) and _disguised(module, node):
            yield piece.effect(Kind.DISGUISE, _at(node), what=ast.unparse(node)[:60])


def _commands_from_outside(piece: Piece, module: Module, loop: ast.While) -> bool:
    run = (
        node
        for node in ast.walk(loop)
        if isinstance(node, ast.Call) and module.dotted(node.func) in _EXECUTORS
    )
    arguments = (argument for node in run for argument in node.args)
    return any(t.origin is Origin.FETCHED for arg in arguments for t in module.taint(arg))


def _disguised(module: Module, call: ast.Call) -> bool:
    """A name put together from parts, where anybody honest would write the name."""
    name = module.dotted(call.func)
    if name in ("getattr", "builtins.getattr") and len(call.args) > 1:
        wanted = call.args[1]
        return not isinstance(wanted, ast.Constant | ast.Name | ast.Attribute) and module.text(wanted) in (
            "system", "exec", "eval", "popen", "run", "Popen", "__import__", "loads", "b64decode",
        )  # fmt: skip
    if name == "__import__" and call.args:
        return not isinstance(call.args[0], ast.Constant | ast.Name)
    return False
