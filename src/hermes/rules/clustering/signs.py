"""Words that tell two similar requests apart: what is to be done, and to which kind of file.

"Back the database up" and "bring the database back" share nearly every word, and so do "xlsx to
csv" and "json to csv". Where both requests name an act and the acts differ, or both name a format
and the formats differ, they are two intents, however near their sentences lie.
"""

from __future__ import annotations

import re

from hermes.rules.similarity.stemming import stem

_ACT_LINES = """
remove drop delete strip purge erase rid wipe clean discard scrub prune
merge combine concat concatenate join append stack unify consolidate union bundle stitch
convert transform export turn flatten
restore recover reload revert rollback undo reinstate
backup dump snapshot archive
fix repair debug resolve correct broken failing fail crash
upgrade bump update migrate
resize scale downscale enlarge thumbnail
translate localise localize
plot draw chart graph visualise visualize render
rename
summarise summarize recap digest overview summary
count sum total aggregate average
find locate search detect identify
optimise optimize speed tune accelerate faster slow
install configure
extract parse scrape
annotate
containerise containerize dockerise dockerize
compare diff
explain
encrypt decrypt
deploy release ship publish
sort order rank
split divide partition separate chop
validate verify check
monitor watch alert
send mail notify remind
download fetch upload
refactor restructure rewrite
document describe
schedule automate book
compress zip unzip
format lint prettify
rotate crop
train predict classify
renew replace swap
shorten condense trim tighten shrink
proofread spellcheck spell grammar
squash rebase
anonymise anonymize redact mask
impute interpolate fill
generate
review
"""
_OPPOSITE_LINES = """
backup back dump snapshot save | restore recover reload bring reinstate revert
merge combine concat join append bundle unify together | split separate divide chop cut break apart
encrypt | decrypt
encode | decode
compress zip pack | decompress unzip unpack
import load ingest | export
add insert introduce create write | remove delete drop strip erase failing fail broken fix
upload push | download pull fetch
install | uninstall
enable activate | disable deactivate
start launch boot | stop halt kill shutdown
open | close
lock grant | unlock revoke
expand lengthen elaborate longer | shorten condense trim shorter
increase raise enlarge | decrease lower reduce
subscribe invite | unsubscribe
check list show report which when many overview | renew replace rotate install delete
"""
_FORMAT_LINES = """
csv csvs tsv
json jsonl
xlsx xls excel spreadsheet workbook
pdf pdfs
xml
yaml yml
html
parquet
docx
png pngs jpg jpgs jpeg image images photo photos picture pictures
"""
_WORD = re.compile(r"[a-z]+")
_PREPOSITION = re.compile(r"\b(?:from|of|for|in|into|on|by|with|using|to|since|after|before)\b")


def _numbered(lines: str) -> list[list[str]]:
    return [line.split() for line in lines.strip().splitlines()]


def _sides(lines: str) -> list[tuple[frozenset[str], frozenset[str]]]:
    halves = (line.split("|") for line in lines.strip().splitlines())
    return [(_stems(one), _stems(other)) for one, other in halves]


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in _WORD.findall(text))


_OPPOSITES = _sides(_OPPOSITE_LINES)
_ACTS = {stem(word): at for at, words in enumerate(_numbered(_ACT_LINES)) for word in words}
_FORMATS = {word: at for at, words in enumerate(_numbered(_FORMAT_LINES)) for word in words}
ACT_COUNT = max(_ACTS.values()) + 1
FORMAT_COUNT = max(_FORMATS.values()) + 1
OPPOSITE_COUNT = len(_OPPOSITES)


def acts(text: str) -> set[int]:
    """Which acts a request names, as numbers; words that mean the same act have one number.

    Those before the first preposition, where there are any: what is restored *from a dump* is not
    to be dumped.
    """
    lowered = text.lower()
    return _acts(_PREPOSITION.split(lowered, maxsplit=1)[0]) or _acts(lowered)


def _acts(text: str) -> set[int]:
    return {_ACTS[one] for one in _stems(text) if one in _ACTS}


def opposites(text: str) -> dict[int, float]:
    """On which side of which pairs of opposites a request stands: +1 or -1.

    One that names both sides stands on none: "find the old ones and delete them".
    """
    lowered = text.lower()
    return _standing(_PREPOSITION.split(lowered, maxsplit=1)[0]) or _standing(lowered)


def _standing(text: str) -> dict[int, float]:
    named = _stems(text)
    sides = {
        at: float(not one.isdisjoint(named)) - float(not other.isdisjoint(named))
        for at, (one, other) in enumerate(_OPPOSITES)
    }
    return {at: side for at, side in sides.items() if side}


def formats(text: str) -> set[int]:
    """Which formats of data a request names, by their names or by the endings of files."""
    return {_FORMATS[word] for word in _WORD.findall(text.lower()) if word in _FORMATS}
