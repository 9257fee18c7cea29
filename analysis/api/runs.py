"""Runs: start, follow, cancel, and take the result."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from analysis.runs.kinds import REPORTS
from analysis.runs.models import AnalysisRun
from analysis.runs.queue import run_ask, run_cancel
from analysis.runs.stamp import input_stamp
from annotation.api.access import study_of
from annotation.api.pages import NewestFirst

MOST_RESAMPLES, SEEDS_UP_TO = 100_000, 2**53


class ParametersSerializer(serializers.Serializer[Any]):
    """What a run does otherwise than the plan; each makes post hoc what it changes."""

    seed = serializers.IntegerField(min_value=0, max_value=SEEDS_UP_TO, required=False)
    bootstrap = serializers.IntegerField(min_value=1, max_value=MOST_RESAMPLES, required=False)
    sample = serializers.ChoiceField(["analytic", "all"], required=False)

    def to_internal_value(self, data: Any) -> Any:
        """Refuse what no run would look at."""
        unknown = sorted(set(data) - set(self.fields)) if isinstance(data, dict) else []
        if unknown:
            known = ", ".join(self.fields)
            raise serializers.ValidationError(
                dict.fromkeys(unknown, f"No such parameter; there are {known}.")
            )
        return super().to_internal_value(data)


class AskSerializer(serializers.Serializer[Any]):
    """What is asked for."""

    kind = serializers.ChoiceField(REPORTS)
    parameters = ParametersSerializer(required=False)


class RunSerializer(serializers.ModelSerializer[AnalysisRun]):
    """A run without its result."""

    class Meta:
        model = AnalysisRun
        fields = (
            "id",
            "kind",
            "parameters",
            "state",
            "progress",
            "doing",
            "error",
            "input_sha256",
            "plan_sha256",
            "versions",
            "author",
            "asked_at",
            "started_at",
            "ended_at",
        )
        read_only_fields = fields


class RunList(ListAPIView[AnalysisRun]):
    """The runs of a study."""

    serializer_class = RunSerializer
    pagination_class = NewestFirst
    queryset = AnalysisRun.objects.none()

    def get_queryset(self) -> QuerySet[AnalysisRun]:
        """Return the runs that somebody asked for."""
        study = study_of(self.request, self.kwargs["slug"])
        return _runs().filter(study=study)

    @extend_schema(request=AskSerializer, responses={202: RunSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Start a run; the same question while one is on its way is that one."""
        study = study_of(request, slug)
        asked = AskSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        run = run_ask(
            study,
            asked.validated_data["kind"],
            dict(asked.validated_data.get("parameters", {})),
            input_sha256=input_stamp(study),
            author=str(request.user),
            now=timezone.now(),
        )
        return Response(RunSerializer(run).data, status=status.HTTP_202_ACCEPTED)


class RunDetail(APIView):
    """One run."""

    @extend_schema(responses=RunSerializer)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return how far a run is."""
        return Response(RunSerializer(_run(request, slug, pk)).data)


class RunCancel(APIView):
    """The end of a run before its end."""

    @extend_schema(request=None, responses={202: RunSerializer})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Stop a run: at once where it waits, at its next step where it runs."""
        run_cancel(_run(request, slug, pk), now=timezone.now())
        run = RunSerializer(_run(request, slug, pk))
        return Response(run.data, status=status.HTTP_202_ACCEPTED)


class RunResult(APIView):
    """What came of a run."""

    @extend_schema(responses={200: {"type": "object"}, 404: {"type": "object"}})
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return the numbers of a finished run as one document, and in `run` what they stand on."""
        study = study_of(request, slug)
        done = AnalysisRun.objects.filter(state=AnalysisRun.State.DONE, kind__in=REPORTS)
        run = get_object_or_404(done, pk=pk, study=study)
        found = run.result or {}
        return Response({"run": RunSerializer(run).data} | found.get("document", found))


def _runs() -> QuerySet[AnalysisRun]:
    return AnalysisRun.objects.filter(kind__in=REPORTS).defer("result")


def _run(request: Request, slug: str, pk: int) -> AnalysisRun:
    return get_object_or_404(_runs(), pk=pk, study=study_of(request, slug))
