"""api_token_list: the keys to the API, without their secrets."""

from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from annotation.management.study_command import Document, StudyCommand
from annotation.selectors.tokens import tokens


class Command(StudyCommand):
    help = "List the tokens of the API."

    def declare(self, parser: ArgumentParser) -> None:
        """Take no argument."""

    def run(self, *, now: datetime, author: str, **options: Any) -> Document:
        del now, author, options
        return {
            "tokens": [
                {
                    "prefix": token.prefix,
                    "name": token.name,
                    "studies": [study.slug for study in token.studies.all()],
                    "created_at": token.created_at.isoformat(),
                    "revoked_at": token.revoked_at and token.revoked_at.isoformat(),
                }
                for token in tokens()
            ]
        }

    def tell(self, document: Document) -> str:
        lines = [
            f"{one['prefix']}  {one['name']}: {', '.join(one['studies'])}"
            + (f" (revoked {one['revoked_at']})" if one["revoked_at"] else "")
            for one in document["tokens"]
        ]
        return "\n".join(lines) or "There is no token: api_token_create makes one."
