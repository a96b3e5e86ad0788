"""Verdict → Release: the review queue, approvals, rollbacks. Canaries join here later."""
