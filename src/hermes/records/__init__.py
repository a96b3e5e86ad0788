"""The words of the design as frozen values, one file per word. No I/O here.

Import a word from its own file (`from hermes.records.skill import Skill`): this package imports
nothing by itself, so a command pays only for the words it uses.
"""
