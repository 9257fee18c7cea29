"""annotation collects and never computes."""
