"""Past work: every run that was recorded or imported, searched by words and by meaning.

    PastWork.search(query, k=8, *, scopes, since=None, agent=None) -> PastFound
    PastWork.catch_up(limit=None, seconds=None) -> int       indexes and embeds what lacks it

`hermes.app.past_work.open_past_work(home)` makes it. Whose runs a search sees is decided before
anything is scored: each scope has a book of its own, and no other is opened or counted.
"""
