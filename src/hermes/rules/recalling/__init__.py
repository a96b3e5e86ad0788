"""Recalling: which memories answer a query, in which order, and why. Pure: no I/O, no clock."""
