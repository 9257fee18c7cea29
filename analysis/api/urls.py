"""The addresses of the API over runs and what they found."""

from django.urls import path

from analysis.api.numbers import CoverageView, FunnelView, MonitorView
from analysis.api.runs import RunCancel, RunDetail, RunList, RunResult

urlpatterns = [
    path("studies/<slug:slug>/funnel/", FunnelView.as_view(), name="api_funnel"),
    path("studies/<slug:slug>/coverage/", CoverageView.as_view(), name="api_coverage"),
    path("studies/<slug:slug>/monitor/", MonitorView.as_view(), name="api_monitor"),
    path("studies/<slug:slug>/runs/", RunList.as_view(), name="api_runs"),
    path("studies/<slug:slug>/runs/<int:pk>/", RunDetail.as_view(), name="api_run"),
    path("studies/<slug:slug>/runs/<int:pk>/cancel/", RunCancel.as_view(), name="api_run_cancel"),
    path("studies/<slug:slug>/runs/<int:pk>/result/", RunResult.as_view(), name="api_run_result"),
]
