"""`study.yaml` as a tree that remembers its lines, keeps scalars as written and trusts nothing."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from annotation.studyfile.errors import SETTINGS_FILE, Findings
from annotation.studyfile.wording import shown, text_fault

MAX_DEPTH = 24
FLOW_HINT = " Inside {…} and […], a text with a comma, colon or question mark needs quotes."
WHOLE = re.compile(r"[-+]?(0|[1-9][0-9]{0,17})")
DECIMAL = re.compile(r"[-+]?([0-9]{1,30}(\.[0-9]{0,30})?|\.[0-9]{1,30})([eE][-+]?[0-9]{1,3})?")


@dataclass(frozen=True, slots=True)
class Node:
    """A value of the file: text (as written), a list, a mapping, or nothing.

    `line` is the line of the key that holds it. `plain` text was written without quotation marks.
    """

    path: str
    line: int
    value: "str | list[Node] | dict[str, Node] | None"
    plain: bool = False

    def kind(self) -> str:
        """Return in words what stands here."""
        if isinstance(self.value, list):
            return "a list"
        if isinstance(self.value, dict):
            return "a mapping"
        return "nothing" if self.value is None else "a single value"

    def children(self) -> "Iterator[Node]":
        """Iterate over what a list or a mapping holds."""
        if isinstance(self.value, dict):
            yield from self.value.values()
        elif isinstance(self.value, list):
            yield from self.value

    def data(self) -> Any:
        """Return plain data, in which unquoted numbers and true/false are what they look like."""
        if isinstance(self.value, dict):
            return {key: node.data() for key, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.data() for node in self.value]
        if self.value is None or not self.plain:
            return self.value
        return _typed(self.value)


def _typed(text: str) -> str | int | float | bool:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if WHOLE.fullmatch(text):
        return int(text)
    number = float(text) if DECIMAL.fullmatch(text) else math.nan
    if not math.isfinite(number):
        return text
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


class _Loader(yaml.SafeLoader):
    """Composes nodes only: no tag is obeyed, no alias is followed, no depth exhausts the stack."""

    _depth = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """Compose a node after looking at what it asks for."""
        event = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            self._refuse("anchors (&) and aliases (*) are not used here: write the value out")
        if getattr(event, "tag", None) is not None:
            self._refuse("tags (!) are not used here: write the value alone")
        if self._depth >= MAX_DEPTH:
            self._refuse(f"it is nested more than {MAX_DEPTH} deep")
        self._depth += 1
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node

    def _refuse(self, problem: str) -> None:
        mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
        raise yaml.composer.ComposerError(None, None, problem, mark)


def compose(text: str, findings: Findings) -> Node | None:
    """Return the tree of `study.yaml`, or None with a finding where it is not YAML."""
    loader = None
    try:
        loader = _Loader(text)
        root = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        said = ": ".join(part for part in (error.context, error.problem) if part)
        hint = FLOW_HINT if "flow" in (error.context or "") else ""
        findings.add(SETTINGS_FILE, line, "", f"The YAML cannot be read here: {said}.{hint}")
        return None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, int(error.position)) + 1
        message = f"The character U+{int(error.character):04X} cannot stand in YAML; remove it."
        findings.add(SETTINGS_FILE, line, "", message)
        return None
    except (ValueError, OverflowError):
        line = loader.line + 1 if loader else None
        message = r"The YAML cannot be read here: an escape such as \UFFFFFFFF is no character."
        findings.add(SETTINGS_FILE, line, "", message)
        return None
    tree = None if root is None else _convert(root, "", 1, findings)
    if tree is None or tree.value is None:
        findings.add(SETTINGS_FILE, None, "", "The file is empty; it must describe the study.")
        return None
    return tree


def _convert(node: yaml.Node, path: str, line: int, findings: Findings) -> Node:
    if isinstance(node, yaml.MappingNode):
        return Node(path, line, _members(node, path, findings))
    if isinstance(node, yaml.SequenceNode):
        entries = [
            _convert(entry, f"{path}[{n}]", entry.start_mark.line + 1, findings)
            for n, entry in enumerate(node.value, start=1)
        ]
        return Node(path, line, entries)
    plain = getattr(node, "style", None) is None
    if plain and node.value in ("", "~", "null"):
        return Node(path, line, None)
    if fault := text_fault(node.value):
        findings.add(SETTINGS_FILE, line, path, f"The value {fault}")
    return Node(path, line, node.value, plain=plain)


def _members(node: yaml.MappingNode, path: str, findings: Findings) -> dict[str, Node]:
    members: dict[str, Node] = {}
    for key_node, value_node in node.value:
        line = key_node.start_mark.line + 1
        if not isinstance(key_node, yaml.ScalarNode):
            findings.add(SETTINGS_FILE, line, path, "A key is a word, not a list or a mapping.")
            continue
        key = key_node.value
        inner = f"{path}.{key}" if path else key
        if fault := text_fault(key):
            findings.add(SETTINGS_FILE, line, path, f"A key {fault}")
        elif key in members:
            first = members[key].line
            message = f"The key {shown(key)} stands twice; the first is on line {first}."
            findings.add(SETTINGS_FILE, line, inner, message)
        else:
            members[key] = _convert(value_node, inner, line, findings)
    return members
