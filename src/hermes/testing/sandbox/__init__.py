"""What the sandbox is tested with: a host worth attacking, other users, an engine, a double."""
