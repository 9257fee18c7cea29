"""New names for people: another key, other names; without the key no way back."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field
from pathlib import Path

from annotation.errors import Refused

KEY_BYTES = 32
LEAST_KEY_BYTES = 16
DIGITS = 16


@dataclass(frozen=True, slots=True)
class Pseudonyms:
    """The names of one release. The key is kept nowhere, unless its owner has it in a file."""

    key: bytes = field(repr=False)
    study: str

    def of(self, internal: str) -> str:
        """Return the name in this release of a person's internal pseudonym.

        It begins with a letter, so that no program takes it for a number.
        """
        message = f"{self.study}\0annotator\0{internal}".encode()
        return f"p{hmac.new(self.key, message, hashlib.sha256).hexdigest()[:DIGITS]}"


def new_key() -> bytes:
    """Return a key that nobody knows."""
    return secrets.token_bytes(KEY_BYTES)


def key_from(path: Path) -> bytes:
    """Read a key; the same key over the same data gives the same release again."""
    try:
        key = path.read_bytes()
    except OSError as error:
        raise Refused(f"The key {path} cannot be read: {error.strerror}.") from None
    if len(key) < LEAST_KEY_BYTES:
        raise Refused(
            f"The key {path} has {len(key)} bytes and could be guessed; make one of "
            f"{KEY_BYTES}: head -c {KEY_BYTES} /dev/urandom > {path}"
        )
    return key
