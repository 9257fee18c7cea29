"""The pages of the analysis: the monitor and the reports."""
