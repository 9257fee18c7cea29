"""The cross-lingual gap: what a model loses when only the language of the text that it reads changes."""
