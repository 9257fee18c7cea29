"""The addresses of the annotation app; an annotator's carry the person's key and nothing else."""

from django.contrib.auth.views import LogoutView
from django.urls import path, register_converter

from annotation.views import (
    about,
    entry,
    erasures,
    judge,
    leave,
    own_data,
    payments,
    people,
    previews,
    quality,
    session,
    states,
    story,
    studies,
    study,
    texts,
)
from annotation.views.login import StaffLogin


class StepConverter:
    """The two kinds of screens that have drafts."""

    regex = "practice|judge"

    def to_python(self, value: str) -> str:
        """Return the step's name."""
        return value

    def to_url(self, value: str) -> str:
        """Return the step's name."""
        return value


register_converter(StepConverter, "step")

urlpatterns = [
    path("", studies.studies, name="studies"),
    path("login/", StaffLogin.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("studies/<slug:slug>/", study.study_page, name="study"),
    path("studies/<slug:slug>/preview/<slug:name>/", previews.preview_text, name="preview_text"),
    path(
        "studies/<slug:slug>/preview/task/<path:task>/seen/",
        previews.preview_seen,
        name="preview_seen",
    ),
    path("studies/<slug:slug>/preview/task/<path:task>/", previews.preview, name="preview"),
    path("studies/<slug:slug>/annotators/", people.annotators, name="annotators"),
    path(
        "studies/<slug:slug>/annotators/<str:pseudonym>/", people.annotator_page, name="annotator"
    ),
    path(
        "studies/<slug:slug>/annotators/<str:pseudonym>/exclude/",
        quality.annotator_exclude,
        name="annotator_exclude",
    ),
    path(
        "studies/<slug:slug>/annotators/<str:pseudonym>/payment/",
        quality.annotator_payment,
        name="annotator_payment",
    ),
    path(
        "studies/<slug:slug>/annotators/<str:pseudonym>/erase/",
        erasures.annotator_erasure,
        name="annotator_erase",
    ),
    path(
        "studies/<slug:slug>/annotators/<str:pseudonym>/refuse-erasure/",
        erasures.erasure_refusal,
        name="erasure_refuse",
    ),
    path(
        "studies/<slug:slug>/judgments/<int:pk>/exclude/",
        quality.judgment_exclude,
        name="judgment_exclude",
    ),
    path(
        "studies/<slug:slug>/exclusions/<int:pk>/revoke/",
        quality.revoke,
        name="exclusion_revoke",
    ),
    path("studies/<slug:slug>/payments/", payments.payments, name="payments"),
    path("studies/<slug:slug>/payments/approve/", payments.approve, name="payments_approve"),
    path("studies/<slug:slug>/payments/files/", payments.files, name="payment_files"),
    path("studies/<slug:slug>/payments/undo/<slug:batch>/", payments.undo, name="payments_undo"),
    path("studies/<slug:slug>/state/<slug:act>/", states.move, name="study_move"),
    path("studies/<slug:slug>/release/texts/", texts.texts, name="texts"),
    path(
        "studies/<slug:slug>/release/texts/<int:pk>/<slug:dimension>/",
        texts.text_decide,
        name="text_decide",
    ),
    path("studies/<slug:slug>/story/", story.story_page, name="story"),
    path("studies/<slug:slug>/rules/", quality.rules_apply, name="rules_apply"),
    path("studies/<slug:slug>/top-up/", quality.more_people, name="top_up"),
    path("s/<slug:slug>/", entry.entry, name="entry"),
    path("a/<str:key>/", session.person, name="person"),
    path("a/<str:key>/consent/", session.consent, name="consent"),
    path("a/<str:key>/eligibility/", session.eligibility, name="eligibility"),
    path("a/<str:key>/about/", about.about, name="about"),
    path("a/<str:key>/instructions/", session.instructions, name="instructions"),
    path("a/<str:key>/help/", session.help_page, name="help"),
    path("a/<str:key>/practice/<int:number>/", judge.practice, name="practice"),
    path("a/<str:key>/judge/<int:number>/", judge.judge, name="judge"),
    path("a/<str:key>/<step:step>/<int:number>/draft/", judge.draft, name="draft"),
    path("a/<str:key>/copy/", own_data.own_copy, name="own_copy"),
    path("a/<str:key>/copy/my-data.json", own_data.own_copy_file, name="own_copy_file"),
    path("a/<str:key>/finish/", session.finish, name="finish"),
    path("a/<str:key>/leave/", leave.leave, name="leave"),
    path("erased/<str:receipt>/", leave.erased, name="erased"),
]
