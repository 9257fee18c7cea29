"""What every stored column is, as far as leaving goes. What stands not in this table does not leave."""

from enum import StrEnum


class Kind(StrEnum):
    """Only what is public leaves as it is; the rest leaves changed, or not at all."""

    PUBLIC = "public"
    QUASI_IDENTIFIER = "quasi_identifier"
    IDENTIFIER = "identifier"
    FREE_TEXT = "free_text"
    INTERNAL = "internal"


_PUBLIC = """
Study.slug Study.title Study.state Study.seed Study.design
PlanLock.canonical_json PlanLock.sha256
Passage.key Passage.text Passage.lang
Item.key Item.task Item.fields Item.conflicts
InstrumentVersion.task InstrumentVersion.sha256 InstrumentVersion.document InstrumentVersion.current
Consent.text_sha256
Slot.replication
Assignment.position Assignment.presentation
Answer.server_seconds Answer.active_seconds
Exclusion.unit Exclusion.rule Exclusion.rule_version
"""

# Exact times join a person to the platform's records; answers about oneself to anybody's.
_QUASI_IDENTIFIER = """
Annotator.state Annotator.arrived_at Annotator.finished_at
PlatformSession.started_at
Consent.language Consent.at
Screening.answers Screening.at
Demographics.answers Demographics.at
Claim.claimed_at Claim.lease_until Claim.ended_at
Assignment.opened_at
Answer.submitted_at
AnswerRevision.received_at
Draft.saved_at
Exclusion.at ExclusionRevocation.at
AuditEvent.at
Erasure.at
Release.made_at Release.erased_at
TextReview.at
AnalysisRun.asked_at AnalysisRun.started_at AnalysisRun.heartbeat_at AnalysisRun.ended_at
RunShard.heartbeat_at
User.last_login User.date_joined Session.expire_date LogEntry.action_time
"""

_IDENTIFIER = """
Annotator.pseudonym Annotator.access_key Annotator.entry_token
PlatformIdentity.lookup PlatformIdentity.ciphertext
PlatformSession.lookup PlatformSession.ciphertext
Exclusion.author ExclusionRevocation.author
AuditEvent.author AuditEvent.data
AuditDetail.salt AuditDetail.data
Erasure.receipt Erasure.author
ApiToken.author ApiToken.prefix ApiToken.sha256
Release.author
TextReview.sha256 TextReview.reviewer
AnalysisRun.author RunShard.token
User.username User.first_name User.last_name User.email User.password
Session.session_key Session.session_data
LogEntry.user LogEntry.object_repr LogEntry.change_message
"""

# `values` and `posted` hold chosen options and numbers too, but what is typed stands among them.
_FREE_TEXT = """
Answer.values AnswerRevision.values Draft.posted
Exclusion.reason ExclusionRevocation.reason
TextReview.text
"""

# Keys, states of the machinery, results (a release computes its own from its tables), and what would
# tell who came when: forms are given out in the order of their `seq`. `document` and `folder_sha256`
# cover the completion codes.
_INTERNAL = """
Study.id Study.document Study.folder_sha256 Study.created_at Study.launched_at Study.closed_at
PlanLock.study PlanLock.locked_at
Passage.id Passage.study
Item.id Item.study Item.passage Item.practice Item.expect Item.feedback
InstrumentVersion.id InstrumentVersion.study
Annotator.id Annotator.study Annotator.payment Annotator.pilot
Annotator.simulated
PlatformIdentity.annotator PlatformIdentity.study PlatformIdentity.provider
PlatformSession.id PlatformSession.annotator
Consent.id Consent.annotator Consent.given
Screening.annotator Screening.passed
Demographics.annotator
TextReview.id TextReview.study TextReview.answer TextReview.dimension TextReview.decision
TextReview.suggestions
Form.id Form.study Form.seq Form.state Form.top_up
Slot.id Slot.item Slot.replicate Slot.form Slot.place Slot.flipped
Claim.id Claim.form Claim.annotator Claim.consent Claim.state Claim.seed
Assignment.id Assignment.claim Assignment.annotator Assignment.kind Assignment.slot Assignment.item
Assignment.check_index Assignment.active Assignment.clash
Exposure.id Exposure.annotator Exposure.assignment Exposure.key
Answer.assignment Answer.instrument Answer.surplus
AnswerRevision.id AnswerRevision.answer AnswerRevision.number AnswerRevision.key
AnswerRevision.active_seconds
Draft.assignment
Exclusion.id Exclusion.study Exclusion.annotator Exclusion.answer
ExclusionRevocation.exclusion
AuditEvent.id AuditEvent.number AuditEvent.verb AuditEvent.study AuditEvent.previous
AuditEvent.commitment AuditEvent.sha256
AuditDetail.event AuditDetail.annotator
AuditHead.id AuditHead.events AuditHead.sha256
Erasure.id Erasure.study Erasure.counts
Release.id Release.study Release.number Release.state Release.sha256 Release.size Release.manifest
FailedLogin.id FailedLogin.key FailedLogin.at
ApiToken.id ApiToken.name ApiToken.created_at ApiToken.revoked_at
ApiToken_studies.id ApiToken_studies.apitoken ApiToken_studies.study
AnalysisRun.id AnalysisRun.study AnalysisRun.kind AnalysisRun.parameters AnalysisRun.fingerprint
AnalysisRun.input_sha256 AnalysisRun.plan_sha256 AnalysisRun.versions AnalysisRun.state
AnalysisRun.progress AnalysisRun.doing AnalysisRun.result AnalysisRun.error AnalysisRun.cancel_asked
AnalysisRun.attempts
RunShard.id RunShard.run RunShard.number RunShard.parameters RunShard.state RunShard.progress
RunShard.attempts RunShard.result RunShard.error
User.id User.is_superuser User.is_staff User.is_active
User_groups.id User_groups.user User_groups.group
User_user_permissions.id User_user_permissions.user User_user_permissions.permission
Group.id Group.name Group_permissions.id Group_permissions.group Group_permissions.permission
Permission.id Permission.name Permission.content_type Permission.codename
ContentType.id ContentType.app_label ContentType.model
LogEntry.id LogEntry.content_type LogEntry.object_id LogEntry.action_flag
"""

CLASSES: dict[str, Kind] = {
    column: kind
    for kind, columns in {
        Kind.PUBLIC: _PUBLIC,
        Kind.QUASI_IDENTIFIER: _QUASI_IDENTIFIER,
        Kind.IDENTIFIER: _IDENTIFIER,
        Kind.FREE_TEXT: _FREE_TEXT,
        Kind.INTERNAL: _INTERNAL,
    }.items()
    for column in columns.split()
}


def kept_back() -> list[str]:
    """Return the stored columns that do not leave as they are."""
    return sorted(column for column, kind in CLASSES.items() if kind is not Kind.PUBLIC)
