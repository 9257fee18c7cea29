"""Language proficiency or knowledge: the facet-conditioned Rasch model and its three gaps."""
