"""The labelled packages: every variant of every family, in two editions each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hermes.bench.security_corpus.sheets import sheets
from hermes.bench.security_corpus.weave import benign_files, malicious_files

EDITIONS = 2


@dataclass(frozen=True, slots=True)
class LabelledPackage:
    """A package with what it is; `held_out` says that no rule was tuned on its family."""

    id: str
    family: str
    malicious: bool
    held_out: bool
    skill_name: str
    files: Mapping[str, bytes]


def labelled_packages() -> Iterator[LabelledPackage]:
    """The whole set; the same bytes on every machine."""
    for malicious, label in ((True, "malicious"), (False, "benign")):
        weave = malicious_files if malicious else benign_files
        for sheet in sheets(label):
            for variant in sheet.variants:
                for edition in range(1 if sheet.family == "plain_covers" else EDITIONS):
                    seed = f"{sheet.family}/{variant.name}/{edition}"
                    name, files = weave(variant, seed)
                    yield LabelledPackage(
                        seed, sheet.family, malicious, sheet.held_out, name, files
                    )
