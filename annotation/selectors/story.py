"""The log of a study as sentences, a page at a time by the number of the event."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from annotation.models import AuditEvent, Study

ON_A_PAGE: Final = 50

#: What an act is called, after its author: "ada paused the study".
SENTENCES: Final = {
    "study_import": "imported the study",
    "study_import_refused": "tried to import another version of the study, and was refused",
    "preview_confirm": "looked at a task as annotators see it, and found it as it should be",
    "study_pilot": "opened the study as a pilot",
    "study_launch": "opened the study and locked its plan",
    "study_pause": "paused the study",
    "study_close": "closed the study",
    "study_simulate": "let simulated people in",
    "top_up": "planned emptied slots into new forms",
    "exclusion_by_hand": "left out {who}",
    "exclusion_by_rule": "applied the rules and left out {who}",
    "exclusions_apply": "applied the rules",
    "exclusion_revoke": "took back an exclusion of {who}",
    "payment_decide": "decided on the payment of {who}",
    "platform_ids_export": "took the platform's files with ids of people",
    "identities_unlink": "deleted the platform's ids of people",
    "annotator_withdraw": "withdrew: {who}",
    "annotator_erase": "had a person erased",
    "erasure_refuse": "refused to erase {who}",
    "text_accept": "let a text of {who} leave, redacted as suggested",
    "text_edit": "let a text of {who} leave in other words",
    "text_refuse": "held back a text of {who}",
    "text_reopen": "took back the decision on a text of {who}",
    "release_store": "made a release",
    "release_taken": "downloaded a release",
    "release_written": "wrote a release to a folder or file",
    "releases_erase": "erased the stored releases",
    "api_token_create": "made a token by which a program may read the study",
    "api_token_revoke": "ended a token by which a program could read the study",
}
# The same where the author is the person.
BY_THE_PERSON: Final = {"annotator_erase": "had everything about them deleted"}
PERSON: Final = "annotator"
# Told in the sentence, or of no use to a reader.
_SAID = {"annotator", "before", "after", "reason", "batch", "undoes", "events"}


@dataclass(frozen=True, slots=True)
class Told:
    """One act: a sentence, the person it is about (empty: nobody), old and new value, and why."""

    number: int
    at: datetime
    author: str
    sentence: str
    annotator: str
    change: str
    reason: str
    more: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Story:
    """A page of acts, the newest first; `before` leads to older ones, None at the beginning."""

    acts: tuple[Told, ...]
    before: int | None


def story(
    study: Study,
    *,
    verb: str = "",
    author: str = "",
    annotator: str = "",
    before: int | None = None,
) -> Story:
    """Return a page of the log, in one query however long it is."""
    events = AuditEvent.objects.filter(study=study.slug).select_related("detail__annotator")
    if verb:
        events = events.filter(verb=verb)
    if author:
        events = events.filter(author=author)
    if annotator:
        events = events.filter(detail__annotator__pseudonym=annotator)
    if before is not None:
        events = events.filter(number__lt=before)
    found = list(events.order_by("-number")[: ON_A_PAGE + 1])
    shown = found[:ON_A_PAGE]
    more = len(found) > ON_A_PAGE
    return Story(tuple(map(told, shown)), shown[-1].number if more else None)


def told(event: AuditEvent) -> Told:
    """Return an event as a sentence and what belongs to it."""
    data = event.told
    detail = getattr(event, "detail", None)
    who = detail.annotator.pseudonym if detail else ""
    change = f"{data['before']} → {data['after']}" if {"before", "after"} <= data.keys() else ""
    return Told(
        number=event.number,
        at=event.at,
        author="an annotator" if event.author == PERSON else event.author,
        sentence=_sentence(event).format(who=who or "somebody who was erased since"),
        annotator=who,
        change=change,
        reason=str(data.get("reason", "")),
        more=tuple((k.replace("_", " "), _short(v)) for k, v in data.items() if _tells(k, v)),
    )


def _sentence(event: AuditEvent) -> str:
    known = SENTENCES.get(event.verb, event.verb.replace("_", " "))
    if event.verb == "study_launch" and event.data.get("before") == "paused":
        return "resumed the study"
    return BY_THE_PERSON.get(event.verb, known) if event.author == PERSON else known


def _tells(key: str, value: Any) -> bool:
    return key not in _SAID and value not in (None, "")


def _short(value: Any) -> str:
    if isinstance(value, dict):
        value = [f"{name} {number}" for name, number in sorted(value.items())]
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


LONGEST: Final = 80
