"""`hermes bench`: what it costs, measured now, beside the peer's figures."""

from __future__ import annotations

from hermes.cli.command import Call, Command


def _latency(call: Call) -> int:
    from hermes.bench import figures, measuring
    from hermes.bench.latency import latency

    measured = latency(call.out.note)
    if call.json:
        call.out.json({"bytecode": measuring.bytecode_note(), "figures": figures.as_json(measured)})
    else:
        columns = ["what", "measured", "limit", "met", "peer", "ratio"]
        call.out.table(columns, figures.as_rows(measured), empty="nothing measured")
        call.out.line(figures.peer_note())
        call.out.line(measuring.bytecode_note())
    return 1 if any(figure.met is False for figure in measured) else 0


def _retrieval(call: Call) -> None:
    from dataclasses import asdict

    from hermes.app import embedder
    from hermes.bench.retrieval_skills import measure

    report = measure(embedder().embed)
    if call.json:
        call.out.json(asdict(report))
        return
    columns = ["half", "queries", "n", "method", "recall@1", "recall@5", "recall@10"]
    rows = [
        [r.half, r.kind, r.queries, r.method, *(f"{x:.3f}" for x in (r.at_1, r.at_5, r.at_10))]
        for r in report.recalls
    ]
    call.out.table(columns, rows, empty="nothing measured")
    call.out.line(
        f"{report.queries} queries over {report.skills} skills; weight of words: "
        f"{report.shipped_weight} shipped, {report.fitted_weight} fitted in this run"
    )
    for method, share in report.separation.items():
        call.out.line(f"a right hit outscores a senseless query's best: {method} {share:.0%}")


def _security(call: Call) -> None:
    from dataclasses import asdict

    from hermes.bench.security import measure

    report = measure()
    totals = {
        "recall_tuned": report.recall(held_out=False),
        "recall_held_out": report.recall(held_out=True),
        "recall_held_out_with_warnings": report.recall_with_warnings(held_out=True),
        "false_alarms": report.false_alarms(),
        "false_alarms_with_warnings": report.false_alarms_with_warnings(),
        "precision": report.precision(),
    }
    if call.json:
        call.out.json({**asdict(report), **totals})
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
        columns = ["intents", "n", "patterns", "precision", "recall", "purity", "one-offs taken"]
        columns += ["near-duplicates", "of these right"]
        rows = [
            [half.half, half.requests, f"{half.patterns:.1f}"]
            + [f"{x:.3f}" for x in (half.precision, half.recall, half.purity)]
            + [f"{x:.1%}" for x in (half.one_offs, half.near_duplicates, half.duplicate_precision)]
            for half in report.intents.halves
        ]
        call.out.table(columns, rows, empty="nothing measured")
        call.out.line(measuring.bytecode_note())
    return 1 if any(figure.met is False for figure in report.figures) else 0


COMMAND = {
    "latency": Command(
        run=_latency,
        json=True,
        summary="starting, reading, writing and indexing; about two minutes",
        example="hermes bench latency",
    ),
    "retrieval": Command(
        run=_retrieval,
        json=True,
        summary="does search find the right skill, by words, by meaning, by both",
        example="hermes bench retrieval",
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
        summary="does the scanner tell malicious packages from benign ones",
        example="hermes bench security",
    ),
}
