"""Reads the reference values that stand in this folder."""

import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def oracle(name: str) -> Any:
    """Return the content of `name`.json."""
    return json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))


def cases(name: str) -> list[Any]:
    """Return the list of cases of `name`.json."""
    content = oracle(name)
    return list(content if isinstance(content, list) else content["cases"])
