"""Benchmarks: each measures one promise and returns its numbers."""
