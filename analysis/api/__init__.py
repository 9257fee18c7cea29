"""The API over runs and what they found, by the same functions as the pages."""
