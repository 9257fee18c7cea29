"""The addresses of the analysis: for staff alone."""

from django.urls import path

from analysis.views import analyses, monitor, releases, reports, traces

urlpatterns = [
    path("analyses/", analyses.analyses, name="analyses"),
    path("analyses/<int:pk>/", analyses.analysis, name="analysis"),
    path("analyses/<int:pk>/cancel/", analyses.analysis_cancel, name="analysis_cancel"),
    path("analyses/<int:pk>/report/", analyses.analysis_html, name="analysis_html"),
    path("analyses/<int:pk>/json/", analyses.analysis_json, name="analysis_json"),
    path("analyses/<int:pk>/files/", analyses.analysis_files, name="analysis_files"),
    path("studies/<slug:slug>/monitor/", monitor.monitor, name="monitor"),
    path("studies/<slug:slug>/monitor/refresh/", monitor.monitor_refresh, name="monitor_refresh"),
    path("studies/<slug:slug>/reports/", reports.reports, name="reports"),
    path("studies/<slug:slug>/reports/start/", reports.report_start, name="report_start"),
    path("studies/<slug:slug>/reports/<int:pk>/", reports.report, name="report"),
    path(
        "studies/<slug:slug>/reports/<int:pk>/cancel/", reports.report_cancel, name="report_cancel"
    ),
    path("studies/<slug:slug>/reports/<int:pk>/report/", reports.report_html, name="report_html"),
    path("studies/<slug:slug>/reports/<int:pk>/json/", reports.report_json, name="report_json"),
    path("studies/<slug:slug>/reports/<int:pk>/files/", reports.report_files, name="report_files"),
    path("studies/<slug:slug>/release/", releases.releases, name="releases"),
    path("studies/<slug:slug>/release/make/", releases.release_make, name="release_make"),
    path("studies/<slug:slug>/release/cancel/", releases.release_cancel, name="release_cancel"),
    path("studies/<slug:slug>/release/<int:number>/", releases.release_file, name="release_file"),
    path("studies/<slug:slug>/trace-run/", traces.traces_start, name="traces_start"),
    path("studies/<slug:slug>/trace-run/cancel/", traces.traces_cancel, name="traces_cancel"),
    path("studies/<slug:slug>/traces/", traces.traces, name="traces"),
    path("studies/<slug:slug>/traces/<path:item>/", traces.trace_pair, name="trace_pair"),
]
