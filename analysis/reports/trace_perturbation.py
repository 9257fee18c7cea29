"""The report of the controlled check."""

import pandas as pd

from analysis.figures.trace import perturbation_bars
from analysis.pipelines.trace.encoders import Encoder, EncoderError
from analysis.pipelines.trace.perturbation import perturbation_summary
from analysis.reports.bundle import Report, report_files
from analysis.reports.page import Section

READING = (
    "S should fall with every change of content and not with the order.",
    "τ should turn negative when the steps are reversed.",
    "H, the cosine of the whole responses, hardly moves.",
)


def perturbation_files(scores: pd.DataFrame, encoder: Encoder) -> dict[str, bytes]:
    """Return path → content; a test-only encoder is refused."""
    if encoder.test_only:
        raise EncoderError(f"The encoder {encoder.id} is for tests only and measures no meaning.")
    table = perturbation_summary(scores)
    rows = [{str(k): v for k, v in row.items()} for row in table.to_dict("records")]
    report = Report(
        title="What the scores make of spoilt traces",
        results={"encoder": encoder.id, "perturbations": rows},
        tables={"perturbations": table},
        figures={"perturbations": perturbation_bars(table)},
        sections=(Section("By what was done", READING, ("perturbations",), ("perturbations",)),),
        captions={"perturbations": "Mean and quartiles over pairs of each score"},
    )
    return report_files(report)
