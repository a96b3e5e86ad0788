"""What a Python expression holds: text that can be worked out, and where its value came from.

A reader, not an interpreter: names are followed through a module in the order they are written, a
few rounds, so that a value made in one function and sent in another is still known. What cannot be
worked out is left open, never guessed.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from enum import StrEnum

from hermes.rules.scan.holdings import ALL_HOME, ENV_FILE, KEY_NAME, SECRET_PLACE
from hermes.rules.scan.python_text import METHODS, decoded, is_network

OPEN = "\0"  # stands for a part of a text that is not known before it runs
MAX_TEXT = 20_000


class Origin(StrEnum):
    ENVIRONMENT = "the environment"
    KEY = "a key"
    SECRET = "a credential file"
    PRIVATE = "private data"
    FETCHED = "the network"
    DECODED = "a decoded text"


@dataclass(frozen=True, slots=True)
class Taint:
    origin: Origin
    what: str = ""


Taints = frozenset[Taint]
NONE: Taints = frozenset()

_DECODING = frozenset(
    """base64.b64decode base64.b32decode base64.b16decode base64.b85decode base64.a85decode
    base64.urlsafe_b64decode base64.decodebytes binascii.unhexlify binascii.a2b_base64
    bytes.fromhex zlib.decompress gzip.decompress bz2.decompress lzma.decompress marshal.loads
    codecs.decode pickle.loads""".split()
)
_PRIVATE_CALLS = frozenset(
    """pyperclip.paste PIL.ImageGrab.grab ImageGrab.grab pyautogui.screenshot mss.mss
    win32clipboard.GetClipboardData pynput.keyboard.Listener keyboard.record keyboard.on_press
    browser_cookie3.load browser_cookie3.chrome browser_cookie3.firefox keyring.get_password""".split()
)
_MODULES = frozenset(
    ["os", "subprocess", "builtins", "requests", "httpx", "urllib", "socket", "base64", "pty"]
)
_CONNECTING = frozenset(
    "connect create_connection HTTPSConnection HTTPConnection SMTP SMTP_SSL FTP FTP_TLS".split()
)
_GETTERS = frozenset("get post request urlopen urlretrieve recv recvfrom".split())


@dataclass
class Module:
    """What is known of the names of one file."""

    aliases: dict[str, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    taints: dict[str, Taints] = field(default_factory=dict)
    returns: dict[str, Taints] = field(default_factory=dict)
    opened: dict[str, str] = field(default_factory=dict)
    peer: str = ""

    def learn(self, tree: ast.AST) -> None:
        """Follow every assignment; a few rounds reach a fixed point in all ordinary code."""
        for _ in range(3):
            before = (len(self.taints), sum(map(len, self.taints.values())), len(self.returns))
            for node in ast.walk(tree):
                self._learn_node(node)
            if before == (len(self.taints), sum(map(len, self.taints.values())), len(self.returns)):
                break

    def _learn_node(self, node: ast.AST) -> None:
        match node:
            case ast.Import(names=names):
                for name in names:
                    self.aliases[name.asname or name.name.split(".")[0]] = (
                        name.name if name.asname else name.name.split(".")[0]
                    )
            case ast.ImportFrom(module=str(module), names=names):
                for name in names:
                    self.aliases[name.asname or name.name] = f"{module}.{name.name}"
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._bind(target, value)
            case (
                ast.AnnAssign(target=target, value=ast.expr() as value)
                | ast.NamedExpr(target=target, value=value)
            ):
                self._bind(target, value)
            case ast.AugAssign(target=target, value=value):
                self._bind(target, value, add=True)
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                self._bind(target, value, loop=True)
            case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
                self._bind(target, value)
                self._remember_opened(target, value)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                self._learn_function(name, node)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr), args=[*args]) if (
                attr in ("append", "extend", "update", "add", "write", "insert", "setdefault")
            ):
                found = frozenset().union(*(self.taint(arg) for arg in args))
                self._taint(name, found)
                self._taint(self.opened.get(name, name), found)
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="write_bytes" | "write_text"),
                args=[arg, *_],
            ):
                self._taint(name, self.taint(arg))
            case ast.Call(func=func, args=[source, ast.Name(id=name), *_]) if self.dotted(
                func
            ).endswith("urlretrieve"):
                self._taint(name, frozenset({Taint(Origin.FETCHED, self.text(source) or "")}))
            case ast.Call(func=func, args=[address, *_]) if (
                self.dotted(func).split(".")[-1] in _CONNECTING
            ):
                self.peer = self.peer or (self.text(address) or "")
            case ast.Call(func=ast.Name(id=name), args=args):
                self._pass_arguments(name, args)

    def _remember_opened(self, target: ast.expr, value: ast.expr) -> None:
        """What is written through a handle ends up in the file it was opened on."""
        if isinstance(target, ast.Name) and isinstance(value, ast.Call) and value.args:
            named = isinstance(value.func, ast.Name)
            first = value.args[0] if named else getattr(value.func, "value", None)
            if isinstance(first, ast.Name):
                self.opened[target.id] = first.id

    def _learn_function(self, name: str, node: ast.AST) -> None:
        found: Taints = NONE
        for inner in ast.walk(node):
            if isinstance(inner, ast.Return | ast.Yield) and inner.value is not None:
                found |= self.taint(inner.value)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            self.texts.setdefault(f"{name}()", ",".join(arg.arg for arg in node.args.args))
        if found:
            self.returns[name] = self.returns.get(name, NONE) | found

    def _pass_arguments(self, name: str, args: list[ast.expr]) -> None:
        """A tainted argument taints the parameter of the function it is given to."""
        parameters = self.texts.get(f"{name}()", "").split(",")
        for parameter, arg in zip(parameters, args, strict=False):
            if parameter:
                self._taint(parameter, self.taint(arg))

    def _bind(
        self, target: ast.expr, value: ast.expr, *, add: bool = False, loop: bool = False
    ) -> None:
        names = [node.id for node in ast.walk(target) if isinstance(node, ast.Name)]
        if isinstance(target, ast.Attribute):
            names = [target.attr]
        text, taints = self.text(value), self.taint(value)
        if isinstance(value, ast.Name | ast.Attribute) and len(names) == 1:
            self._alias(names[0], self.dotted(value))
        for name in names:
            if text is not None and (add or name not in self.texts or not loop):
                known = self.texts.get(name, "") if add else ""
                self.texts[name] = (known + text)[:MAX_TEXT]
            self._taint(name, taints)

    def _alias(self, name: str, dotted: str) -> None:
        """`run = subprocess.run` is a second name for it."""
        if dotted.split(".")[0] in _MODULES and name not in self.aliases:
            self.aliases[name] = dotted

    def _taint(self, name: str, taints: Taints) -> None:
        if taints:
            self.taints[name] = self.taints.get(name, NONE) | taints

    def dotted(self, node: ast.AST) -> str:
        """`os.environ` for what is called that here, whatever it was imported as."""
        match node:
            case ast.Name(id=name):
                return self.aliases.get(name, name)
            case ast.Attribute(value=value, attr=attr):
                return f"{self.dotted(value)}.{attr}"
            case ast.Call(func=func, args=args):
                called = self.dotted(func)
                if called in ("__import__", "importlib.import_module") and args:
                    return (self.text(args[0]) or "?").replace(OPEN, "?")
                if called == "getattr" and len(args) > 1:
                    return f"{self.dotted(args[0])}.{self.text(args[1]) or '?'}"
                return called + "()"
        return "?"

    def text(self, node: ast.AST) -> str | None:
        """The text an expression gives, with `OPEN` for what is not known; None when not a text."""
        match node:
            case ast.Constant(value=str(value)):
                return value[:MAX_TEXT]
            case ast.Constant(value=bytes(value)):
                return value[:MAX_TEXT].decode("utf-8", "replace")
            case ast.Name(id=name):
                return self.texts.get(name)
            case ast.BinOp(left=left, op=ast.Add() | ast.Div() as op, right=right):
                return self._joined(left, right, "/" if isinstance(op, ast.Div) else "")
            case ast.BinOp(left=left, op=ast.Mod()):
                return self.text(left)
            case ast.JoinedStr(values=values):
                return "".join(self._part(value) for value in values)[:MAX_TEXT]
            case ast.List(elts=elts) | ast.Tuple(elts=elts) | ast.Set(elts=elts):
                return self._listed(elts)
            case ast.Subscript(value=value, slice=ast.Slice(step=ast.UnaryOp())):
                known = self.text(value)
                return known[::-1] if known else None
            case ast.Call():
                return self._called_text(node)
        return None

    def _joined(self, left: ast.expr, right: ast.expr, between: str) -> str | None:
        a, b = self.text(left), self.text(right)
        if a is None and b is None:
            return None
        return ((OPEN if a is None else a) + between + (OPEN if b is None else b))[:MAX_TEXT]

    def _part(self, node: ast.expr) -> str:
        if isinstance(node, ast.FormattedValue):
            known = self.text(node.value)
            return OPEN if known is None else known
        return self.text(node) or ""

    def _listed(self, elts: list[ast.expr]) -> str | None:
        known = [text for text in map(self.text, elts[:400]) if text]
        if known:
            return " ".join(known)
        numbers = [
            e.value for e in elts[:4000] if isinstance(e, ast.Constant) and isinstance(e.value, int)
        ]
        if len(numbers) > 3 and len(numbers) == len(elts) and all(9 <= n < 1114 for n in numbers):
            return "".join(map(chr, numbers))
        return None

    def _called_text(self, node: ast.Call) -> str | None:
        name = self.dotted(node.func)
        args = [self.text(arg) for arg in node.args]
        first = args[0] if args else None
        if isinstance(node.func, ast.Attribute):
            base = self.text(node.func.value)
            method = METHODS.get(node.func.attr)
            if method and base is not None:
                return method(base, [arg or "" for arg in args])
            if node.func.attr in (
                "decode",
                "encode",
                "strip",
                "lower",
                "read",
                "resolve",
                "absolute",
            ):
                return base
        if name in _DECODING and first and OPEN not in first:
            return decoded(name, first)
        if name == "chr" and node.args and isinstance(node.args[0], ast.Constant):
            return _character(node.args[0].value)
        if name.endswith(("Path", "expanduser", "expandvars", "str", "bytes", "URI", "abspath")):
            return first
        if name.endswith(("Path.home", "Path.home()")):
            return "~"
        if name.endswith("join") and any(args):
            return "/".join(arg or OPEN for arg in args)
        return None

    def taint(self, node: ast.AST) -> Taints:
        """Where the value of an expression came from."""
        found: set[Taint] = set()
        for inner in ast.walk(node):
            found |= self.taint_of(inner)
        return frozenset(found)

    def taint_of(self, node: ast.AST) -> Taints:
        """What this one node brings in, without what is inside it."""
        match node:
            case ast.Name(id=name) if name in self.taints:
                return self.taints[name]
            case ast.Call():
                return self._call_taint(node)
            case ast.Subscript(value=value, slice=key) if self.dotted(value) == "os.environ":
                return frozenset({self._variable(key)})
            case ast.Attribute() | ast.Name() if self.dotted(node) in ("os.environ", "os.environb"):
                return frozenset({Taint(Origin.KEY, "?")})
            case ast.Constant(value=str(text)) | ast.Constant(value=bytes(text)):
                return self._place_taint(
                    text if isinstance(text, str) else text.decode("utf-8", "replace")
                )
            case ast.BinOp() | ast.JoinedStr():
                return self._place_taint(self.text(node) or "")
        return NONE

    def _place_taint(self, text: str) -> Taints:
        place = SECRET_PLACE.search(text)
        if place:
            return frozenset({Taint(Origin.SECRET, place[0].strip())})
        if len(text) < 60 and ENV_FILE.search(text):
            return frozenset({Taint(Origin.KEY, ".env")})
        return NONE

    def _variable(self, key: ast.AST) -> Taint:
        name = self.text(key)
        if name is None:
            return Taint(Origin.ENVIRONMENT, "os.environ")
        return Taint(Origin.KEY, name if KEY_NAME.search(name) else "")

    def _call_taint(self, node: ast.Call) -> Taints:
        name = self.dotted(node.func)
        if name in ("os.getenv", "os.environ.get", "os.environ.pop") and node.args:
            return frozenset({self._variable(node.args[0])})
        if name.startswith("os.environ.") or (
            name
            in (
                "dict",
                "json.dumps",
                "str",
                "repr",
                "list",
                "sorted",
                "pickle.dumps",
                "print",
                "pprint.pformat",
            )
            and any(
                self.dotted(arg) in ("os.environ", "dict()") and "os.environ" in ast.unparse(arg)
                for arg in node.args
            )
        ):
            return frozenset({Taint(Origin.ENVIRONMENT, "os.environ")})
        if name in _DECODING:
            return frozenset({Taint(Origin.DECODED, name)})
        if name in _PRIVATE_CALLS:
            return frozenset({Taint(Origin.PRIVATE, name)})
        if self._walks_home(name, node):
            return frozenset({Taint(Origin.PRIVATE, "the home folder")})
        if isinstance(node.func, ast.Name) and node.func.id in self.returns:
            return self.returns[node.func.id]
        if name.split(".")[-1] in _GETTERS and is_network(name):
            host = self.text(node.args[0]) if node.args else None
            return frozenset({Taint(Origin.FETCHED, host or "")})
        return NONE

    def _walks_home(self, name: str, node: ast.Call) -> bool:
        if not name.endswith(
            (".walk", ".rglob", ".glob", "glob.glob", ".scandir", ".listdir", ".iterdir")
        ):
            return False
        said = ast.unparse(node)
        return (
            bool(ALL_HOME.search(said)) or "expanduser('~')" in said or "Path.home().rglob" in said
        )


def _character(value: object) -> str | None:
    return chr(value % 0x110000) if isinstance(value, int) else None
