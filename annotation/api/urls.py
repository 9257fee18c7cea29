"""The addresses of the API over what is collected."""

from django.urls import path

from annotation.api.judgments import JudgmentList
from annotation.api.studies import StudyDetail, StudyList

urlpatterns = [
    path("studies/", StudyList.as_view(), name="api_studies"),
    path("studies/<slug:slug>/", StudyDetail.as_view(), name="api_study"),
    path("studies/<slug:slug>/judgments/", JudgmentList.as_view(), name="api_judgments"),
]
