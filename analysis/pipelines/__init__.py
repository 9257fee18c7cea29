"""Pure pipelines: frames in, a result object out; they run on public files without a database."""
