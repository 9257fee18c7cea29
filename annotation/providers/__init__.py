"""Where people come from."""

from annotation.providers.base import Entry, Provider
from annotation.providers.clickworker import ClickworkerProvider
from annotation.providers.open import OpenProvider
from annotation.providers.prolific import ProlificProvider

PROVIDERS: dict[str, Provider] = {
    provider.key: provider
    for provider in (OpenProvider(), ProlificProvider(), ClickworkerProvider())
}

__all__ = ["PROVIDERS", "Entry", "Provider"]
