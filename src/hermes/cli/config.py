"""`hermes config`: what is set, who set it, and how to change it.

Settings come from three places, so every answer names the place; a change is checked as part of
the whole file before the file is touched.
"""

from __future__ import annotations

import fcntl
import json
import os
import stat
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from hermes.cli.command import Call, Command
from hermes.errors import ConfigError, DiskFailed
from hermes.settings import locate, private_folder


def show(call: Call) -> None:
    entries = list(call.settings.entries())
    if call.json:
        call.out.json({key: {"value": value, "source": source} for key, value, source in entries})
        return
    rows = [(key, _shown(value), source) for key, value, source in entries]
    call.out.table(("KEY", "VALUE", "SOURCE"), rows, empty="no settings")


def get(call: Call) -> None:
    """One value alone on its line, for scripts; of a section, every key with its value."""
    wanted = call.args.key
    entries = list(call.settings.entries())
    found = [entry for entry in entries if entry[0] == wanted]
    inside = [entry for entry in entries if entry[0].startswith(f"{wanted}.")]
    if not found and not inside:
        from hermes.settings.config_file import suggestion

        raise ConfigError(f"{wanted} is not a setting", hint=suggestion(wanted))
    if call.json:
        values = {key: {"value": value, "source": source} for key, value, source in found or inside}
        call.out.json(values)
    elif found:
        call.out.line(_shown(found[0][1]))
    else:
        call.out.fields((key, _shown(value)) for key, value, _ in inside)


def change(call: Call) -> None:
    """`hermes config set`."""
    import yaml

    key, text = call.args.key, call.args.value
    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError:
        raise ConfigError(f"{key}: {text!r} is not a YAML value", hint="quote it") from None
    write_setting(call, key, value)


def write_setting(call: Call, key: str, value: object) -> None:
    """Change one setting in config.yaml, and say so, also where the environment still beats it."""
    from hermes.cli.config_edit import edited
    from hermes.settings.config_file import check_value, decode, parse
    from hermes.settings.disk import content

    names = check_value(key, value)
    # Only the path: a file with a broken value can be mended from here.
    file = locate(call.environ, home=call.home).config_file
    with _locked(private_folder(file.parent)):
        old = decode(content(file) or b"", file)
        new = edited(old, names, value, file)
        try:
            parse(new, file)
        except ConfigError as error:
            raise ConfigError(f"{key} stays as it is: {error.message}", hint=error.hint) from None
        if new != old:
            _replace(file, new)
    if call.json:
        call.out.json({"file": str(file), "key": key})
    else:
        call.out.line(f"{key} is set in {file}")
    source = call.settings.sources.get(key, "")
    if source.startswith("environment:"):
        call.out.note(f"note: {source.partition(':')[2]} in the environment still beats it")


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """One writer at a time, or the later one would undo the earlier one's change."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _replace(file: Path, text: str) -> None:
    """The whole new file or the whole old one, also after a power cut; a link stays a link."""
    import tempfile

    target = file.resolve()
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o600
    try:
        descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=".config-")
        try:
            with open(descriptor, "w", encoding="utf-8", newline="") as stream:
                os.fchmod(descriptor, mode)
                stream.write(text)
                stream.flush()
                os.fsync(descriptor)
            os.replace(temporary, target)
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(temporary)
            raise
        folder = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise DiskFailed(f"{file}: cannot be written: {error.strerror}") from error


def _key(parser: ArgumentParser) -> None:
    parser.add_argument("key", metavar="KEY", help="like promote.min_examples")


def _key_and_value(parser: ArgumentParser) -> None:
    _key(parser)
    parser.add_argument("value", metavar="VALUE", help="as in YAML: 5, true, null, [a, b], text")


COMMAND = {
    "show": Command(
        run=show,
        json=True,
        summary="every setting, its value, and where it came from",
        example="hermes config show --json",
    ),
    "get": Command(
        run=get,
        arguments=_key,
        json=True,
        summary="the value of one setting, or of a section",
        example="hermes config get promote.policy",
    ),
    "set": Command(
        run=change,
        arguments=_key_and_value,
        json=True,
        summary="change one setting in config.yaml; comments and order stay",
        example="hermes config set model openai:gpt-5",
    ),
}
