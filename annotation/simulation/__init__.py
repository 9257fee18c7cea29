"""Simulated annotators: through the services, or through the real pages of a running server."""
