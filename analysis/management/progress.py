"""A bar on standard error, where a person is looking."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import Progress


class Tell(Protocol):
    """Takes how much of all is done, and what it is that is counted, if not always the same."""

    def __call__(self, done: int, total: int, what: str = ...) -> None:
        """Move the bar."""


@contextmanager
def progress_bar(title: str) -> Iterator[Tell | None]:
    """Yield what moves the bar, or None where standard error is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)

        def tell(done: int, total: int, what: str = "") -> None:
            words = f"{title}: {what}" if what else title
            bar.update(task, completed=done, total=total, description=words)

        yield tell
