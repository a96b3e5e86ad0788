"""`hermes bench retrieval`: does search find the right skill, and recall the right memory?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.cli.command import Call
from hermes.cli.output import Output

if TYPE_CHECKING:
    from hermes.bench.memory_dilution import DilutionReport
    from hermes.bench.retrieval_memory import MemoryRecallReport
    from hermes.bench.retrieval_public import PublicReport
    from hermes.bench.retrieval_skills import RetrievalReport
    from hermes.ports import Embedder


def retrieval(call: Call) -> int:
    if call.args.dilution:
        return _dilution(call)
    return _talks(call) if call.args.locomo else _skills_and_memory(call)


def _skills_and_memory(call: Call) -> int:
    from dataclasses import asdict

    from hermes.app import embedder
    from hermes.bench import retrieval_memory, retrieval_skills

    call.out.note("finding skills")
    model = embedder()
    skills = retrieval_skills.measure(model.embed)
    call.out.note("recalling memories; about two minutes, most of it embedding")
    memory = retrieval_memory.measure(model)
    tools = _tools(call.out, model)
    if call.json:
        public = asdict(tools) if tools else None
        call.out.json({"skills": asdict(skills), "memory": asdict(memory), "tools": public})
    else:
        _tell_skills(call.out, skills)
        tell_memory(call.out, memory)
        if tools:
            tell_public(call.out, tools)
        else:
            call.out.line("BFCL, a public set of functions: not installed: make bench-peers")
    return 1 if memory.leaks or (tools and not tools.met) else 0


def _tools(out: Output, model: Embedder) -> PublicReport | None:
    from hermes.bench.memory_peers import PYTHON
    from hermes.bench.public_tools import installed_data, public_tools
    from hermes.bench.retrieval_public import TOOLS_AIM, measure_public

    data = installed_data(PYTHON)
    if data is None:
        return None
    out.note("finding the functions of a public set; about two minutes")
    return measure_public(model, "BFCL", public_tools(data), TOOLS_AIM)


def _talks(call: Call) -> int:
    from dataclasses import asdict

    from hermes.app import embedder
    from hermes.bench.public_talks import public_talks
    from hermes.bench.retrieval_public import TALKS_AIM, measure_public

    labelled = public_talks(Path(call.args.locomo))
    call.out.note("finding the turns of a public set; about two minutes")
    report = measure_public(embedder(), "LoCoMo", labelled, TALKS_AIM)
    if call.json:
        call.out.json({**asdict(report), "met": report.met})
    else:
        tell_public(call.out, report)
    return 0 if report.met else 1


def tell_public(out: Output, report: PublicReport) -> None:
    columns = [report.name, "n", "method", "recall@1", "recall@5", "recall@10", "MRR"]
    rows = [
        [r.asked, r.questions, r.method, *_shares(r.at_1, r.at_5, r.at_10, r.mrr)]
        for r in report.rows
    ]
    out.table(columns, rows, empty="nothing measured")
    out.line(
        f"{report.questions} questions over {report.memories} memories, none fitted on; hybrid "
        f"recall@{report.aim_at} {report.reached:.3f}, aim {report.aim:.2f}: "
        f"{'met' if report.met else 'not met'}"
    )


def _tell_skills(out: Output, report: RetrievalReport) -> None:
    columns = ["half", "queries", "n", "method", "recall@1", "recall@5", "recall@10"]
    rows = [
        [r.half, r.kind, r.queries, r.method, *_shares(r.at_1, r.at_5, r.at_10)]
        for r in report.recalls
    ]
    out.table(columns, rows, empty="nothing measured")
    out.line(
        f"{report.queries} queries over {report.skills} skills; weight of words: "
        f"{report.shipped_weight} shipped, {report.fitted_weight} fitted in this run"
    )
    for method, share in report.separation.items():
        out.line(f"a right hit outscores a senseless query's best: {method} {share:.0%}")


def tell_memory(out: Output, report: MemoryRecallReport) -> None:
    columns = ["half", "memories asked by", "n", "method", "recall@5", "recall@10", "MRR"]
    rows = [
        [r.half, r.asked, r.questions, r.method, *_shares(r.at_5, r.at_10, r.mrr)]
        for r in report.rows
    ]
    out.table(columns, rows, empty="nothing measured")
    out.line(
        f"{report.questions} questions over {report.memories} memories; "
        f"hits of scopes that were not asked: {report.leaks}"
    )
    lost = report.not_won()
    out.line(
        "not above words and meaning in recall@10, measured half: " + "; ".join(lost)
        if lost
        else "above words and above meaning in recall@10 in every class of the measured half"
    )
    columns = ["min_similarity", "recall@10", "questions without an answer that get a hit"]
    cuts = [
        [f"{cut.min_similarity:.2f}", f"{cut.at_10:.3f}", f"{cut.false_hits:.0%}"]
        for cut in report.cuts
    ]
    out.table(columns, cuts, empty="nothing measured")


def _dilution(call: Call) -> int:
    from dataclasses import asdict

    from hermes.app import embedder
    from hermes.bench.memory_dilution import measure_dilution

    call.out.note("embedding ten thousand memories; about two minutes")
    report = measure_dilution(embedder())
    if call.json:
        call.out.json({**asdict(report), "met": report.met})
    else:
        tell_dilution(call.out, report)
    return 0 if report.met else 1


def tell_dilution(out: Output, report: DilutionReport) -> None:
    columns = ["memories", "stale", "fading", "recall@10", "CPU p50", "wall p50"]
    rows = [
        [
            row.memories,
            row.stale,
            "on" if row.fades else "off",
            f"{row.at_10:.3f}",
            f"{row.cpu_ms:.2f} ms",
            f"{row.p50_ms:.2f} ms",
        ]
        for row in report.rows
    ]
    out.table(columns, rows, empty="nothing measured")
    for change in report.changes:
        out.line(
            f"fading {'on' if change.fades else 'off'}: recall@10 {change.recall:+.1%}, "
            f"latency {change.latency:+.1%} (CPU {change.computed:+.1%}); "
            f"within 10%: {'yes' if change.met else 'no'}"
        )


def _shares(*values: float) -> Sequence[str]:
    return [f"{value:.3f}" for value in values]
