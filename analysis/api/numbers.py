"""Funnel, coverage and the rest of the monitor: the numbers of the last background run."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from analysis.runs.watch import Watch, monitor_ask, watch
from annotation.api.access import study_of

NOT_YET = "Not computed yet: POST to the monitor's address asks for it."


class StageSerializer(serializers.Serializer[Any]):
    """A stage of the funnel."""

    stage = serializers.CharField()
    rule = serializers.CharField(allow_null=True)
    removed_annotators = serializers.IntegerField()
    removed_judgments = serializers.IntegerField()
    left_annotators = serializers.IntegerField()
    left_judgments = serializers.IntegerField()


class WhenSerializer(serializers.Serializer[Any]):
    """When the numbers were computed, and whether new ones are on their way."""

    at = serializers.DateTimeField(allow_null=True)
    waiting = serializers.BooleanField()
    reason = serializers.CharField(allow_blank=True, help_text="why there are no numbers")


class FunnelSerializer(WhenSerializer):
    """The funnel."""

    stages = StageSerializer(many=True)
    final = serializers.DictField(child=serializers.IntegerField())


class BandSerializer(serializers.Serializer[Any]):
    """Items with so many judgments."""

    judgments = serializers.IntegerField()
    items = serializers.IntegerField()


class CoverageSerializer(WhenSerializer):
    """Coverage."""

    items = serializers.IntegerField(allow_null=True)
    needed_annotators = serializers.IntegerField(allow_null=True)
    over_assigned = serializers.IntegerField(allow_null=True)
    coverage = BandSerializer(many=True)


class MonitorSerializer(WhenSerializer):
    """All numbers of the monitor."""

    numbers = serializers.DictField(allow_null=True)


class FunnelView(APIView):
    """The funnel of a study."""

    @extend_schema(responses=FunnelSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return who is in, who is out and by which rule, as of the last background run."""
        found = watch(study_of(request, slug))
        funnel = _numbers(found).get("funnel", {"stages": [], "final": {}})
        return Response(FunnelSerializer(_when(found) | funnel).data)


class CoverageView(APIView):
    """The coverage of a study."""

    @extend_schema(responses=CoverageSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return how many items have how many judgments, as of the last background run."""
        found = watch(study_of(request, slug))
        numbers = _numbers(found)
        document = {
            key: numbers.get(key) for key in ("items", "needed_annotators", "over_assigned")
        }
        bands = [{"judgments": n, "items": items} for n, items in numbers.get("coverage", [])]
        return Response(CoverageSerializer(_when(found) | document | {"coverage": bands}).data)


class MonitorView(APIView):
    """The monitor of a study."""

    @extend_schema(responses=MonitorSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return all numbers of the monitor, as of the last background run."""
        return Response(_monitor(watch(study_of(request, slug))))

    @extend_schema(request=None, responses={202: MonitorSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Ask for new numbers, if they are due, and return those there are."""
        study = study_of(request, slug)
        found = monitor_ask(study, author=str(request.user), now=timezone.now())
        return Response(_monitor(found), status=status.HTTP_202_ACCEPTED)


def _monitor(found: Watch) -> dict[str, Any]:
    numbers = _numbers(found) or None
    return dict(MonitorSerializer(_when(found) | {"numbers": numbers}).data)


def _numbers(found: Watch) -> dict[str, Any]:
    return (found.done.result or {}) if found.done else {}


def _when(found: Watch) -> dict[str, Any]:
    return {
        "at": found.done.ended_at if found.done else None,
        "waiting": found.waiting,
        "reason": "" if found.done else NOT_YET,
    }
