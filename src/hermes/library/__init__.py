"""The skills folder: reading and writing SKILL.md, journalled swaps, index, search, tools."""
