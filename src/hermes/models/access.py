"""What it takes to reach a model, and whether it is all there, before anything is imported."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass, field
from pathlib import Path

from hermes.errors import ConfigError, MissingPart, NotFound
from hermes.models.names import LOCAL, ModelName, parse

KEY_VARIABLES = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAccess:
    """Keys by provider, and how models are run. The keys show in no repr."""

    keys: dict[str, str] = field(default_factory=dict, repr=False)
    models_dir: Path
    answer_timeout_s: float = 300.0
    context_tokens: int = 8192
    threads: int | None = None

    def file_of(self, name: ModelName) -> Path:
        return self.models_dir / f"{name.name}.gguf"


def checked(model: str, access: ModelAccess) -> ModelName:
    """What the string names, if it can be built; else one line that says what is missing."""
    name = parse(model)
    if name.provider == LOCAL:
        _check_local(name, access)
    elif (
        name.provider in KEY_VARIABLES
        and not name.own_server
        and not access.keys.get(name.provider)
    ):
        raise ConfigError(
            f"{model} needs a key", hint=f"set {KEY_VARIABLES[name.provider]} in the environment"
        )
    return name


def _check_local(name: ModelName, access: ModelAccess) -> None:
    if importlib.util.find_spec("xllamacpp") is None:
        raise MissingPart(
            "models on this machine need an extra part", hint="pip install 'hermes-loop[local]'"
        )
    file = access.file_of(name)
    if not file.is_file():
        raise NotFound(
            f"there is no model file {file}",
            hint=f"`hermes model pull {name.name}`, or put a GGUF file there",
        )
