"""Settings, URLs and entry points. Nothing else."""
