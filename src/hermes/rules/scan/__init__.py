"""Judges a skill package by what it would do, from its bytes alone. Start in `package.py`.

Extractors turn text into effects (what is read, where it goes, what runs, what stays, who is told
to obey); `judge.py` weighs the effects of the whole package into findings and one verdict. Nothing
of a package is imported or run here.
"""
