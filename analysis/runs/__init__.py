"""Analyses that take longer than a request: the row is the queue."""
