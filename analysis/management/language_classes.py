"""The resource class of each language, as commands read it beside their table."""

from collections.abc import Iterable
from pathlib import Path

from analysis.frames import Languages
from analysis.pipelines.clcg.sums import ClcgError
from analysis.tables import read_table


def classes_of(path: Path, used: Iterable[str]) -> dict[str, int]:
    """Return the class of each language that has one; ClcgError where a used one is not named."""
    table = read_table(path, Languages.TABLE)
    unknown = sorted(set(used) - set(table[Languages.LANGUAGE]))
    if unknown:
        raise ClcgError(
            f"{path} does not name {', '.join(unknown)}. Add what is missing with its role, or take the "
            "rows in it out."
        )
    rows = table[table[Languages.CLASS].notna()]
    pairs = zip(rows[Languages.LANGUAGE], rows[Languages.CLASS], strict=True)
    return {code: int(value) for code, value in pairs}
