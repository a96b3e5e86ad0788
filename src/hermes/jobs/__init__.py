"""Background work on DBOS: queues, schedules, recovery. The foreground imports nothing of it.

`engine.Engine` is the queue, `doing` how a job in it is done, `drainer.Drainer` brings ended runs
from the outbox into it, `shift.Shift` is what a worker process does from its start to its end,
`stranded` does again what ended without an outcome, `pruning` drops what ended long ago, and
`looking` shows the queue to whoever is no worker. What a job does is a named callable that app
hands in.
"""
