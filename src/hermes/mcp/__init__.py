"""The door for other agents: `hermes mcp`, a server of the Model Context Protocol.

serving.py runs it; each tool is a file of its own. What comes through here is said by an agent,
whoever it works for: it is never trusted as a user's own words, and approves nothing.
"""
