"""What a pattern is called and when it applies, from the words of its requests.

Names are those of a class of tasks. Values of one case (files, dates, numbers, months, people) are
never part of them. Only the users' own requests are read here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from hermes.rules.mine.word_sets import words as word_set
from hermes.rules.mine.worked import PLACEHOLDER
from hermes.rules.names import suggest_name
from hermes.rules.similarity.tokens import tokens, words_by_token

_SHARED = 0.6
_MOST_IN_NAME = 4
_MOST_TRIGGERS = 8
_LONGEST_INTENT = 300
_TIMES = word_set(
    "january february march april june july august september october november december jan feb mar "
    "apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday "
    "today tomorrow yesterday q1 q2 q3 q4"
)
_EMPTY = word_set(
    "please file files give get make want new also using use one two three put show tell thanks "
    "much many some all into each every per here name called save write read it them result "
    "results output input folder "
    "directory"
)
_FILE = re.compile(r"[\w./<>-]*[\w>]\.[A-Za-z]\w{0,5}\b|\S*/\S*|`[^`]*`")
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
_CASE = re.compile(
    rf"(?<![\w/.])[\w./-]*\w\.(?:[a-z]\w{{1,4}})\b|\b\d{{4}}-\d{{2}}(?:-\d{{2}})?\b|"
    rf"\b{_MONTH}(?: \d{{4}})?\b|\b[A-Z]{{2,}}-\d+\b|#\d+\b|\bQ[1-4](?: \d{{4}})?\b"
)
_ASKING = re.compile(r"^(?:(?:hi|hey|hello|please|can you|could you|would you)\b[ ,]*)+", re.I)
_FIRST_PERSON = re.compile(r"\b(?:i|me|my|we|us|our)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{3,}(?:-[^\W\d_]+)*")
_DATED = re.compile(r"\b\d[\d./:-]*\b|[A-Z]{2,}-\d+|#\d+")


def shared_words(
    tasks: Sequence[str], values: Sequence[Sequence[str]], others: Sequence[str]
) -> list[str]:
    """The words that these requests have in common, the most telling first.

    `values` are the values of each: a word of one case is left out, one that most of them have
    in the names of their files belongs to the class.
    """
    if not tasks:
        return []
    named = Counter(
        term for own in values for term in {_root(one) for text in own for one in tokens(text)}
    )
    cases = {term for term, times in named.items() if times <= len(tasks) / 2 or len(tasks) == 1}
    seen: Counter[str] = Counter()
    places: dict[str, list[float]] = {}
    spelled: dict[str, Counter[str]] = {}
    for task in tasks:
        plain = _DATED.sub(" ", PLACEHOLDER.sub(" ", _FILE.sub(" ", task)))
        words = {_root(term): word.lower() for term, word in words_by_token(plain).items()}
        for at, (term, word) in enumerate(words.items()):
            if word in _TIMES | _EMPTY or term in cases or not _tells(word, plain):
                continue
            seen[term] += 1
            places.setdefault(term, []).append(at / len(words))
            spelled.setdefault(term, Counter())[word] += 1
    elsewhere = Counter(term for other in others for term in set(map(_root, tokens(other))))
    least = max(1, round(_SHARED * len(tasks)))

    def telling(term: str) -> tuple[float, float, str]:
        share = elsewhere[term] / len(others) if others else 0.0
        return (-seen[term] / len(tasks) * (1 - share), sum(places[term]) / seen[term], term)

    terms = sorted((term for term in seen if seen[term] >= least), key=telling)
    return list(dict.fromkeys(spelled[term].most_common(1)[0][0] for term in terms))


def _tells(word: str, text: str) -> bool:
    """Two letters say something where they are written as an abbreviation: PR, CI, UI."""
    if len(word) == 2:
        return word.isalpha() and re.search(rf"\b{word.upper()}\b", text) is not None
    return _WORD.fullmatch(word) is not None


def _root(term: str) -> str:
    """`monthly` and `month` are one word here."""
    return term.removesuffix("ly") if len(term) > 5 else term


def name_of(words: Sequence[str], tasks: Sequence[str], extension: str, tools: str) -> str:
    """`csv-monthly-totals`: the kind of input, then the telling words as requests order them."""
    chosen = [word for word in words if word != extension][:_MOST_IN_NAME]
    text = " ".join(tasks).lower()
    chosen.sort(key=lambda word: text.find(word))
    parts = [extension] if extension else []
    return suggest_name("-".join([*parts, *chosen]) if chosen else f"{extension} {tools} procedure")


def extension_of(values: Sequence[str], share: float = 1.0) -> str:
    """The kind of file that this share of the paths name; empty where they do not agree."""
    kinds = Counter(PurePosixPath(value).suffix.lstrip(".").lower() for value in values)
    kind, times = kinds.most_common(1)[0] if kinds else ("", 0)
    return kind if kind.isalpha() and times >= share * len(values) else ""


def shared_cases(tasks: Sequence[str]) -> frozenset[str]:
    """Files and dates that every request names: they belong to the class, not to a case."""
    if len(tasks) < 2:
        return frozenset()
    return frozenset.intersection(*(frozenset(_CASE.findall(task)) for task in tasks))


def intent_of(task: str, values: Mapping[str, str], shared: frozenset[str]) -> str:
    """A request with its own values replaced by what they stand for."""
    text = _ASKING.sub("", " ".join(task.split()))
    for value, name in sorted(values.items(), key=lambda item: -len(item[0])):
        if len(value) < 2 and not value.isdigit():
            continue
        stands_for = name.upper() if value.isdigit() else f"the {name.replace('_', ' ')}"
        stands_for = re.sub(r"^the (input|output) path", r"the \1 file", stands_for)
        text = re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", stands_for, text)
    text = PLACEHOLDER.sub(lambda found: f"the {found[0].strip('<>').rsplit('_', 1)[0]}", text)
    text = _CASE.sub(lambda found: found[0] if found[0] in shared else _unnamed(found[0]), text)
    text = re.sub(r"\bthe the\b", "the", text)
    text = re.sub(r"\b(\w+) the \1\b", r"the \1", text)
    text = text[:1].upper() + text[1:]
    if len(text) > _LONGEST_INTENT:
        text = text[:_LONGEST_INTENT].rsplit(" ", 1)[0] + " …"
    return text


def _unnamed(case: str) -> str:
    """A value of one case that no parameter stands for."""
    return "a file" if re.search(r"\.[A-Za-z]", case) else "…"


def reads_badly(text: str) -> bool:
    """As the description of a class of requests: in the first person, or put as a question."""
    return speaks_of_itself(text) or "?" in text


def speaks_of_itself(text: str) -> bool:
    """In the first person: a request, but nothing that describes a class of them."""
    return _FIRST_PERSON.search(text) is not None


def triggers_of(words: Sequence[str], intents: Sequence[str], extension: str) -> tuple[str, ...]:
    """When to use it: the words that tell it from other work, and how it was asked for."""
    found = []
    if words:
        found.append(f"The request speaks of: {', '.join(words[:_MOST_TRIGGERS])}.")
    if extension:
        found.append(f"The input is a {extension} file.")
    unlike = list(dict.fromkeys(intents))
    found += [f"Asked for like this: “{intent}”" for intent in unlike[:3]]
    return tuple(found)


def description_of(intent: str, words: Sequence[str]) -> str:
    """What it does and when to use it, in a line; without signs that some readers refuse."""
    what = intent.rstrip(" .…?!")
    if speaks_of_itself(what) and words:
        what = f"Procedure for requests about {', '.join(words[:5])}"
    what = what[:1].upper() + what[1:]
    when = f" Use when a request speaks of {', '.join(words[:5])}." if words else ""
    return re.sub(r"[<>]", "", f"{what}.{when}").replace("---", "-")[:1000]
