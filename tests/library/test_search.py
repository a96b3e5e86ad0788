"""A search knows every change at once, waits for no vector, and shows what may be shown."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import pytest

from hermes.errors import CorruptData
from hermes.library.search import Hit, SkillSearch
from hermes.records.skill import Skill, SkillState
from hermes.rules.catalogue import Shelf
from hermes.store.open import open_database
from hermes.store.tables.skill import SkillTable
from hermes.testing import samples
from hermes.testing.memory_skills import MemorySkills
from hermes.testing.topic_embedder import TopicEmbedder

TOPICS = {
    "tables": ["csv", "spreadsheet", "rows", "columns"],
    "release": ["deploy", "ship", "publish", "release"],
    "food": ["cake", "oven"],
}


def live(name: str, description: str, **fields: object) -> Skill:
    values = {"name": name, "description": description, "active_version_id": "ver_1"}
    return samples.skill(**values | fields)


TIDY = live("tidy-csv", "Tidies CSV files.", tags=("pandas",), category="data")
SHIP = live("ship-service", "Deploys a service.", trigger_conditions=("ImagePullBackOff",))
BAKE = live("bake-cake", "Heats the oven.")


@pytest.fixture
def store() -> MemorySkills:
    skills = MemorySkills()
    for skill in (TIDY, SHIP, BAKE):
        skills.add(skill)
    return skills


def names(hits: list[Hit]) -> list[str]:
    return [hit.skill.name for hit in hits]


def everything(skill: Skill) -> bool:
    return True


class TestWords:
    def test_every_part_of_a_head_is_searched(self, store: MemorySkills) -> None:
        search = SkillSearch(store)
        for text in ("tidy_csv", "tidies", "pandas", "data"):
            assert names(search.search(text, 5)) == ["tidy-csv"]
        assert names(search.search("error: ImagePullBackOff", 5)) == ["ship-service"]

    def test_what_matches_nothing_is_no_hit(self, store: MemorySkills) -> None:
        assert SkillSearch(store).search("quantum", 5) == []
        assert SkillSearch(MemorySkills()).search("csv", 5) == []

    def test_at_most_so_many(self, store: MemorySkills) -> None:
        store.add(live("csv-report", "Reports on CSV files."))
        assert len(SkillSearch(store).search("csv files", 1)) == 1
        assert SkillSearch(store).search("csv files", 0) == []

    def test_a_hit_says_why(self, store: MemorySkills) -> None:
        (hit,) = SkillSearch(store).search("clean up Pandas files", 5)
        assert hit.why == "words: files, Pandas"
        assert hit.semantic is None
        assert 0 < hit.lexical == hit.score <= 1

    def test_a_long_task_is_searched_by_its_start(self, store: MemorySkills) -> None:
        search = SkillSearch(store)
        assert names(search.search("csv " + "blah " * 2_000_000, 5)) == ["tidy-csv"]


class TestWhatIsShown:
    @pytest.mark.parametrize(
        "hidden",
        [{"state": SkillState.ARCHIVED}, {"disabled": True}, {"active_version_id": None}],
        ids=["archived", "disabled", "draft only"],
    )
    def test_hidden_skills_are_found_only_when_asked_for(
        self, store: MemorySkills, hidden: dict[str, object]
    ) -> None:
        store.replace(replace(TIDY, **hidden))
        search = SkillSearch(store)
        assert search.search("csv", 5) == []
        assert names(search.search("csv", 5, include=everything)) == ["tidy-csv"]
        assert TIDY.id not in [skill.id for skill in search.shelf().skills]

    def test_a_filter_does_not_use_up_the_limit(self, store: MemorySkills) -> None:
        for number in range(50):
            store.add(live(f"csv-{number}", "csv csv csv", scope="team:ops"))
        found = SkillSearch(store).search("csv", 1, include=lambda skill: skill.scope == "personal")
        assert names(found) == ["tidy-csv"]


class TestFollowing:
    def test_new_changed_and_hidden_skills_are_seen_at_once(self, store: MemorySkills) -> None:
        search = SkillSearch(store)
        assert search.search("yaml", 5) == []
        store.add(live("yaml-lint", "Checks YAML."))
        assert names(search.search("yaml", 5)) == ["yaml-lint"]
        store.replace(replace(TIDY, description="Sorts YAML keys."))
        assert set(names(search.search("yaml", 5))) == {"yaml-lint", "tidy-csv"}
        store.replace(replace(TIDY, disabled=True))
        assert names(search.search("yaml", 5)) == ["yaml-lint"]

    def test_only_what_changed_is_read_again(self, store: MemorySkills) -> None:
        class Counting(MemorySkills):
            read = 0

            def all(self) -> list[Skill]:
                found = list(super().all())
                self.read += len(found)
                return found

            def since(self, generation: int) -> list[Skill]:
                found = list(super().since(generation))
                self.read += len(found)
                return found

        counting = Counting()
        for number in range(200):
            counting.add(live(f"skill-{number}", "Does a thing."))
        search = SkillSearch(counting)
        search.search("thing", 1)
        counting.replace(replace(counting.all()[0], usage_count=1))
        counting.read = 0
        search.search("thing", 1)
        search.search("thing", 1)
        assert counting.read == 1

    def test_another_process_writes(self, tmp_path: Path) -> None:
        path = tmp_path / "loop.db"
        mine = open_database(path)
        search = SkillSearch(SkillTable(mine))
        assert search.search("csv", 5, include=everything) == []
        code = (
            "import sys; from hermes.store.open import open_database;"
            "from hermes.store.tables.skill import SkillTable; from hermes.testing import samples;"
            "SkillTable(open_database(sys.argv[1])).add(samples.skill(name='tidy-csv'))"
        )
        subprocess.run([sys.executable, "-c", code, str(path)], check=True)
        assert names(search.search("csv", 5, include=everything)) == ["tidy-csv"]
        mine.close()

    def test_an_older_database_in_its_place_is_read_anew(self, store: MemorySkills) -> None:
        class Restorable(MemorySkills):
            def restore(self, other: MemorySkills) -> None:
                self.__dict__.update(other.__dict__)

        restorable = Restorable()
        restorable.restore(store)
        search = SkillSearch(restorable)
        assert len(search.search("csv", 5)) == 1
        older = MemorySkills()
        older.add(SHIP)
        restorable.restore(older)
        assert search.search("csv", 5) == []
        assert search.shelf() == Shelf.of((SHIP,))


class TestMeaning:
    def test_a_paraphrase_is_found_once_there_are_vectors(self, store: MemorySkills) -> None:
        search = SkillSearch(store, TopicEmbedder(TOPICS))
        assert search.search("spreadsheet", 5) == []
        assert search.embed_missing() == 3
        hit, *_ = search.search("spreadsheet", 5)
        assert hit.skill == TIDY
        assert hit.lexical == 0
        assert hit.semantic == pytest.approx(1.0)
        assert hit.why == "meaning: 1.00"

    def test_without_any_vector_the_model_is_not_asked(self, store: MemorySkills) -> None:
        embedder = TopicEmbedder(TOPICS)
        assert names(SkillSearch(store, embedder).search("csv", 5)) == ["tidy-csv"]
        assert embedder.embedded == []

    def test_vectors_are_shared_through_the_store(self, store: MemorySkills) -> None:
        SkillSearch(store, TopicEmbedder(TOPICS)).embed_missing()
        embedder = TopicEmbedder(TOPICS)
        other = SkillSearch(store, embedder)
        assert names(other.search("spreadsheet", 1)) == ["tidy-csv"]
        assert other.embed_missing() == 0
        assert embedder.embedded == ["spreadsheet"]

    def test_vectors_another_process_made_are_taken_up(self, store: MemorySkills) -> None:
        search = SkillSearch(store, TopicEmbedder(TOPICS))
        assert search.search("spreadsheet", 1) == []
        SkillSearch(store, TopicEmbedder(TOPICS)).embed_missing()
        assert names(search.search("spreadsheet", 1)) == ["tidy-csv"]

    def test_a_new_head_waits_for_its_vector_and_is_found_by_words(
        self, store: MemorySkills
    ) -> None:
        search = SkillSearch(store, TopicEmbedder(TOPICS))
        search.embed_missing()
        store.replace(replace(TIDY, description="Publishes pages."))
        hits = {hit.skill.name: hit for hit in search.search("publish pages", 5)}
        assert hits["tidy-csv"].semantic is None
        assert search.embed_missing() == 1
        hits = {hit.skill.name: hit for hit in search.search("publish pages", 5)}
        assert hits["tidy-csv"].semantic == pytest.approx(2**-0.5)

    def test_a_use_is_no_reason_to_embed_again(self, store: MemorySkills) -> None:
        search = SkillSearch(store, TopicEmbedder(TOPICS))
        search.embed_missing()
        store.replace(replace(TIDY, usage_count=9, tags=("excel",)))
        assert search.embed_missing() == 0
        assert names(search.search("excel", 1)) == ["tidy-csv"]

    def test_another_model_makes_its_own_vectors(self, store: MemorySkills) -> None:
        SkillSearch(store, TopicEmbedder(TOPICS)).embed_missing()
        other = SkillSearch(store, TopicEmbedder({"all": ["csv"]}, name="other"))
        assert other.search("spreadsheet", 5) == []
        assert other.embed_missing() == 3

    def test_a_vector_of_the_wrong_length_is_corrupt_not_ignored(self, store: MemorySkills) -> None:
        search = SkillSearch(store, TopicEmbedder(TOPICS))
        search.embed_missing()
        ((skill_id, text_hash, _), *_) = store.embeddings([TIDY.id])
        store.set_embedding(skill_id, text_hash, b"\0\0\0\0")
        with pytest.raises(CorruptData, match=skill_id):
            SkillSearch(store, TopicEmbedder(TOPICS)).search("csv", 1)

    def test_one_task_is_embedded_once(self, store: MemorySkills) -> None:
        embedder = TopicEmbedder(TOPICS)
        search = SkillSearch(store, embedder)
        search.embed_missing()
        embedder.embedded.clear()
        for _ in range(3):
            search.search("spreadsheet", 1)
        assert embedder.embedded == ["spreadsheet"]


class TestEmbedMissing:
    def test_the_most_used_come_first_and_archived_ones_never(self) -> None:
        store, embedder = MemorySkills(), TopicEmbedder(TOPICS)
        for uses in (1, 7, 3):
            store.add(live(f"used-{uses}", "x", usage_count=uses))
        store.add(live("put-away", "x", usage_count=99, state=SkillState.ARCHIVED))
        search = SkillSearch(store, embedder)
        assert search.embed_missing(limit=2) == 2
        assert embedder.embedded == ["used 7: x", "used 3: x"]
        assert search.embed_missing() == 1
        assert search.embed_missing() == 0

    def test_it_stops_when_the_time_is_over(self) -> None:
        store = MemorySkills()
        for number in range(200):
            store.add(live(f"skill-{number}", "x"))

        class Slow(TopicEmbedder):
            def embed(self, texts: object) -> list[bytes]:
                time.sleep(0.05)
                return super().embed(texts)  # type: ignore[arg-type]

        search = SkillSearch(store, Slow(TOPICS))
        done = search.embed_missing(seconds=0.08)
        assert 0 < done < 200
        assert done + search.embed_missing() == 200
        assert SkillSearch(store, Slow(TOPICS)).embed_missing(seconds=0) == 0

    def test_without_an_embedder_there_is_nothing_to_do(self, store: MemorySkills) -> None:
        assert SkillSearch(store).embed_missing() == 0

    def test_a_batch_is_stored_in_one_transaction(self, store: MemorySkills) -> None:
        class Counting:
            transactions = 0

            def transaction(self) -> AbstractContextManager[None]:
                self.transactions += 1
                return store.transaction()

        counting = Counting()
        assert SkillSearch(store, TopicEmbedder(TOPICS), counting).embed_missing() == 3
        assert counting.transactions == 1

    def test_a_search_does_not_wait_for_vectors(self, store: MemorySkills) -> None:
        gate = threading.Event()
        search = SkillSearch(store, TopicEmbedder(TOPICS, gate=gate))
        background = threading.Thread(target=search.embed_missing)
        background.start()
        try:
            assert names(search.search("csv", 1)) == ["tidy-csv"]
        finally:
            gate.set()
            background.join()
        assert names(search.search("spreadsheet", 1)) == ["tidy-csv"]

    def test_a_head_that_changes_meanwhile_does_not_get_the_old_vector(
        self, store: MemorySkills
    ) -> None:
        class Editing(TopicEmbedder):
            def embed(self, texts: object) -> list[bytes]:
                vectors = super().embed(texts)  # type: ignore[arg-type]
                if len(self.embedded) == 3:
                    store.replace(replace(TIDY, name="ship-it", description="ship"))
                return vectors

        search = SkillSearch(store, Editing(TOPICS))
        assert search.embed_missing() == 3
        hits = {hit.skill.name: hit for hit in search.search("ship csv", 5)}
        assert hits["ship-it"].semantic is None
        assert search.embed_missing() == 1


class TestShelf:
    def test_it_follows_every_change(self) -> None:
        store = MemorySkills()
        search = SkillSearch(store)
        assert search.shelf() == Shelf.of(())
        skills = [live(f"skill-{at:02}", "x", category="ab"[at % 2]) for at in range(20)]
        for skill in skills:
            store.add(skill)
        changed = [
            replace(skills[0], category="b"),
            replace(skills[1], name="a-first", pinned=True),
            replace(skills[2], disabled=True),
            replace(skills[3], usage_count=4, pinned=True),
            replace(skills[4], state=SkillState.STALE),
            replace(skills[5], state=SkillState.ARCHIVED),
        ]
        for skill in changed:
            search.shelf()
            store.replace(skill)
        store.replace(replace(changed[2], disabled=False))
        expected = [skill for skill in store.all() if skill.is_shown]
        expected.sort(key=lambda skill: (skill.category, skill.name))
        assert search.shelf() == Shelf.of(expected)
        assert len(search.shelf().pinned) == 2

    def test_it_is_the_same_value_until_something_changes(self, store: MemorySkills) -> None:
        search = SkillSearch(store)
        assert search.shelf() is search.shelf()


def test_threads_search_and_write_at_once() -> None:
    store = MemorySkills()
    search = SkillSearch(store, TopicEmbedder(TOPICS))

    def work(number: int) -> int:
        store.add(live(f"csv-{number}", "csv"))
        search.embed_missing(limit=3)
        return len(search.search(f"csv {number}", 200))

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(work, range(100)))
    assert all(found)
    assert len(search.search("csv", 200)) == 100


def test_importing_and_indexing_load_no_numpy() -> None:
    code = (
        "import sys; from hermes.library.search import SkillSearch;"
        "from hermes.testing.memory_skills import MemorySkills; from hermes.testing import samples;"
        "store = MemorySkills(); store.add(samples.skill(active_version_id='v'));"
        "SkillSearch(store).shelf(); print('numpy' in sys.modules)"
    )
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert printed.stdout == "False\n"
