"""Studies, as a program sees them."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.access import study_of, token_of
from annotation.api.pages import ByKey
from annotation.models import Study
from annotation.selectors.progress import annotators_by_state, open_forms
from annotation.selectors.tokens import studies_of


class PlanLockSerializer(serializers.Serializer[Any]):
    """The locked plan."""

    sha256 = serializers.CharField()
    locked_at = serializers.DateTimeField()


class StudySerializer(serializers.ModelSerializer[Study]):
    """A study."""

    plan_lock = serializers.SerializerMethodField()

    class Meta:
        model = Study
        fields = ("slug", "title", "state", "launched_at", "closed_at", "plan_lock")

    @extend_schema_field(PlanLockSerializer(allow_null=True))
    def get_plan_lock(self, study: Study) -> dict[str, Any] | None:
        """Return the digest and the time of the lock, or nothing before the launch."""
        lock = getattr(study, "plan_lock", None)
        return PlanLockSerializer(lock).data if lock else None


class NowSerializer(StudySerializer):
    """A study with what is cheap to count, as it is now."""

    annotators = serializers.SerializerMethodField()
    open_forms = serializers.SerializerMethodField()

    class Meta(StudySerializer.Meta):
        fields = (*StudySerializer.Meta.fields, "annotators", "open_forms")  # type: ignore[assignment]

    @extend_schema_field(serializers.DictField(child=serializers.IntegerField()))
    def get_annotators(self, study: Study) -> dict[str, int]:
        """Return how many people are in each state."""
        return annotators_by_state(study)

    def get_open_forms(self, study: Study) -> int:
        """Return how many forms wait for somebody."""
        return open_forms(study)


class StudyList(ListAPIView[Study]):
    """The studies that the token opens."""

    serializer_class = StudySerializer
    pagination_class = ByKey
    queryset = Study.objects.none()

    def get_queryset(self) -> QuerySet[Study]:
        """Return no other study."""
        return studies_of(token_of(self.request))


class StudyDetail(APIView):
    """One study."""

    @extend_schema(responses=NowSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return one study with what is cheap to count, as it is now."""
        return Response(NowSerializer(study_of(request, slug)).data)
