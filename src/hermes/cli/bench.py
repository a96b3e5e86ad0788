"""`hermes bench`: what it costs, measured now, beside the peer's figures."""

from __future__ import annotations

from argparse import ArgumentParser

from hermes.cli.arguments import count
from hermes.cli.command import Call, Command


def _latency(call: Call) -> int:
    from hermes.bench import figures, measuring
    from hermes.bench.execution import execution_figures
    from hermes.bench.latency import MEMORIES, latency
    from hermes.bench.memory_latency import memory_figures

    items = call.args.items or MEMORIES
    if call.args.agent:
        measured = execution_figures(call.out.note, memories=items)
    elif call.args.memory or call.args.items is not None:
        measured = memory_figures(call.out.note, items)
    else:
        measured = latency(call.out.note, items)
    if call.json:
        notes = {"bytecode": measuring.bytecode_note(), "load": measuring.load_note()}
        call.out.json({**notes, "figures": figures.as_json(measured)})
    else:
        columns = ["what", "measured", "limit", "met", "peer", "ratio"]
        call.out.table(columns, figures.as_rows(measured), empty="nothing measured")
        call.out.line(figures.peer_note())
        call.out.line(measuring.bytecode_note())
        call.out.line(measuring.load_note())
    return 1 if any(figure.met is False for figure in measured) else 0


def _latency_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--memory", action="store_true", help="only searching and adding memories")
    parser.add_argument(
        "--agent", action="store_true", help="only a turn of the agent, its record and first prompt"
    )
    parser.add_argument(
        "--items", type=count, metavar="N", help="the same, up to N memories instead of 100,000"
    )


def _retrieval(call: Call) -> int:
    from hermes.cli.bench_retrieval import retrieval

    return retrieval(call)


def _retrieval_arguments(parser: ArgumentParser) -> None:
    only = parser.add_mutually_exclusive_group()
    only.add_argument(
        "--dilution",
        action="store_true",
        help="only memory, before and after nineteen times as much stale clutter was added",
    )
    only.add_argument(
        "--locomo",
        metavar="FILE",
        help="only the conversations of the public set LoCoMo, from its locomo10.json",
    )


def _security(call: Call) -> None:
    from dataclasses import asdict

    from hermes.bench import poisoning
    from hermes.bench.security import measure

    report, poisoned = measure(), poisoning.measure()
    totals = {
        "recall_tuned": report.recall(held_out=False),
        "recall_held_out": report.recall(held_out=True),
        "recall_held_out_with_warnings": report.recall_with_warnings(held_out=True),
        "false_alarms": report.false_alarms(),
        "false_alarms_with_warnings": report.false_alarms_with_warnings(),
        "precision": report.precision(),
        **poisoned.rates(),
    }
    if call.json:
        call.out.json({**asdict(report), **totals, "poisoning": asdict(poisoned)})
        return
    rows = [
        [
            "malicious" if family.malicious else "benign",
            family.family,
            "held out" if family.held_out else "tuned on",
            family.packages,
            family.blocked,
            family.warned,
        ]
        for family in report.families
    ]
    columns = ["packages", "family", "rules were", "n", "blocked", "warned"]
    call.out.table(columns, rows, empty="nothing measured")
    seen = {True: "held out", False: "tuned on"}
    call.out.table(
        ["planted in memory", "rules were", "n", "shown as facts", "as episodes"],
        [
            [one.family, seen[one.held_out], one.planted, one.as_facts, one.as_episodes]
            for one in poisoned.families
        ],
        empty="nothing measured",
    )
    for name, share in totals.items():
        call.out.line(f"{name.replace('_', ' ')}: {share:.1%}")
    call.out.line(f"{report.seconds_per_package * 1000:.1f} ms CPU a package")
    call.out.line(
        "peers on unseen sources, as published: 27% recall at 7.9% false alarms, 50% at 34%"
    )


def _extract(call: Call) -> int:
    from dataclasses import asdict

    from hermes.bench import figures, measuring
    from hermes.bench.extract import extract_report
    from hermes.cli.demo.learning import LOGS

    report = extract_report(LOGS / "claude-code", call.out.note)
    if call.json:
        halves = [asdict(half) for half in report.intents.halves]
        call.out.json({"figures": figures.as_json(report.figures), "intents": halves})
    else:
        columns = ["what", "measured", "limit", "met", "peer", "ratio"]
        call.out.table(columns, figures.as_rows(report.figures), empty="nothing measured")
        columns = [
            "intents",
            "by",
            "n",
            "patterns",
            "precision",
            "recall",
            "purity",
            "one-offs taken",
        ]
        columns += ["near-duplicates", "of these right"]
        rows = [
            [half.half, half.by, half.requests, f"{half.patterns:.1f}"]
            + [f"{x:.3f}" for x in (half.precision, half.recall, half.purity)]
            + [f"{x:.1%}" for x in (half.one_offs, half.near_duplicates, half.duplicate_precision)]
            for half in report.intents.halves
        ]
        call.out.table(columns, rows, empty="nothing measured")
        call.out.line(measuring.bytecode_note())
    return 1 if any(figure.met is False for figure in report.figures) else 0


def _peers(call: Call) -> None:
    from dataclasses import asdict
    from pathlib import Path

    from hermes.app import embedder
    from hermes.bench import measuring
    from hermes.bench.memory_peers import measure_peers

    report = measure_peers(embedder(), call.out.note, Path(call.args.python))
    if call.json:
        call.out.json(asdict(report))
        return
    ours = report.rows[0]
    rows = [
        [
            f"{row.name} {row.version}".strip(),
            f"{row.at_10:.3f}",
            f"{row.mrr:.3f}",
            f"{row.p50_ms:.2f} ms CPU",
            f"{row.p50_ms / ours.p50_ms:.1f}×",
            f"{row.adds_a_second:,.0f} /s",
            f"{row.adds_a_second / ours.adds_a_second:.1f}×",
            f"{row.add_cpu_ms:.2f} ms CPU",
        ]
        for row in report.rows
    ]
    columns = ["memory", "recall@10", "MRR", "search p50", "of ours", "added", "of ours", "each"]
    call.out.table(columns, rows, empty="nothing measured")
    call.out.line(
        f"{report.questions} questions over {report.memories:,} memories, the same vectors for all"
    )
    call.out.line(
        "the peers go by vectors alone: mem0 is without its extras, which search for keywords"
    )
    call.out.line(measuring.load_note())
    for name, why in report.missing.items():
        call.out.line(f"{name} is not measured: {why}")


def _peers_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--python",
        metavar="PATH",
        default=".venv-peers/bin/python",
        help="the Python that has the peers (.venv-peers/bin/python, from make bench-peers)",
    )


COMMAND = {
    "latency": Command(
        run=_latency,
        arguments=_latency_arguments,
        json=True,
        summary="starting, reading, writing, indexing and recalling; about eight minutes",
        example="hermes bench latency",
    ),
    "retrieval": Command(
        run=_retrieval,
        arguments=_retrieval_arguments,
        json=True,
        summary="does search find the right skill and memory, by words, by meaning, by both",
        example="hermes bench retrieval",
    ),
    "peers": Command(
        run=_peers,
        arguments=_peers_arguments,
        json=True,
        summary="the same memories and vectors in chromadb and mem0: found, time, ratios",
        example="hermes bench peers",
    ),
    "extract": Command(
        run=_extract,
        json=True,
        summary="learning: reading logs, arranging requests, mining, writing",
        example="hermes bench extract",
    ),
    "security": Command(
        run=_security,
        json=True,
        summary="are malicious packages and planted memories told from benign ones",
        example="hermes bench security",
    ),
}
