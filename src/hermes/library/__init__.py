"""The skills folder: SKILL.md parse and render, journalled swaps, the index, search, skill tools."""
