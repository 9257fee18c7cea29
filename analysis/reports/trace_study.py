"""The study folder that a sample of trace pairs becomes."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import yaml

from analysis.pipelines.trace.sampling import GROUP, Choice

INSTRUCTIONS = """\
You will see a question and two worked answers to it, in two languages. Both end in the right answer.

Decide whether they reason in the same way.

- Compare the reasoning, not the wording, the length or the layout.
- Do not judge whether a step is correct.
- *The same*: both make the same claims and take the same steps, perhaps cut differently.
- *Partially different*: one idea, but some claims, assumptions or steps differ.
- *Substantially different*: they argue in different ways.

If they differ, say how, and whether the difference would change how you check the answer: a reader
who knows one of them would not understand, or not accept, the other without more work.
"""

CONSENT = """\
You take part freely and may stop at any time without giving a reason. Your judgments are stored
under a random name; nothing is asked about you beyond what is needed to take part.
"""

DEBRIEF = """\
Thank you. The answers came from a language model that was asked the same question in two languages.
The study asks whether measures of similarity agree with readers like you.
"""


ATTENTION = {
    "task": "trace",
    "dimension": "equivalence",
    "expect": "partially_different",
    "ask": 'To show that you read each question, please choose "Partially different" for this one.',
}

# An hour for a form of usual length, and more for a longer one.
MINUTES_LEAST, MINUTES_AN_ITEM = 60, 3


@dataclass(frozen=True)
class Forms:
    """How the items come to people: judgments an item, items a form, and who judges the anchors."""

    annotators: int
    size: int
    anchored: bool


def study_files(
    items: Sequence[dict[str, object]], choice: Choice, forms: Forms, *, slug: str
) -> dict[str, bytes]:
    """Return path → content of the folder that `study_import` takes."""
    lines = "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items)
    study = yaml.safe_dump(_study(choice, slug, forms), allow_unicode=True, sort_keys=False)
    return {
        "study.yaml": study.encode(),
        "traces.jsonl": lines.encode(),
        "instructions.md": INSTRUCTIONS.encode(),
        "consent.md": CONSENT.encode(),
        "debrief.md": DEBRIEF.encode(),
    }


def _study(choice: Choice, slug: str, forms: Forms) -> dict[str, object]:
    languages = sorted({language for both in choice.pairs for language in both})
    read = ", ".join(languages)
    return {
        "study": slug,
        "title": f"Whether two worked answers reason in the same way ({read})",
        "seed": choice.seed,
        "language": "en",
        "texts": {
            "consent": "consent.md",
            "instructions": "instructions.md",
            "debrief": "debrief.md",
        },
        "recruitment": {
            "provider": "open",
            "time_limit_minutes": max(MINUTES_LEAST, MINUTES_AN_ITEM * forms.size),
            "codes": {"complete": "TRACES"},
            "eligibility": [
                {
                    "key": "both_languages",
                    "ask": f"Do you read all languages of this study ({read}) with ease?",
                    "accept": ["yes"],
                }
            ],
        },
        "assignment": {
            "replication": forms.annotators,
            "form_size": forms.size,
            "conflict": ["problem"],
            "balance": ["stratum"] if len(choice.pairs) == 1 else ["stratum", "pair"],
            **({"anchors": "anchor"} if forms.anchored else {}),
            **({"groups": GROUP} if choice.groups else {}),
        },
        "tasks": {
            "trace": {"type": "trace", "items": "traces.jsonl", "hidden": list(choice.hidden)}
        },
        "attention": [{**ATTENTION, "position": forms.size // 2 + 1}],
        "quality": [{"rule": "attention", "exclude": "annotator", "failed": 1}],
        "plan": {
            "agreement": {"threshold": 0.67, "bootstrap": 2000},
            "triangulation": [
                {"task": "trace", "human": "equivalence", "automatic": score, "method": "spearman"}
                for score in ("S", "tau", "H")
            ],
            "trace": [
                {
                    "task": "trace",
                    "human": "equivalence",
                    "automatic": ["S", "H"],
                    "method": "williams",
                    **({"within": "pair"} if len(choice.pairs) > 1 else {}),
                    **({"groups": GROUP} if choice.groups else {}),
                }
            ],
        },
    }
