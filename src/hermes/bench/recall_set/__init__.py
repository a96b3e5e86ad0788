"""A labelled set of memories and of questions to them, made from hand-written sheets.

`sheets/facts` holds what engineers write down: each fact in two or three wordings, with slots, and
the questions that it answers. `sheets/threads` holds pieces of conversations with their questions,
`sheets/talks` long ones as they are, `sheets/tools` functions and who would need them.
A fact is told of many services with other values, so that every right answer has near-duplicates
that are wrong. Nothing is drawn from a shared stream of chance: every fact and thread has its own
seed, so that adding one changes no other.
"""
