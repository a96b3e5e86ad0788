"""`hermes` by itself: a conversation in the terminal.

`loop.chat` shows the prompt as soon as it can and loads everything heavy behind it. Lines that
begin with a slash are commands (`slash.py`) or skills; everything else goes to the agent.
"""
