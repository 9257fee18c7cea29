"""Pure statistics: arrays in, frozen results out; no column names, no Django, no global state."""
