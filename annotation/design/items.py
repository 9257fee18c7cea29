"""What the planner is told: items to judge, and the slots still wanted of each."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DesignItem:
    """One item and the slots to plan for it: all of them at first, the missing ones in a top-up."""

    #: The caller's id of the item.
    key: int
    #: The task's key; a form is mixed by it.
    task: str
    #: Values such as "article=a17"; two items that share one never stand in the same form.
    conflicts: tuple[str, ...]
    #: One level per balanced field, "" where the item lacks the field.
    margins: tuple[str, ...]
    #: The replicate numbers to plan now, in this order; empty leaves the item out.
    replicates: tuple[int, ...]
    #: Forms are planned pool by pool, such as a language that an annotator must have.
    pool: str = ""
    #: Stands on every form; how many replicates that makes is for the planner to say.
    anchor: bool = False

    @property
    def wanted(self) -> int:
        """How many slots to plan."""
        return len(self.replicates)


def require_plannable(items: list[DesignItem]) -> None:
    """Raise ValueError, in a sentence, where the items cannot be planned together."""
    seen: set[int] = set()
    fields = len(items[0].margins) if items else 0
    for item in items:
        if item.key in seen:
            raise ValueError(f"Item {item.key} is given twice; give each item once.")
        if len(set(item.replicates)) != item.wanted:
            raise ValueError(
                f"Item {item.key} wants a replicate twice ({list(item.replicates)}); "
                "number its slots apart."
            )
        if len(item.margins) != fields:
            raise ValueError(
                f"Item {item.key} has {len(item.margins)} margins, others have {fields}; "
                'give one level per balanced field, "" where the item lacks it.'
            )
        seen.add(item.key)
