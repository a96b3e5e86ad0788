"""Does the scanner tell malicious packages from benign ones? Measured on a labelled set of our own.

Whole techniques are held out: no rule was tuned on their families, so their recall is the one that
speaks about packages nobody has seen. A block and a warning are both counted, because both stop a
package until somebody looks; a false alarm of either kind costs a person's time.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hermes.bench.security_corpus.corpus import LabelledPackage, labelled_packages
from hermes.rules.scan.finding import ScanVerdict
from hermes.rules.scan.package import scan_package


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyScore:
    """How many packages of one family were stopped: right for malicious, wrong for benign."""

    family: str
    malicious: bool
    held_out: bool
    packages: int
    blocked: int
    warned: int

    @property
    def stopped(self) -> int:
        return self.blocked + self.warned


@dataclass(frozen=True, slots=True, kw_only=True)
class SecurityReport:
    families: tuple[FamilyScore, ...]
    seconds_per_package: float

    def recall(self, *, held_out: bool) -> float:
        """The part of malicious packages that is blocked."""
        chosen = list(self._malicious(held_out))
        return sum(family.blocked for family in chosen) / _packages(chosen)

    def recall_with_warnings(self, *, held_out: bool) -> float:
        """The part of malicious packages that is blocked or warned about."""
        chosen = list(self._malicious(held_out))
        return sum(family.stopped for family in chosen) / _packages(chosen)

    def false_alarms(self) -> float:
        """The part of benign packages that is blocked."""
        chosen = [family for family in self.families if not family.malicious]
        return sum(family.blocked for family in chosen) / _packages(chosen)

    def false_alarms_with_warnings(self) -> float:
        """The part of benign packages that is blocked or warned about."""
        chosen = [family for family in self.families if not family.malicious]
        return sum(family.stopped for family in chosen) / _packages(chosen)

    def precision(self) -> float:
        """The part of blocked packages that is malicious."""
        right = sum(family.blocked for family in self.families if family.malicious)
        wrong = sum(family.blocked for family in self.families if not family.malicious)
        return right / (right + wrong) if right + wrong else 0.0

    def _malicious(self, held_out: bool) -> Iterator[FamilyScore]:
        return (f for f in self.families if f.malicious and f.held_out is held_out)


def measure(packages: Iterable[LabelledPackage] | None = None) -> SecurityReport:
    """Scan every package of the labelled set, or of the one given."""
    counted: Counter[tuple[str, bool, bool]] = Counter()
    verdicts: Counter[tuple[str, bool, bool, ScanVerdict]] = Counter()
    start = time.process_time()
    for package in labelled_packages() if packages is None else packages:
        key = (package.family, package.malicious, package.held_out)
        counted[key] += 1
        verdicts[(*key, scan_package(package.files).verdict)] += 1
    spent = time.process_time() - start
    return SecurityReport(
        families=tuple(
            FamilyScore(
                family=key[0],
                malicious=key[1],
                held_out=key[2],
                packages=counted[key],
                blocked=verdicts[(*key, ScanVerdict.BLOCK)],
                warned=verdicts[(*key, ScanVerdict.WARN)],
            )
            for key in sorted(counted)
        ),
        seconds_per_package=spent / max(sum(counted.values()), 1),
    )


def _packages(families: Iterable[FamilyScore]) -> int:
    """How many packages; at least one, so that an empty set divides to nothing."""
    return max(sum(family.packages for family in families), 1)
