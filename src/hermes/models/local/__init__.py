"""A model file on this machine as a pydantic-ai model: no key, no network, no other program."""
