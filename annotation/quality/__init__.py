"""Which judgments must be left out, by rules that were fixed before the data. Pure."""
