"""The door for programs that speak HTTP: `hermes serve`, the REST API under /api/v1.

serving.py runs it, application.py joins its parts; each part of the API is a file of its own.
"""
