"""A procedure → the folder of a skill: prose a person can read, and the same facts as data."""
