"""A tool's schema is made fit for the provider once, and arrives as it would have anyway."""

from __future__ import annotations

from typing import Any

from pydantic_ai.profiles import JsonSchemaTransformer, ModelProfile
from pydantic_ai.profiles.openai import OpenAIJsonSchemaTransformer

from hermes.models.schemas_once import walked_once

LOOSE = {"type": "object", "properties": {"a": {"type": "string", "default": "b", "title": "A"}}}
STRICT = {
    "type": "object",
    "properties": {"a": {"type": "string"}},
    "required": ["a"],
    "additionalProperties": False,
}


def remembering(transformer: type[JsonSchemaTransformer]) -> type[JsonSchemaTransformer]:
    found = walked_once(ModelProfile(json_schema_transformer=transformer))
    remembered = found["json_schema_transformer"]
    assert remembered is not None
    return remembered


def walked(transformer: type[JsonSchemaTransformer], schema: dict[str, Any]) -> tuple[Any, bool]:
    walker = transformer(schema)
    return walker.walk(), walker.is_strict_compatible


def test_each_time_it_is_what_the_provider_needs() -> None:
    once = remembering(OpenAIJsonSchemaTransformer)
    for schema in (LOOSE, STRICT, LOOSE, STRICT):
        assert walked(once, schema) == walked(OpenAIJsonSchemaTransformer, schema)


def test_a_schema_is_walked_through_once() -> None:
    seen: list[dict[str, Any]] = []

    class Counting(OpenAIJsonSchemaTransformer):
        def walk(self) -> dict[str, Any]:
            seen.append(self.schema)
            return super().walk()

    once = remembering(Counting)
    for schema in (LOOSE, STRICT, dict(LOOSE), LOOSE):
        walked(once, schema)
    assert seen == [LOOSE, STRICT]


def test_strictness_that_was_asked_for_is_told_apart() -> None:
    once = remembering(OpenAIJsonSchemaTransformer)
    once(LOOSE, strict=None).walk()
    strict = once(LOOSE, strict=True).walk()
    assert strict == OpenAIJsonSchemaTransformer(LOOSE, strict=True).walk()
    assert strict != once(LOOSE, strict=None).walk()


def test_a_profile_without_a_transformer_stays_as_it_is() -> None:
    profile = ModelProfile(json_schema_transformer=None)
    assert walked_once(profile) is profile
