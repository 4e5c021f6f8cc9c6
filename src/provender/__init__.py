"""Provender: a self-hosted nutrition API."""

__version__ = "0.1.0"
