"""Origin: who or what wrote a version. Provenance starts here."""

from __future__ import annotations

from enum import StrEnum


class Origin(StrEnum):
    """UNKNOWN is a change on disk that appeared while an agent ran: it could be anybody's."""

    USER = "user"
    REQUESTED_BY_USER = "requested_by_user"
    ASSISTANT_TOOL = "assistant_tool"
    BACKGROUND_REVIEW = "background_review"
    EXTRACT = "extract"
    REFINE = "refine"
    CURATE = "curate"
    COMPILE = "compile"
    HUB = "hub"
    BUNDLED = "bundled"
    EXTERNAL = "external"
    UNKNOWN = "unknown"


AGENT_ORIGINS = frozenset(
    {
        Origin.REQUESTED_BY_USER,
        Origin.ASSISTANT_TOOL,
        Origin.BACKGROUND_REVIEW,
        Origin.EXTRACT,
        Origin.REFINE,
        Origin.CURATE,
        Origin.COMPILE,
    }
)
"""Written by a machine. A pinned skill refuses these, whatever the policy."""
