"""Every port of a store in one value, for the contract suites alone: no product code spans them."""

from __future__ import annotations

from dataclasses import dataclass

from hermes import ports
from hermes.store.database import Database
from hermes.store.tables.candidate import CandidateTable
from hermes.store.tables.change import ChangeTable
from hermes.store.tables.cluster import ClusterTable
from hermes.store.tables.event import EventTable
from hermes.store.tables.example import ExampleTable
from hermes.store.tables.feedback import FeedbackTable
from hermes.store.tables.grant import GrantTable
from hermes.store.tables.health_check import HealthCheckTable
from hermes.store.tables.imported_file import ImportedFileTable
from hermes.store.tables.journal import JournalTable
from hermes.store.tables.listing import ListingTable
from hermes.store.tables.memory import MemoryTable
from hermes.store.tables.memory_listing import MemoryListingTable
from hermes.store.tables.memory_tallies import MemoryTallyTable
from hermes.store.tables.memory_vectors import MemoryVectorTable
from hermes.store.tables.memory_words import MemoryWordTable
from hermes.store.tables.observation import ObservationTable
from hermes.store.tables.outbox import OutboxTable
from hermes.store.tables.passages import FollowedTable, PassageTable
from hermes.store.tables.pattern import PatternTable
from hermes.store.tables.release import ReleaseTable
from hermes.store.tables.session import SessionTable
from hermes.store.tables.skill import SkillTable
from hermes.store.tables.task import TaskTable
from hermes.store.tables.trajectory import TrajectoryTable
from hermes.store.tables.use import UseTable
from hermes.store.tables.user import UserTable
from hermes.store.tables.verdict import VerdictTable
from hermes.store.tables.version import VersionTable


@dataclass(frozen=True, slots=True, kw_only=True)
class StorePorts:
    """Whoever writes another store fills this and runs `hermes.testing.contracts` on it."""

    transactions: ports.Transactions
    sessions: ports.Sessions
    tasks: ports.Tasks
    trajectories: ports.Trajectories
    outbox: ports.Outbox
    observations: ports.Observations
    examples: ports.Examples
    patterns: ports.Patterns
    clusters: ports.Clusters
    skills: ports.Skills
    listing: ports.Listing
    versions: ports.Versions
    candidates: ports.Candidates
    verdicts: ports.Verdicts
    releases: ports.Releases
    uses: ports.Uses
    memories: ports.Memories
    memory_listing: ports.MemoryListing
    memory_words: ports.MemoryWords
    memory_vectors: ports.MemoryVectors
    memory_tallies: ports.MemoryTallies
    passages: ports.Passages
    followed: ports.Followed
    feedback: ports.Feedbacks
    changes: ports.Changes
    grants: ports.Grants
    events: ports.Events
    health_checks: ports.HealthChecks
    imported_files: ports.ImportedFiles
    users: ports.Users
    journal: ports.Journal


def store_ports(database: Database) -> StorePorts:
    """The product's own store; that this type-checks is the proof that it fits the ports."""
    return StorePorts(
        transactions=database,
        sessions=SessionTable(database),
        tasks=TaskTable(database),
        trajectories=TrajectoryTable(database),
        outbox=OutboxTable(database),
        observations=ObservationTable(database),
        examples=ExampleTable(database),
        patterns=PatternTable(database),
        clusters=ClusterTable(database, "letters"),
        skills=SkillTable(database),
        listing=ListingTable(database),
        versions=VersionTable(database),
        candidates=CandidateTable(database),
        verdicts=VerdictTable(database),
        releases=ReleaseTable(database),
        uses=UseTable(database),
        memories=MemoryTable(database),
        memory_listing=MemoryListingTable(database),
        memory_words=MemoryWordTable(database),
        memory_vectors=MemoryVectorTable(database),
        memory_tallies=MemoryTallyTable(database),
        passages=PassageTable(database),
        followed=FollowedTable(database),
        feedback=FeedbackTable(database),
        changes=ChangeTable(database),
        grants=GrantTable(database),
        events=EventTable(database),
        health_checks=HealthCheckTable(database),
        imported_files=ImportedFileTable(database),
        users=UserTable(database),
        journal=JournalTable(database),
    )
