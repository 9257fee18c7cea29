"""Encoders with weights, the processes they run in, and the file that keeps their vectors."""
