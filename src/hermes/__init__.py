"""Hermes Loop: finished work becomes skills that are proven, versioned, approved and watched."""

__version__ = "0.1.0"
