"""An encoder that knows what a text means because the text says so, and traces to go with it."""

import re
from collections.abc import Sequence
from hashlib import sha256

import numpy as np
import pandas as pd

LANGUAGES = ("en", "es", "ru")
# A letter of each script, so that the language check finds what it looks for.
LETTERS = {"en": "word", "es": "palabra", "ru": "слово", "zh": "词语", "en-paraphrase": "other"}


def direction(name: str) -> np.ndarray:
    seed = int.from_bytes(sha256(name.encode()).digest()[:8], "big")
    return np.asarray(np.random.default_rng(seed).normal(size=64))


class MeaningEncoder:
    """`[m12]` in a text is its meaning; the rest is a little noise. Counts what it encodes."""

    id = "meaning@1"
    dim = 64
    max_tokens = 40
    languages: frozenset[str] | None = None
    test_only = False

    def __init__(self, noise: float = 0.35) -> None:
        self.noise = noise
        self.seen: list[str] = []

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.seen += texts
        rows = np.stack([self._row(text) for text in texts])
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)

    def _row(self, text: str) -> np.ndarray:
        meant = re.findall(r"\[(\w+)\]", text)
        core = np.sum([np.zeros(64), *map(direction, meant)], axis=0)
        core = core / (np.linalg.norm(core) or 1.0)
        noise = direction(text)
        row = core + self.noise * noise / np.linalg.norm(noise) + 0.3 * direction("all") / 8
        return np.asarray(row)

    def token_counts(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]


def response(language: str, meanings: Sequence[str]) -> str:
    word = LETTERS[language]
    steps = [
        f"Step {n}: {word} [{meaning}]. {word} {word} [{meaning}]."
        for n, meaning in enumerate(meanings, 1)
    ]
    return "\n".join([*steps, "Answer: 5"])


def corpus(
    problems: int = 30,
    languages: Sequence[str] = LANGUAGES,
    *,
    wrong_every: int = 0,
    models: Sequence[str] = ("one",),
    seed: int = 1,
) -> pd.DataFrame:
    """Traces whose steps are kept in most languages and replaced in some, by chance."""
    rng = np.random.default_rng(seed)
    rows = []
    for model in models:
        for problem in range(problems):
            plan = [f"q{problem}s{n}" for n in range(int(rng.integers(3, 7)))]
            wrong = bool(wrong_every) and problem % wrong_every == 0
            replaced = rng.uniform(0.0, 0.3) + (0.5 if wrong else 0.0)
            for language in languages:
                kept = [m if rng.uniform() > replaced else f"{m}{language}" for m in plan]
                rows.append(
                    {
                        "dataset": "toy", "model": model, "problem_id": f"p{problem}",
                        "language": language, "response": response(language, kept),
                        "correct": 0.0 if wrong else 1.0, "answer": "6" if wrong else "5",
                        "finish_reason": "stop",
                    }
                )  # fmt: skip
    return pd.DataFrame(rows)


def parallel(languages: Sequence[str] = LANGUAGES, texts: int = 60) -> pd.DataFrame:
    """A wide table of sentences that mean the same in every language."""
    return pd.DataFrame(
        {lang: [f"{LETTERS[lang]} [par{n}]." for n in range(texts)] for lang in languages}
    )
