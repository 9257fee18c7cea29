"""What a release says of itself, gathered once for every file that says it."""

import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db.models import Max

from annotation.models import Answer, Assignment, Study
from annotation.selectors.studies import study_definition
from annotation.studyfile.definition import Publication, StudyDefinition
from annotation.studyfile.publication import LICENCES, Licence

FIRST_VERSION: Final = "1.0.0"
# What the release does without where the study says nothing, in the words of its page and README.
NEEDED: Final = {
    "licence": "No licence is declared, so nobody may use the data but by law.",
    "creators": "No creators are named, so nobody can be cited.",
    "description": "No description is given; the title stands in its place.",
    "country": "Where people were recruited is not declared.",
    "pay_per_hour": "What people were paid is not declared.",
    "url": "No address is given at which the data or their paper can be found.",
}


@dataclass(frozen=True)
class Facts:
    """The study as its archive tells of it."""

    study: Study

    @cached_property
    def definition(self) -> StudyDefinition:
        """What the folder said."""
        return study_definition(self.study)

    @property
    def said(self) -> Publication:
        """What the researcher said of the archive."""
        return self.definition.publication

    @property
    def licence(self) -> Licence | None:
        """The licence, if one is declared."""
        return LICENCES.get(self.said.licence)

    @property
    def description(self) -> str:
        """What it is, in a sentence."""
        return self.said.description or self.study.title

    @property
    def version(self) -> str:
        """The version as it was said."""
        return self.said.version or FIRST_VERSION

    @property
    def full_version(self) -> str:
        """The version with its three numbers."""
        return self.version + ".0" * (2 - self.version.count("."))

    @property
    def missing(self) -> list[str]:
        """What only the researcher knows and has not said, in sentences."""
        return [sentence for key, sentence in NEEDED.items() if not getattr(self.said, key)]

    @cached_property
    def months(self) -> tuple[str, str]:
        """The months in which collection began and ended; nothing more exact leaves."""
        answers = Answer.objects.filter(
            assignment__item__study=self.study,
            assignment__kind=Assignment.Kind.JUDGE,
            assignment__annotator__pilot=False,
        )
        began = self.study.launched_at
        ended = answers.aggregate(last=Max("submitted_at"))["last"] or began
        return tuple(f"{at:%Y-%m}" if at else "" for at in (began, ended))  # type: ignore[return-value]  # two

    @property
    def citation(self) -> str:
        """How the data are cited."""
        if self.said.citation:
            return self.said.citation
        names = "; ".join(creator.name for creator in self.said.creators) or self.study.slug
        return f"{names} ({self.months[1][:4]}). {self.study.title} (version {self.version}). Data set."

    @property
    def languages(self) -> list[str]:
        """The languages of the study's own texts and of its passages."""
        passages = self.study.passages.exclude(lang="").values_list("lang", flat=True)
        return sorted({self.definition.language, *passages.distinct()})


def software_version() -> str:
    """Return the version of Parallax."""
    text = (Path(settings.BASE_DIR) / "pyproject.toml").read_text(encoding="utf-8")
    return str(tomllib.loads(text)["project"]["version"])
