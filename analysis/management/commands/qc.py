"""qc SLUG: the funnel; `--apply` records what it leaves out and opens the slots again."""

from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from annotation.management.study_command import Document, StudyCommand
from annotation.selectors.quality import study_funnel
from annotation.selectors.studies import study_named
from annotation.services.exclusions import exclusions_apply
from annotation.services.top_up import top_up

# How the end of the funnel is told, where the key of the document says too little.
ENDS = {
    "items_2plus": "of them judged twice or more",
    "records": "answers to single questions",
    "decisive": "comparisons that prefer a side",
}


class Command(StudyCommand):
    help = "Print who is in the analysis, who is out, and by which rule."

    def declare(self, parser: ArgumentParser) -> None:
        super().declare(parser)
        parser.add_argument("--apply", action="store_true", help="record the exclusions, top up")

    def run(self, *, now: datetime, author: str, **options: Any) -> Document:
        study = study_named(options["slug"])
        if options["apply"]:
            found = exclusions_apply(study, author=author, now=now)
            top_up(study, author=author, now=now)
        else:
            found = study_funnel(study)
        return {"study": study.slug, "applied": options["apply"]} | found.as_dict()

    def tell(self, document: Document) -> str:
        head = f"{'stage':<16}{'annotators':>22}{'judgments':>22}"
        lines = [
            f"{stage['stage']:<16}"
            f"{stage['left_annotators']:>12,} ({-stage['removed_annotators']:>+6,})"
            f"{stage['left_judgments']:>13,} ({-stage['removed_judgments']:>+6,})"
            for stage in document["stages"]
        ]
        final = ", ".join(f"{n:,} {ENDS.get(key, key)}" for key, n in document["final"].items())
        done = "" if document["applied"] else "Nothing was recorded; --apply does."
        return "\n".join([head, *lines, final, done]).rstrip()
