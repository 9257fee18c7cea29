"""The API over what is collected: thin, by the same functions as the pages."""
