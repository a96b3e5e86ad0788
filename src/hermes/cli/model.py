"""`hermes model`: which model is used, which could be, and how to get one that needs no key."""

from __future__ import annotations

from argparse import ArgumentParser

from hermes.cli.command import Call, Command

_MIB = 1 << 20


def show_models(call: Call) -> None:
    """`hermes model list`."""
    from hermes.app.models import list_models

    listed = list_models(call.settings)
    if call.json:
        call.out.json([{**_plain(one), "ready": not one.lacks} for one in listed])
        return
    columns = ("MODEL", "WHAT", "SIZE", "MISSING")
    rows = [(one.model, one.kind, _size(one.size), one.lacks or None) for one in listed]
    call.out.table(columns, rows, empty="no models")
    if call.settings.model is None:
        call.out.note("none is configured: `hermes model use NAME` chooses one")


def pull(call: Call) -> None:
    """`hermes model pull`."""
    from hermes.app.models import pull_model, pull_size

    name = call.args.name and call.args.name.removeprefix("local:").removesuffix(".gguf")
    size = pull_size(name)
    with call.out.progress("downloading", size // _MIB) as step:
        shown = 0

        def grown(so_far: int) -> None:
            nonlocal shown
            while shown < so_far // _MIB:
                shown += 1
                step()

        file = pull_model(call.settings, name, say=call.out.note, grown=grown)
    if call.json:
        call.out.json({"model": f"local:{file.stem}", "file": str(file)})
    else:
        call.out.line(f"{file} is here; `hermes model use local:{file.stem}` uses it")


def use(call: Call) -> None:
    """`hermes model use`: nothing is changed where the model could not be built."""
    from hermes.app.models import usable_name
    from hermes.cli.config import write_setting

    write_setting(call, "model", usable_name(call.settings, call.args.name))


def _plain(listed: object) -> dict[str, object]:
    return {name: getattr(listed, name) for name in ("model", "kind", "size", "lacks")}


def _size(size: int | None) -> str | None:
    if size is None:
        return None
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.1f} MB"


def _optional_name(parser: ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="the default one unless given")


def _name(parser: ArgumentParser) -> None:
    parser.add_argument(
        "name",
        metavar="NAME",
        help="openai:NAME, anthropic:NAME, ollama:NAME, local:NAME, or openai:NAME@http://HOST/v1",
    )


COMMAND = {
    "list": Command(
        run=show_models,
        json=True,
        summary="the configured model, the files that are here, and what can be pulled",
        example="hermes model list",
    ),
    "pull": Command(
        run=pull,
        arguments=_optional_name,
        json=True,
        summary="get a model file that works without a key; may be broken off and repeated",
        example="hermes model pull",
    ),
    "use": Command(
        run=use,
        arguments=_name,
        json=True,
        summary="use this model from now on, if its key or file is here",
        example="hermes model use openai:qwen3@http://127.0.0.1:8080/v1",
    ),
}
