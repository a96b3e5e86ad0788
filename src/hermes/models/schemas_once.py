"""The schemas of tools, made fit for a provider once and not before every request.

pydantic-ai walks through the schema of every tool each time it asks, though the tools of a session
hardly ever change; with a dozen of them that takes longer than looking at the library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hermes.ids import canonical_json

if TYPE_CHECKING:
    from pydantic_ai.profiles import JsonSchemaTransformer, ModelProfile

_REMEMBERED = 256  # schemas; the programs of skills come and go


def walked_once(profile: ModelProfile) -> ModelProfile:
    """The same profile, whose schemas are remembered once they were walked through."""
    transformer = profile.get("json_schema_transformer")
    if transformer is None:
        return profile
    return {**profile, "json_schema_transformer": _remembering(transformer)}


def _remembering(transformer: type[JsonSchemaTransformer]) -> type[JsonSchemaTransformer]:
    walked: dict[str, tuple[dict[str, Any], bool]] = {}

    class Remembering(transformer):  # type: ignore[misc, valid-type]  # each provider has its own
        is_strict_compatible: bool

        def walk(self) -> dict[str, Any]:
            """Nobody changes what was walked through, so everybody gets the same."""
            key = canonical_json([self.schema, self.strict])
            if key not in walked:
                if len(walked) >= _REMEMBERED:
                    walked.clear()
                walked[key] = super().walk(), self.is_strict_compatible
            schema, self.is_strict_compatible = walked[key]
            return schema

    return Remembering
