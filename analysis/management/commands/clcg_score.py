"""`manage.py clcg_score PREDICTIONS --gold GOLD --out SCORES`: predictions into scores."""

from pathlib import Path
from typing import Any

import pandas as pd
from django.core.management.base import BaseCommand, CommandError, CommandParser

from analysis.embeddings.choice import CHOICES, encoder_named
from analysis.frames import Calls, Gold, Predictions, Scores
from analysis.pipelines.clcg.score_answers import (
    counts,
    predictions_of,
    references_of,
    scored,
    with_similarity,
)
from analysis.pipelines.clcg.sums import ClcgError
from analysis.pipelines.trace.encoders import EncoderError
from analysis.reports.documents import json_text
from analysis.tables import TableError, read_table

ENDINGS = (".csv", ".parquet")


class Command(BaseCommand):
    help = "Score predictions: parse status, token F1, exact match, accuracy."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("predictions", nargs="+", type=Path)
        parser.add_argument("--gold", type=Path, required=True, help="table of reference answers")
        parser.add_argument("--out", type=Path, required=True, help="SCORES.csv or SCORES.parquet")
        parser.add_argument(
            "--calls", action="store_true", help="PREDICTIONS holds raw responses: JSON arrays"
        )
        parser.add_argument("--encoder", help=f"adds the semantic similarity: {CHOICES}")
        parser.add_argument("--force", action="store_true", help="write over the file")
        parser.add_argument("--json", action="store_true", help="print the counts as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        out: Path = options["out"]
        if out.suffix not in ENDINGS:
            raise CommandError(f"{out} must end in {' or '.join(ENDINGS)}.")
        if out.exists() and not options["force"]:
            raise CommandError(f"{out} is there already; name another, or add --force.")
        try:
            scores = scores_of(options)
        except (TableError, ClcgError, EncoderError) as error:
            raise CommandError(str(error)) from None
        out.parent.mkdir(parents=True, exist_ok=True)
        if out.suffix == ".csv":
            scores.to_csv(out, index=False, lineterminator="\n")
        else:
            scores.to_parquet(out, index=False)
        found = counts(scores)
        if options["json"]:
            self.stdout.write(json_text(found), ending="")
            return
        failed = f"{found['unparseable']:,} unparseable, {found['missing']:,} missing"
        without = int(scores[Scores.SCORE].isna().sum())
        told = (
            f" {without:,} have no score, since their item has no right answer." if without else ""
        )
        self.stdout.write(
            f"{found['rows']:,} rows: {found['ok']:,} ok, {failed}.{told} Wrote {out}."
        )


def scores_of(options: dict[str, Any]) -> pd.DataFrame:
    """Read, score, and add the similarity where an encoder is named."""
    gold = read_table(options["gold"], Gold.TABLE)
    if options["calls"]:
        predictions = predictions_of(read_table(options["predictions"], Calls.TABLE), gold)
    else:
        predictions = read_table(options["predictions"], Predictions.TABLE)
    references = references_of(gold)
    scores = scored(predictions, references)
    if options["encoder"] is None:
        return scores
    answers = list(predictions[Predictions.PREDICTION])
    return with_similarity(scores, answers, references, encoder_named(options["encoder"]))
