"""The researcher's Markdown texts as HTML; raw HTML in them is shown, never run."""

from django.utils.safestring import SafeString
from markdown_it import MarkdownIt

_READER = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


def as_html(text: str) -> SafeString:
    """Return the HTML of a Markdown text; safe, since `html` is off and all else is escaped."""
    html: str = _READER.render(text)
    return SafeString(html)
