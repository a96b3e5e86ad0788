"""A model string → a pydantic-ai model that is ready to be asked.

pydantic-ai and a provider's client cost more than a second to import, so each is imported when a
model of that provider is built. Their own reading of the environment is never used: everything
they need is handed to them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hermes.models.access import ModelAccess, checked
from hermes.models.names import LOCAL, ModelName

if TYPE_CHECKING:
    from pydantic_ai.models import Model
    from pydantic_ai.profiles import ModelProfile
    from pydantic_ai.settings import ModelSettings

_NO_KEY = "none"  # the clients insist on one; a server of one's own does not look at it


def build(
    model: str, access: ModelAccess, *, note: Callable[[str], None] = lambda _: None
) -> Model:
    """The model, with our errors and retries; `note` is told of every wait.

    Nothing is sent and no file is loaded yet. What is missing is a ConfigError, MissingPart or
    NotFound that says so.
    """
    name = checked(model, access)
    if name.provider == LOCAL:
        return _local(name, access)
    from hermes.models.resilient import ResilientModel

    return ResilientModel(_remote(name, access), name, note)


def _remote(name: ModelName, access: ModelAccess) -> Model:
    key = access.keys.get(name.provider) if name.may_see_key else None
    if name.provider == "anthropic":
        # It keeps a prompt only where it is asked to, and the next turn begins with this one.
        return _anthropic(name, key or _NO_KEY, {**_settings(access), "cache": True})
    return _openai(name, key or _NO_KEY, _settings(access))


def _settings(access: ModelAccess) -> ModelSettings:
    return {"timeout": access.answer_timeout_s, "max_retries": 0}


def _openai(name: ModelName, key: str, settings: ModelSettings) -> Model:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles import merge_profile
    from pydantic_ai.profiles.openai import OpenAIModelProfile

    from hermes.models.openai_client import PlainClient
    from hermes.models.schemas_once import walked_once

    client = PlainClient(base_url=name.base_url, api_key=key)
    # A stream that just stops would otherwise be taken for an answer.
    says_its_end = OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True)

    def profile(usual: ModelProfile) -> ModelProfile:
        return walked_once(merge_profile(usual, says_its_end))

    if name.provider == "ollama":
        from pydantic_ai.models.ollama import OllamaModel
        from pydantic_ai.providers.ollama import OllamaProvider

        ollama = OllamaProvider(openai_client=client)
        return OllamaModel(name.name, provider=ollama, settings=settings, profile=profile)
    if name.own_server:
        from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

        other = OpenAICompatibleProvider("own-server", openai_client=client)
        return OpenAIChatModel(name.name, provider=other, settings=settings, profile=profile)
    from pydantic_ai.providers.openai import OpenAIProvider

    openai = OpenAIProvider(openai_client=client)
    return OpenAIChatModel(name.name, provider=openai, settings=settings, profile=profile)


def _anthropic(name: ModelName, key: str, settings: ModelSettings) -> Model:
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    from hermes.models.schemas_once import walked_once

    provider = AnthropicProvider(base_url=name.base_url, api_key=key)
    return AnthropicModel(name.name, provider=provider, settings=settings, profile=walked_once)


def _local(name: ModelName, access: ModelAccess) -> Model:
    from hermes.models.local.engine import shared_engine
    from hermes.models.local.model import LocalModel

    engine = shared_engine(
        access.file_of(name), context_tokens=access.context_tokens, threads=access.threads
    )
    return LocalModel(name.name, engine)
