"""One small class per word, each made from a Database and nothing else.

Import a table from its own file (`from hermes.store.tables.skill import SkillTable`).
"""
