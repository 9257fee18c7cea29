"""Where the pages of a study lead: the same links on each of them."""

from typing import Any

from django import template
from django.template.context import Context

from analysis.runs.traced import study_is_traced
from annotation.models import Study

register = template.Library()


@register.inclusion_tag("monitor/pages.html", takes_context=True)
def study_pages(context: Context, study: Study) -> dict[str, Any]:
    """Return the links, the one to the page of this request marked."""
    here = context["request"].resolver_match.url_name
    return {"study": study, "here": here, "traced": study_is_traced(study)}
