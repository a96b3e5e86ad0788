"""Doubles and contract suites for the seams. Imported by tests and benchmarks, never by product."""
