"""Which words of typed texts are ids on record: asked of the database for many texts at once."""

from collections.abc import Iterable, Iterator, Sequence

from django.db.models import Q

from annotation.models import Annotator, PlatformIdentity, PlatformSession, Study
from annotation.redaction.detect import findings_in
from annotation.redaction.findings import Finding
from annotation.selectors.studies import study_definition
from annotation.services.identities import lookup_of

AT_ONCE = 5_000


def suggestions(study: Study, texts: Sequence[str]) -> list[tuple[Finding, ...]]:
    """Return what each text holds that could tell who typed it, ids of the study's people included."""
    asked: set[str] = set()

    def note(word: str) -> bool:
        asked.add(word)
        return False

    for text in texts:
        findings_in(text, note)
    known = known_ids(study, asked)
    return [findings_in(text, known.__contains__) for text in texts]


def known_ids(study: Study, words: Iterable[str]) -> frozenset[str]:
    """Return those of the words that are a key, token, platform id, visit or code of the study."""
    # NUL stands in no id, and PostgreSQL takes none.
    asked = sorted(word for word in set(words) if "\x00" not in word)
    codes = set(study_definition(study).recruitment.codes.values()).intersection(asked)
    found = {word for some in _some(asked) for word in _on_record(study, some)}
    return frozenset(found | codes)


def _on_record(study: Study, words: list[str]) -> Iterator[str]:
    provider = study_definition(study).recruitment.provider
    people = {lookup_of(study, provider, word): word for word in words}
    visits = {lookup_of(study, f"{provider} session", word): word for word in words}
    identities = PlatformIdentity.objects.filter(study=study, lookup__in=people)
    for lookup in identities.values_list("lookup", flat=True):
        yield people[lookup]
    sessions = PlatformSession.objects.filter(annotator__study=study, lookup__in=visits)
    for lookup in sessions.values_list("lookup", flat=True):
        yield visits[lookup]
    one_of = Q(pseudonym__in=words) | Q(access_key__in=words) | Q(entry_token__in=words)
    for row in Annotator.objects.filter(one_of, study=study).values_list(
        "pseudonym", "access_key", "entry_token"
    ):
        yield from row


def _some(words: list[str]) -> Iterator[list[str]]:
    return (words[start : start + AT_ONCE] for start in range(0, len(words), AT_ONCE))
