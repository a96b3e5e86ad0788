"""The verbs of the loop. A stage reads, decides, writes; it knows ports, never an adapter."""
