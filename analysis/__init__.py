"""analysis computes and never collects."""
