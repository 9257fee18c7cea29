"""Figures: a result in, a matplotlib figure out."""
