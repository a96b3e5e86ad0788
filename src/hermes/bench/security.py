"""Does the scanner tell malicious packages from benign ones? Measured on a labelled set of our own.

Whole techniques are held out: no rule was tuned on their families, so their recall is the one that
speaks about packages nobody has seen.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from hermes.bench.security_corpus.corpus import LabelledPackage, labelled_packages
from hermes.rules.scan.finding import ScanVerdict
from hermes.rules.scan.package import scan_package


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyScore:
    """How many packages of one family were blocked: right for malicious, wrong for benign."""

    family: str
    malicious: bool
    held_out: bool
    packages: int
    blocked: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SecurityReport:
    families: tuple[FamilyScore, ...]
    seconds_per_package: float

    def recall(self, *, held_out: bool) -> float:
        """The part of malicious packages that is blocked."""
        return _share(f for f in self.families if f.malicious and f.held_out is held_out)

    def false_alarms(self) -> float:
        """The part of benign packages that is blocked."""
        return _share(f for f in self.families if not f.malicious)

    def precision(self) -> float:
        """The part of blocked packages that is malicious."""
        right = sum(f.blocked for f in self.families if f.malicious)
        wrong = sum(f.blocked for f in self.families if not f.malicious)
        return right / (right + wrong) if right + wrong else 0.0


def measure(packages: Iterable[LabelledPackage] | None = None) -> SecurityReport:
    """Scan every package of the labelled set, or of the one given."""
    counted: Counter[tuple[str, bool, bool]] = Counter()
    blocked: Counter[tuple[str, bool, bool]] = Counter()
    start = time.process_time()
    for package in labelled_packages() if packages is None else packages:
        key = (package.family, package.malicious, package.held_out)
        counted[key] += 1
        blocked[key] += scan_package(package.files).verdict is ScanVerdict.BLOCK
    spent = time.process_time() - start
    return SecurityReport(
        families=tuple(
            FamilyScore(
                family=family,
                malicious=malicious,
                held_out=held_out,
                packages=counted[family, malicious, held_out],
                blocked=blocked[family, malicious, held_out],
            )
            for family, malicious, held_out in sorted(counted)
        ),
        seconds_per_package=spent / max(sum(counted.values()), 1),
    )


def _share(families: Iterable[FamilyScore]) -> float:
    chosen = list(families)
    return sum(f.blocked for f in chosen) / max(sum(f.packages for f in chosen), 1)
