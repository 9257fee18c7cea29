"""api_token_create NAME SLUG...: a key to the API, shown once."""

from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from annotation.management.study_command import Document, StudyCommand
from annotation.selectors.studies import study_named
from annotation.services.tokens import api_token_create


class Command(StudyCommand):
    help = "Make a token with which a program may read these studies and run their analyses."

    def declare(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="who uses it")
        parser.add_argument("slugs", nargs="+", metavar="slug", help="a study that it may read")

    def run(self, *, now: datetime, author: str, **options: Any) -> Document:
        studies = [study_named(slug) for slug in dict.fromkeys(options["slugs"])]
        token, secret = api_token_create(options["name"], studies, author=author, now=now)
        return {
            "name": token.name,
            "prefix": token.prefix,
            "studies": [study.slug for study in studies],
            "secret": secret,
        }

    def tell(self, document: Document) -> str:
        return (
            f"{document['secret']}\n"
            f"This is shown once. It opens {', '.join(document['studies'])}; "
            f"api_token_revoke {document['prefix']} ends it."
        )
