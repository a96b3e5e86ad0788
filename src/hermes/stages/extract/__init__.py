"""From finished work to drafts: what is kept, what belongs together, what it has in common."""
