"""Forms as a browser without scripts sees them: what a page asks, and what would be posted."""

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class HtmlForm:
    """One form: where it posts, its preset values, the names it can take, its buttons."""

    action: str = ""
    values: dict[str, list[str]] = field(default_factory=dict)
    offered: dict[str, set[str]] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[HtmlForm] = []
        self._open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append(HtmlForm(action=given.get("action", "")))
            self._open = True
        elif self._open and given.get("name"):
            self._field(tag, given)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = False

    def _field(self, tag: str, given: dict[str, str]) -> None:
        form, name, value = self.forms[-1], given["name"], given.get("value", "")
        if tag == "button":
            form.buttons.append((name, value))
            return
        form.offered.setdefault(name, set()).add(value)
        kind = given.get("type", "text")
        if tag == "input" and kind in {"radio", "checkbox"}:
            if "checked" in given:
                form.values.setdefault(name, []).append(value)
        elif tag == "input":
            form.values[name] = [value]


def forms_of(html: str) -> list[HtmlForm]:
    """Return the forms of a page, in order."""
    reader = _Reader()
    reader.feed(html)
    return reader.forms
