"""api_token_revoke PREFIX: the end of a key to the API."""

from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from annotation.management.study_command import Document, StudyCommand
from annotation.services.tokens import api_token_revoke


class Command(StudyCommand):
    help = "End a token of the API at once."

    def declare(self, parser: ArgumentParser) -> None:
        parser.add_argument("prefix", help="the first twelve letters of its secret")

    def run(self, *, now: datetime, author: str, **options: Any) -> Document:
        token = api_token_revoke(options["prefix"], author=author, now=now)
        return {"prefix": token.prefix, "name": token.name, "revoked": True}
