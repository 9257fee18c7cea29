"""Judgments by pseudonym, one answer a row with its dimensions; what was typed stays behind."""

from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.access import study_of
from annotation.api.pages import ByKey
from annotation.models import Answer
from annotation.selectors.judgments import answer_judgments, collected_answers, counted_answers
from annotation.selectors.studies import study_definition
from annotation.tasktypes.instrument import Scale

SAMPLES = {"analytic": counted_answers, "all": collected_answers}


class DimensionSerializer(serializers.Serializer[Any]):
    """One dimension of an answer."""

    dimension = serializers.CharField()
    scale = serializers.ChoiceField([s.value for s in Scale if s is not Scale.TEXT])
    value = serializers.JSONField(allow_null=True, help_text="text or number; null: see `missing`")
    missing = serializers.CharField(allow_blank=True)


class JudgmentSerializer(serializers.Serializer[Any]):
    """One answer to one item."""

    item = serializers.CharField()
    task = serializers.CharField()
    annotator = serializers.CharField(help_text="a pseudonym")
    position = serializers.IntegerField()
    server_seconds = serializers.FloatField()
    active_seconds = serializers.FloatField(allow_null=True)
    judgments = DimensionSerializer(many=True)


class JudgmentList(ListAPIView[Answer]):
    """The judgments of a study."""

    serializer_class = JudgmentSerializer
    pagination_class = ByKey
    queryset = Answer.objects.none()

    @extend_schema(
        parameters=[OpenApiParameter("sample", enum=list(SAMPLES), default="analytic")],
        description=(
            "`analytic`: what counts, by the exclusions that are recorded. `all`: every answer "
            "outside the pilot of people who have not withdrawn. Times of day and typed text are "
            "left out."
        ),
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return a page of judgments."""
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[Answer]:
        """Return the sample that is asked for."""
        study = study_of(self.request, self.kwargs["slug"])
        sample = self.request.query_params.get("sample", "analytic")
        if sample not in SAMPLES:
            raise ValidationError({"sample": f"Choose one of {', '.join(SAMPLES)}."})
        self.definition = study_definition(study)
        # Walked by key, so that a page costs its rows and not the study: a join would be sorted.
        of_sample = SAMPLES[sample](study).filter(pk=OuterRef("pk"))
        return Answer.objects.filter(Exists(of_sample)).select_related(
            "assignment__item", "assignment__annotator"
        )

    def get_serializer(self, answers: Any = (), **options: Any) -> Any:
        """Return the rows of a page."""
        return JudgmentSerializer([self._row(answer) for answer in answers], **options)

    def _row(self, answer: Answer) -> dict[str, Any]:
        assignment = answer.assignment
        rows = answer_judgments(answer, self.definition)
        return {
            "item": assignment.item.key,
            "task": assignment.item.task,
            "annotator": assignment.annotator.pseudonym,
            "position": assignment.position,
            "server_seconds": answer.server_seconds,
            "active_seconds": answer.active_seconds,
            "judgments": [
                {
                    "dimension": row.dimension,
                    "scale": row.scale.value,
                    "value": row.value,
                    "missing": row.missing,
                }
                for row in rows
                if row.scale is not Scale.TEXT
            ],
        }
