"""Text between tags, found in one pass: a log full of tags that never close must not cost hours."""

from __future__ import annotations


def cut_out(text: str, tag: str) -> tuple[list[str], str]:
    """What stands in every `<tag>…</tag>`, and the text without them."""
    opening, closing = f"<{tag}>", f"</{tag}>"
    found, rest, at = [], [], 0
    while (start := text.find(opening, at)) >= 0:
        inner = start + len(opening)
        end = text.find(closing, inner)
        if end < 0:
            break
        rest.append(text[at:start])
        found.append(text[inner:end])
        at = end + len(closing)
    rest.append(text[at:])
    return found, "".join(rest)


def first_in(text: str, tag: str) -> str:
    """What stands in the first such tag, without the space around it."""
    found, _ = cut_out(text, tag)
    return found[0].strip() if found else ""
