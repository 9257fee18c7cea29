"""Where the pages of a study lead: the same links on each of them."""

from typing import Any

from django import template
from django.template.context import Context
from django.urls import reverse

from analysis.runs.traced import study_is_traced
from annotation.models import Study

register = template.Library()

# Titles by the name of the address, in the order they stand in.
PAGES = {
    "study": "Study",
    "monitor": "Monitor",
    "annotators": "Annotators",
    "payments": "Payments",
    "reports": "Reports",
    "traces": "Traces",
    "texts": "Texts",
    "releases": "Release",
    "story": "Story",
}


@register.inclusion_tag("monitor/pages.html", takes_context=True)
def study_pages(context: Context, study: Study) -> dict[str, Any]:
    """Return the links, the one to the page of this request marked."""
    here = context["request"].resolver_match.url_name
    names = [name for name in PAGES if name != "traces" or study_is_traced(study)]
    return {
        "links": [
            {"url": reverse(name, args=[study.slug]), "title": PAGES[name], "here": name == here}
            for name in names
        ]
    }
