"""Encoders of sentence-transformers from a folder on this machine: LaBSE, BGE-M3 and their like."""

import os
from collections.abc import Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from analysis.pipelines.trace.encoders import EncoderError, Rows

WEIGHTS = ("*.safetensors", "*.bin", "*.onnx", "config.json")


class LocalEncoder:
    """A sentence-transformers model; nothing is ever downloaded."""

    languages: frozenset[str] | None = None
    test_only = False

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise EncoderError(f"There is no model folder {folder}. Give the folder of the model.")
        self.folder = folder
        self.id = f"local:{folder.name}+{weights_digest(folder)[:16]}"

    @property
    def dim(self) -> int:
        """Length of the vectors."""
        return int(self._model.get_sentence_embedding_dimension())

    @property
    def max_tokens(self) -> int:
        """Tokens beyond which the model cuts a text off."""
        return int(self._model.max_seq_length)

    def encode(self, texts: Sequence[str]) -> Rows:
        """Return the unit rows."""
        rows = self._model.encode(list(texts), normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(rows, dtype=np.float32)

    def token_counts(self, texts: Sequence[str]) -> list[int]:
        """Count tokens before the model cuts."""
        found = self._model.tokenizer(list(texts), truncation=False, padding=False)
        return [len(ids) for ids in found["input_ids"]]

    @cached_property
    def _model(self) -> Any:
        os.environ["HF_HUB_OFFLINE"] = "1"
        try:
            from sentence_transformers import SentenceTransformer  # noqa: PLC0415  optional, large
        except ImportError as error:
            raise EncoderError(
                "An encoder from a folder needs the package sentence-transformers: "
                "pip install sentence-transformers."
            ) from error
        return SentenceTransformer(str(self.folder), local_files_only=True)

    def __getstate__(self) -> dict[str, object]:
        """Leave the model behind: another process loads its own."""
        return {name: value for name, value in self.__dict__.items() if name != "_model"}


def weights_digest(folder: Path) -> str:
    """Return one digest over all files that decide what the model computes."""
    digest = sha256()
    files = sorted({path for pattern in WEIGHTS for path in folder.rglob(pattern)})
    if not files:
        raise EncoderError(f"The folder {folder} holds no weights ({', '.join(WEIGHTS)}).")
    for path in files:
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
