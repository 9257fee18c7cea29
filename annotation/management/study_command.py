"""What the study commands share: one JSON document or words, and a refusal as a sentence."""

import getpass
import sys
from abc import abstractmethod
from argparse import ArgumentParser
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError
from django.utils import timezone

from annotation.errors import Refused
from annotation.management.database import no_answer, ready_database
from annotation.studyfile import StudyFolderInvalid, canonical_json

Document = dict[str, Any]


class StudyCommand(BaseCommand):
    """A command that does one thing and prints what came of it.

    A subclass declares its arguments and `run`, which returns the JSON document, and may say the same
    in words in `tell`.
    """

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add `--json` to what the subclass declares."""
        self.declare(parser)
        parser.add_argument("--json", action="store_true", help="print one JSON document")

    def declare(self, parser: ArgumentParser) -> None:
        """Declare the arguments; by default a study's slug."""
        parser.add_argument("slug", help="the study's slug")

    @abstractmethod
    def run(self, *, now: datetime, author: str, **options: Any) -> Document:
        """Do it and return the document."""

    def tell(self, document: Document) -> str:
        """Return the document in words."""
        return "\n".join(f"{key}: {value}" for key, value in document.items())

    def handle(self, *args: Any, **options: Any) -> None:
        """Run, print, and turn a refusal into exit status 1."""
        try:
            ready_database()
            document = self.run(now=timezone.now(), author=author(), **options)
        except Refused as refused:
            raise CommandError(refused.message) from None
        except StudyFolderInvalid as invalid:
            raise CommandError(_errors(invalid, options.get("folder"))) from None
        except OSError as fault:
            raise CommandError(f"{fault.filename}: {fault.strerror}.") from None
        except OperationalError as fault:
            raise no_answer(fault) from None
        if options["json"]:
            self.stdout.write(canonical_json(document))
        else:
            self.stdout.write(self.tell(document))
        if document.get("ok") is False:
            sys.exit(1)


def author() -> str:
    """Return who runs the command, for the log."""
    try:
        return f"command:{getpass.getuser()}"
    except (KeyError, OSError):
        return "command"


def _errors(invalid: StudyFolderInvalid, folder: Path | None) -> str:
    lines = [str(error) for error in invalid.errors]
    many = f"{len(lines)} errors" if len(lines) > 1 else "an error"
    return "\n".join([f"{folder} has {many}; nothing was imported.", *lines])
