"""What an admin watches while judgments come in. Arrays in, results out."""
