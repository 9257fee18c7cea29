"""What a run leaves behind: results.json, one CSV a table, figures, and a page of its own."""
