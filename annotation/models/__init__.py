"""What is stored; an invariant is a constraint here first."""

from annotation.models.answers import Answer, AnswerRevision, Draft
from annotation.models.audit import AuditDetail, AuditEvent, AuditHead, Erasure
from annotation.models.exclusions import Exclusion, ExclusionRevocation
from annotation.models.items import InstrumentVersion, Item, Passage
from annotation.models.logins import FailedLogin
from annotation.models.people import (
    Annotator,
    Consent,
    Demographics,
    PlatformIdentity,
    PlatformSession,
    Screening,
)
from annotation.models.releases import Release
from annotation.models.reviews import TextReview
from annotation.models.slots import Assignment, Claim, Exposure, Form, Slot
from annotation.models.studies import PlanLock, Study
from annotation.models.tokens import ApiToken

__all__ = [
    "Annotator",
    "Answer",
    "AnswerRevision",
    "ApiToken",
    "Assignment",
    "AuditDetail",
    "AuditEvent",
    "AuditHead",
    "Claim",
    "Consent",
    "Demographics",
    "Draft",
    "Erasure",
    "Exclusion",
    "ExclusionRevocation",
    "Exposure",
    "FailedLogin",
    "Form",
    "InstrumentVersion",
    "Item",
    "Passage",
    "PlanLock",
    "PlatformIdentity",
    "PlatformSession",
    "Release",
    "Screening",
    "Slot",
    "Study",
    "TextReview",
]
