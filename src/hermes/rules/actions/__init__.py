"""What agents do, in one set of words: whatever a tool is called, its call is one Action."""
