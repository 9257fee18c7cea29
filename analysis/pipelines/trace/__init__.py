"""Same answer, different reasons: reasoning traces compared step by step across languages."""
