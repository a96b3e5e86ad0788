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


COMMAND = {
    "latency": Command(
        run=_latency,
        json=True,
        summary="starting, reading, writing and indexing; about two minutes",
        example="hermes bench latency",
    ),
}
