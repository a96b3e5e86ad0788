"""The agent at work: its loop, its tools, and the record of what it does.

`working.Worker` asks the model, does what the model calls for, and asks again until there is an
answer. Everything is written down by `recorder.RunRecorder` before the next thing happens. Tools
are small values (`tool.Tool`), each set of them in a file of its own under `tools/`; what an agent
cannot be given, it cannot do.
"""
