"""Items in the shapes of real studies, and what a design of them must satisfy, counted afresh."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from annotation.design.items import DesignItem
from annotation.design.planner import Design

ANSWER_MIX = {"response": 9, "comparison": 1}


def answer_quality(singles: int = 600, pairs: int = 66, articles: int = 30) -> list[DesignItem]:
    """5 models x 18 languages x 3 categories over some articles, and pairs about the same ones."""
    wanted = (1, 2, 3)
    items = [
        DesignItem(
            key=1000 + index,
            task="response",
            conflicts=(f"article=a{(index * 7 + index // 30) % articles}",),
            margins=(
                f"l{index % 18}",
                "abc"[index * 3 // singles],
                f"m{(index // 54 + index) % 5}",
            ),
            replicates=wanted,
        )
        for index in range(singles)
    ]
    return items + [
        DesignItem(
            key=1000 + singles + index,
            task="comparison",
            conflicts=(f"article=a{index % articles}",),
            margins=("", "", f"m{index % 5}"),
            replicates=wanted,
        )
        for index in range(pairs)
    ]


def crossed(
    questions: int, systems: int, replicates: Sequence[int] = (1, 2, 3), pool: str = ""
) -> list[DesignItem]:
    """Every system answers every question."""
    return [
        DesignItem(
            key=question * systems + system,
            task="answer",
            conflicts=(f"question=q{question}",),
            margins=(f"s{system}",),
            replicates=tuple(replicates),
            pool=pool,
        )
        for question in range(questions)
        for system in range(systems)
    ]


def forms_of(design: Design) -> list[list[int]]:
    return [[key for key, _ in form.places] for form in design.forms]


def clashing_pairs(items: Sequence[DesignItem], forms: Sequence[Sequence[int]]) -> int:
    conflicts = {item.key: set(item.conflicts) for item in items}
    return sum(
        one == other or bool(conflicts[one] & conflicts[other])
        for form in forms
        for one, other in combinations(form, 2)
    )


def meetings(forms: Sequence[Sequence[int]]) -> Counter[tuple[int, int]]:
    return Counter(pair for form in forms for pair in combinations(sorted(form), 2))


def spread_after_each_form(
    items: Sequence[DesignItem], forms: Sequence[Sequence[int]]
) -> list[int]:
    covered = {item.key: 0 for item in items if item.wanted}
    spreads = []
    for form in forms:
        for key in form:
            covered[key] += 1
        spreads.append(max(covered.values()) - min(covered.values()))
    return spreads
