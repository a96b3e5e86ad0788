"""Orders by their grammar, whatever the verb: a sentence without a subject that acts on something.

`Overwrite the certificate` begins with a word that is none of the small words of English, is no
past and no participle, and has an article behind it. In a statement a subject would stand there.
"""

from __future__ import annotations

import re

_SMALL_TEXT = """
a about above across after against all along also although am among an and another any anyone
anything are around as at because been before behind being below beneath beside besides between
beyond both but by can could despite did do does doing down during each either else even ever
every everyone everything except few for from had has have having he hence her here hers him his
how however i if in inside instead into is it its just like many may maybe me meanwhile might
mine more most much must my near neither never next no nobody none nor not nothing now of off
often on once one only onto or other others our out outside over per perhaps plus quite rather
same shall she should since so some someone something sometimes soon still such than that the
their them then there therefore these they this those though through throughout thus till to
today together tomorrow too toward towards twice under unless until unlike up upon us very via
was we were what whatever when where whereas whether which while who whom whose why will with
within without would yes yesterday yet you your came went said saw took found got gave made left
lost sent wrote ran told kept felt heard held met paid sold spent thought bought brought built
caught chose drew drove fell flew forgot grew hid knew led meant rode rose sang sat shook slept
spoke stood swam taught threw understood wore won half thanks hello hi
"""
_SMALL_WORDS = frozenset(_SMALL_TEXT.split())
_SENTENCE = re.compile(r"(?:\A|[.!?:;\n>]\s*|[-•*]\s+|\d[.)]\s+)[\"'(\[]?([A-Za-z]+)\s+(?=(\S+))")
_OBJECT = re.compile(
    r"(?i)(?:the|an?|all|any|every|each|this|that|these|those|your|my|our|their|its|it|them|me|us|"
    r"nothing|everything|whatever)\b|\S+@\S+\.\w|https?://"
)
_NO_ORDER = re.compile(r"(?i)\w+(?:ing|ed|ly|ss)\Z|\w+[^s]s\Z")
_FUNCTION_WORDS = re.compile(
    r"(?i)\b(?:the|an?|is|are|was|were|of|to|in|on|and|or|for|with|by|from|at|it|this|that|not|has|"
    r"have|had|be|as|you|we|they|he|she|i|my|our|your|no|all|after|before|"
    r"only|when|if|into|but|can|will|which)\b"
)
_WORDS = re.compile(r"[^\W\d_]{2,}")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_PLACE = re.compile(r"://|@[\w-]+\.\w|\b[\w-]+\.[a-z]{2,}\b|\b\d{1,3}(?:\.\d{1,3}){3}\b")
_IN_AN_ADDRESS = re.compile(r"/|@|\.\w")
_FEWEST_WORDS = 5


def bare_order(text: str) -> str | None:
    """The first words of a sentence that has an action and a thing, and nobody who acts."""
    for match in _SENTENCE.finditer(text):
        first, second = match[1], match[2]
        if first.lower() in _SMALL_WORDS or _NO_ORDER.match(first):
            continue
        if _OBJECT.match(second):
            return f"{first} {second}"
    return None


def is_unjudged(text: str) -> bool:
    """Names a place to send to or to fetch from, in a language that nobody here reads."""
    said = " ".join(word for word in text.split() if not _IN_AN_ADDRESS.search(word))
    foreign = len(_WORDS.findall(said)) >= _FEWEST_WORDS or _UNSPACED.search(said)
    return bool(foreign and _PLACE.search(text) and not _FUNCTION_WORDS.search(said))
