"""How long it takes to plan a study's forms, beside merely shuffling and cutting its slots."""

from dataclasses import replace
from random import Random

from analysis.benches.measure import Row, measure, seconds
from annotation.design.items import DesignItem
from annotation.design.planner import plan_forms

FORM_SIZE = 10
MIX = {"response": 9, "comparison": 1}
REPLICATES = (1, 2, 3)
SEED = 42


def rows() -> list[Row]:
    """Plan three slots an item for the demo study's shape and for two larger ones."""
    return [_row(items, repeats) for items, repeats in ((666, 3), (10_000, 1), (100_000, 1))]


def _row(count: int, repeats: int) -> Row:
    items = _items(count)
    cut, _ = seconds(lambda: _shuffle_and_cut(items), repeats=repeats)
    row = measure(
        f"plan {count:,} items x {len(REPLICATES)} in forms of {FORM_SIZE}",
        count * len(REPLICATES),
        lambda: plan_forms(items, form_size=FORM_SIZE, mix=MIX, seed=SEED),
        units={"slot": count * len(REPLICATES)},
        repeats=repeats,
    )
    clashes = sum(map(_clashes, _shuffle_and_cut(items)))
    naive = f"the CPU seconds of shuffle and cut, where {clashes:,} forms hold a conflict"
    return replace(row, against=(naive, row.cpu_seconds / cut))


def _items(count: int) -> list[DesignItem]:
    """Nine tenths responses of 5 models in 18 languages and 3 categories, 20 items an article."""
    articles = max(30, count // 20)
    pairs = count // 10
    return [
        DesignItem(
            key=index,
            task="comparison" if index < pairs else "response",
            conflicts=(f"article={(index * 7 + index // articles) % articles}",),
            margins=(
                ("", "", f"m{index % 5}")
                if index < pairs
                else (f"l{index % 18}", f"c{index // 18 % 3}", f"m{(index // 54 + index) % 5}")
            ),
            replicates=REPLICATES,
        )
        for index in range(count)
    ]


def _shuffle_and_cut(items: list[DesignItem]) -> list[list[DesignItem]]:
    slots = [item for _ in REPLICATES for item in items]
    Random(SEED).shuffle(slots)  # noqa: S311 (a bench must be repeatable, not secret)
    return [slots[start : start + FORM_SIZE] for start in range(0, len(slots), FORM_SIZE)]


def _clashes(form: list[DesignItem]) -> bool:
    return len({item.conflicts for item in form}) < len(form)
