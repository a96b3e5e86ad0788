"""A labelled set of skill packages, made from sheets of hand-written parts.

Each sheet under `sheets/` is one family: one technique of attack, or one kind of honest work that
looks alarming. Nothing in a sheet is ever run. Hosts end in reserved names and addresses come from
the documentation ranges, so that no example points at anybody's machine.
"""
