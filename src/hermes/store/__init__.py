"""The store: every word in SQL, on SQLite or PostgreSQL.

Start at `open.py`: `open_database(address)` gives a Database, and each word has its own small
class in `tables/` that is made from one (`SkillTable(database)`). The statements live in `sql/`,
named and commented; the schema lives in `migrations/`.

This package imports nothing by itself, so a command pays only for the tables it uses.
"""
