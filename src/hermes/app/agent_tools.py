"""Everything an agent session can do, put into its box: what is not here it cannot do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hermes.agent.interrupts import HeardAsker, HeardSandbox, Interrupts
from hermes.errors import EmbedderUnavailable
from hermes.records.memory import Trust
from hermes.records.scope import PERSONAL
from hermes.records.tool_answer import ToolAnswer
from hermes.rules.short_form import SHORT_TOOLS, SKILL_READING

if TYPE_CHECKING:
    from hermes.agent.confinement import Confinement
    from hermes.agent.tool import Tool, Toolbox
    from hermes.agent.tools.mcp_servers import McpServers
    from hermes.agent.watching import Watch
    from hermes.app.agent_options import AgentOptions
    from hermes.app.home import Home
    from hermes.app.memory import MemoryRoom
    from hermes.app.skill_running import Programs
    from hermes.library.search import SkillSearch
    from hermes.memory.past.search import PastWork
    from hermes.ports.execution import Asker, Recaller, SkillFinder
    from hermes.records.codec import Json
    from hermes.records.skill import Skill
    from hermes.records.turn import Offer
    from hermes.rules.short_form import Form
    from hermes.stages.execute.assignments import Assignments

_CASES = 3  # past requests that are told beside a skill's own tool


class AgentTools:
    """Of one session. `said` is what the person said last: only that can ask for a skill."""

    def __init__(
        self,
        home: Home,
        options: AgentOptions,
        session_id: str,
        assignments: Assignments,
        asker: Asker,
        form: Form,
    ) -> None:
        self._home = home
        self._options = options
        self._session_id = session_id
        self._assignments = assignments
        self._asker = asker
        self.form = form
        self.interrupts = Interrupts()
        self.said = ""
        self.note: Callable[[str], None] = lambda line: None  # whoever watches, once there is one

    @cached_property
    def _memory(self) -> MemoryRoom:
        from hermes.app.memory import open_memory

        return open_memory(self._home)

    @cached_property
    def _search(self) -> SkillSearch:
        from hermes.app.skills import skill_search

        return skill_search(self._home)

    @cached_property
    def finder(self) -> SkillFinder | None:
        if not self._options.learning:
            return None
        from hermes.app.skills import prompt_skills

        budget = self._home.settings.skills.catalog_token_budget
        return prompt_skills(self._home, self._search, min(budget, self.form.catalogue_tokens))

    @cached_property
    def recaller(self) -> Recaller | None:
        if not self._options.learning:
            return None
        from hermes.memory.for_prompts import PromptMemories

        return PromptMemories(
            self._memory.recall,
            self._scopes,
            self._home.settings.memory.top_k,
            self.form.memory_tokens,
        )

    def own_drafts(self) -> list[Skill]:
        """What this session wrote and nobody has approved yet, as it describes itself."""
        ledger = self._home.ledger
        waiting = ledger.candidates.awaiting_of(self._session_id)
        written = dict.fromkeys(one.skill_id for one in waiting)
        return [skill for skill in map(ledger.skills.get, written) if skill is not None]

    @cached_property
    def place(self) -> Confinement:
        from hermes.agent.confinement import Confinement
        from hermes.app.walls import hidden_folders

        paths = self._home.settings.paths
        return Confinement(
            self._options.project, hidden=hidden_folders(paths), kept=(paths.skills_dir,)
        )

    @cached_property
    def watch(self) -> Watch:
        from hermes.agent.watching import Watch
        from hermes.store.blobs import DiskBlobs

        return Watch(self.place, DiskBlobs(self._home.settings.paths.blobs_dir))

    def prepare(self) -> None:
        """Raises Refused where an agent cannot work at all."""
        _ = self.place, self._ground

    def warm(self) -> None:
        """What takes time to load. A distant embedder is not asked before there is a question."""
        self._home.reader.look()  # each folder: what is known of it makes the next look cheap
        _ = self._standing, self.watch
        if self.recaller is not None and self.finder is not None:
            self.finder.generation()
            self._memory.recall.warm(self._scopes)
            embedder = self._home.embedder
            if embedder is not None and self._home.settings.memory.embedder is None:
                with suppress(EmbedderUnavailable):  # it has said so itself; words do meanwhile
                    embedder.embed(["warm up"])

    def box(self) -> Toolbox:
        """For one turn: the skills that fit it bring their programs along."""
        from hermes.agent.tool import Toolbox

        programs = self._programs()
        if not self.form.is_short:
            return Toolbox.of([*self._standing, *programs, *self._mcp.tools()])
        from hermes.agent.tool import short_form

        skills = SKILL_READING if self._assignments.offers() else ()
        short = [one for one in self._standing if one.name in (*SHORT_TOOLS, *skills)]
        return Toolbox.of([*programs, *map(short_form, short)])

    def close(self) -> None:
        if "_mcp" in vars(self):
            self._mcp.close()
        if "_memory" in vars(self):
            self._memory.close()

    @cached_property
    def _mcp(self) -> McpServers:
        from hermes.app.walls import mcp_servers

        return mcp_servers(self._home.settings, self.place.root, self.note, self.interrupts)

    @cached_property
    def _standing(self) -> list[Tool]:
        from hermes.agent.tools.files import file_tools
        from hermes.agent.tools.shell import shell_tools

        tools = [*file_tools(self.place), *shell_tools(self._ground)]
        return [*tools, *self._learning_tools()] if self._options.learning else tools

    def _learning_tools(self) -> list[Tool]:
        from hermes.agent.tools.memory import memory_tools, past_work_tool
        from hermes.agent.tools.skills import skill_tools
        from hermes.app.skills import manage_tool, view_tools

        views, manage = view_tools(self._home), manage_tool(self._home)
        return [
            *skill_tools(
                views.skills_list,
                lambda name, path: self._viewed(views.skill_view, name, path),
                lambda arguments: manage(arguments, self._caller()),
            ),
            *memory_tools(self._remember, self._recall),
            past_work_tool(self._past),
        ]

    def _viewed(
        self, view: Callable[..., Mapping[str, Json]], name: str, path: str | None
    ) -> Mapping[str, Json]:
        """A skill that is read is in use, in the version that the task was given."""
        version_id = self._assignments.version_of(name)
        said = view(name, path, self._session_id, version_id)
        if said.get("success") and not said.get("draft"):
            skill = self._home.ledger.skills.named(name, PERSONAL)
            shown = version_id or (skill.active_version_id if skill else None)
            if skill is not None and shown is not None:
                self._assignments.give(skill.id, name, shown, "the agent read it")
        return said

    def _caller(self) -> Any:
        from hermes.app.skills import agent_caller
        from hermes.rules.asked_to_save import asked_to_save

        return agent_caller(self._session_id, requested_by_user=asked_to_save(self.said))

    @cached_property
    def _scopes(self) -> tuple[str, ...]:
        from hermes.app.scopes import scopes_here

        return scopes_here(self._home.settings, self._options.project)

    def _remember(self, text: str, kind: str) -> ToolAnswer:
        """What an agent writes down was worked out by it; only the person's own words are more."""
        from hermes.app.agent_memory import remember
        from hermes.rules.remembering.quoting import says_the_same

        trust = Trust.USER if says_the_same(text, self.said) else Trust.DERIVED
        return remember(self._memory, text, kind, self._session_id, trust)

    def _recall(self, query: str, k: int) -> ToolAnswer:
        from hermes.app.agent_memory import recall

        return recall(self._memory, query, self._scopes, k)

    @cached_property
    def _past_work(self) -> PastWork:
        from hermes.app.past_work import open_past_work

        return open_past_work(self._home)

    def _past(self, query: str, k: int) -> ToolAnswer:
        from hermes.rules.past.telling import told

        return ToolAnswer(text=told(self._past_work.search(query, k=k, scopes=self._scopes)))

    @cached_property
    def _ground(self) -> Any:
        from hermes.agent.tools.shell import Ground
        from hermes.app.home import os_user
        from hermes.app.sandbox import workspace_ground

        sandbox, policy, host = workspace_ground(self._home.settings, self.place.root)
        return Ground(
            sandbox=HeardSandbox(sandbox, self.interrupts),
            policy=policy,
            asker=HeardAsker(self._asker, self.interrupts),
            who=os_user(),
            granted=self._granted,
            host=None if host is None else HeardSandbox(host, self.interrupts),
        )

    def _granted(self, what: str, command: str) -> None:
        """In the audit trail before it runs: what a person let the agent do is not forgotten."""
        from hermes.app.home import os_user
        from hermes.rules.recording import shortened, stored_text

        self._home.ledger.events.append(
            "command.granted",
            actor=os_user(),
            subject_id=self._session_id,
            data={"what": what, "command": shortened(stored_text(command), 2_000)[0]},
        )

    @cached_property
    def _programs_read(self) -> Programs:
        from hermes.app.skill_running import Programs

        return Programs(self._home.ledger.versions)

    def _programs(self) -> list[Tool]:
        """The recommended skills that have a program, as tools; what cannot be read is no tool."""
        from hermes.agent.tools.skill_programs import skill_program_tool

        if not self._options.learning:
            return []
        found = []
        for offer in self._assignments.offers():
            program = self._program(offer)
            if program is not None:
                found.append(skill_program_tool(program))
        return found

    def _program(self, offer: Offer) -> Any:
        from hermes.agent.tools.skill_programs import SkillProgram

        program = self._programs_read.of(offer.version_id)
        skill = self._home.ledger.skills.get(offer.skill_id) if program else None
        if program is None or skill is None:
            return None

        def run(values: Mapping[str, Json]) -> ToolAnswer:
            from hermes.app.skill_running import run_in_project

            self._assignments.give(skill.id, skill.name, offer.version_id, "its program was run")
            answer = run_in_project(self._home, skill, program, values, self._ground)
            return replace(answer, facts={**answer.facts, "skill": skill.name})

        return SkillProgram(
            name=skill.name,
            description=skill.description,
            procedure=program.procedure,
            run=run,
            cases=self._cases(program.procedure.example_ids),
            proven=skill.proven,
        )

    def _cases(self, example_ids: Sequence[str]) -> tuple[str, ...]:
        """What the skill was asked for before, in the words of those who asked: nearest first."""
        from hermes.rules.nearest_requests import nearest_requests

        examples = [self._home.ledger.examples.get(one) for one in example_ids]
        requests = [one.task[:160] for one in examples if one is not None]
        return tuple(nearest_requests(self.said, requests)[:_CASES])
