"""Where generated code runs: one policy value, several backends, no way around.

Start at bubblewrap.py (Linux) or docker.py (elsewhere); select.py decides which.
"""
