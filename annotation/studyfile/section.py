"""Reading a mapping of `study.yaml` key by key; whatever is wrong becomes a finding."""

import re
from collections.abc import Collection, Mapping
from typing import Any

from annotation.studyfile.errors import SETTINGS_FILE, Findings
from annotation.studyfile.wording import listed, nearest, shown, similar
from annotation.studyfile.yaml_nodes import DECIMAL, WHOLE, Node

KEY = re.compile(r"[a-z][a-z0-9_]{0,49}")
FLAGS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
LARGEST = 2**31 - 1


class Section:
    """A mapping whose keys are known; reading a faulty one gives a neutral value and a finding."""

    def __init__(self, node: Node, findings: Findings, known: Collection[str]) -> None:
        self.node = node
        self.findings = findings
        self.members: Mapping[str, Node] = {}
        if not isinstance(node.value, dict):
            self.fault(node, f"Here stands {node.kind()}; a mapping of {listed(known)} is wanted.")
            return
        self.members = node.value
        for key in node.value.keys() - set(known):
            place = f"of {node.path}" if node.path else "of study.yaml"
            self.fault(node.value[key], f"{shown(key)} is not a key {place}.{nearest(key, known)}")

    def fault(self, node: Node, message: str) -> None:
        """Note a fault at a node."""
        self.findings.add(SETTINGS_FILE, node.line, node.path, message)

    def fault_at(self, key: str, message: str) -> None:
        """Note a fault at a key, or at the mapping where the key is missing."""
        self.fault(self.at(key), message)

    def warn_at(self, key: str, message: str) -> None:
        """Note a warning at a key."""
        node = self.at(key)
        self.findings.warn(SETTINGS_FILE, node.line, node.path, message)

    def at(self, key: str) -> Node:
        """Return the node of a key; where it is missing, one that stands in its place."""
        path = f"{self.node.path}.{key}" if self.node.path else key
        return self.members.get(key) or Node(path, self.node.line, None)

    def has(self, key: str) -> bool:
        """Whether the key is there, with a value or without."""
        return key in self.members

    def scalar(self, key: str, default: str | None = None) -> str | None:
        """Return a single value as written; None (with a finding) where a required one is not."""
        node = self.at(key)
        if isinstance(node.value, str):
            return node.value
        if not self.has(key):
            if default is None:
                self.fault(node, f"{shown(key)} is missing.")
            return default
        self.fault(node, f"Here stands {node.kind()}; a single value is wanted.")
        return None

    def text(self, key: str, default: str | None = None, *, limit: int = 10_000) -> str:
        """Return a text that is not blank."""
        text = self.scalar(key, default)
        if text is None:
            return ""
        if self.has(key) and not text.strip():
            self.fault_at(key, "The text is empty.")
        if len(text) > limit:
            self.fault_at(key, f"The text has {len(text):,} characters; the limit is {limit:,}.")
        return text

    def name(self, key: str) -> str:
        """Return a key such as that of a dimension: small letters, digits and underscores."""
        text = self.text(key)
        if text and not KEY.fullmatch(text):
            self.fault_at(key, key_message(text))
        return text

    def choice(self, key: str, known: Collection[str], default: str | None = None) -> str:
        """Return one of the known words."""
        text = self.scalar(key, default)
        if text is None:
            return ""
        if text not in known:
            message = f"{shown(text)} is not one of {listed(known)}.{similar(text, known)}"
            self.fault_at(key, message)
        return text

    def whole(self, key: str, default: int | None = None, *, low: int, high: int = LARGEST) -> int:
        """Return a whole number within bounds."""
        text = self.scalar(key, None if default is None else str(default))
        if text is None:
            return low
        number = int(text) if WHOLE.fullmatch(text) else None
        if number is None or not low <= number <= high:
            wanted = f"a whole number from {low:,} to {high:,}"
            self.fault_at(key, f"{shown(text)} is not {wanted}.")
            return low
        return number

    def number(self, key: str) -> float | None:
        """Return a finite number, or None where the key is absent."""
        if not self.has(key):
            return None
        text = self.scalar(key)
        if text is not None and not DECIMAL.fullmatch(text):
            self.fault_at(key, f"{shown(text)} is not a number.")
            return None
        return None if text is None else float(text)

    def flag(self, key: str, *, default: bool) -> bool:
        """Return true or false."""
        text = self.scalar(key, str(default))
        if text is not None and text not in FLAGS:
            self.fault_at(key, f"{shown(text)} is neither true nor false.")
        return FLAGS.get(text or "", default)

    def entries(self, key: str) -> list[Node]:
        """Return the entries of a list; an absent key is an empty list."""
        node = self.at(key)
        if isinstance(node.value, list):
            return node.value
        if self.has(key):
            self.fault(node, f"Here stands {node.kind()}; a list is wanted.")
        return []

    def words(self, key: str) -> dict[str, Node]:
        """Return a list of distinct single values, each with the place where it stands."""
        found: dict[str, Node] = {}
        for node in self.entries(key):
            word = self.word(node)
            if word in found:
                self.fault(node, f"{shown(word)} stands twice.")
            elif word:
                found[word] = node
        return found

    def word(self, node: Node) -> str:
        """Return the single value of a node that must not be blank."""
        if isinstance(node.value, str) and node.value.strip():
            return node.value
        self.fault(node, f"Here stands {_empty_or(node)}; a single value is wanted.")
        return ""

    def section(self, key: str, known: Collection[str]) -> "Section | None":
        """Return an inner mapping, or None where the key is absent."""
        return self.inner(self.at(key), known) if self.has(key) else None

    def inner(self, node: Node, known: Collection[str]) -> "Section":
        """Return a node as a mapping of known keys."""
        return Section(node, self.findings, known)

    def mapping(self, key: str) -> dict[str, Node]:
        """Return an inner mapping whose keys are free."""
        node = self.at(key)
        if isinstance(node.value, dict):
            return node.value
        if self.has(key):
            self.fault(node, f"Here stands {node.kind()}; a mapping is wanted.")
        return {}

    def data(self, key: str) -> Any:
        """Return what stands at a key as plain data."""
        return self.at(key).data()


def key_message(text: str) -> str:
    """Return the sentence that says how a key is spelled."""
    return (
        f"{shown(text)} cannot be a key: use small letters, digits and underscores, "
        "beginning with a letter, at most 50."
    )


def _empty_or(node: Node) -> str:
    return "an empty text" if isinstance(node.value, str) else node.kind()
