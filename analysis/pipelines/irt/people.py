"""From people's judgments of translated questions to the items to keep."""

import pandas as pd

from analysis.frames import KeptItems
from analysis.frames import TranslationRatings as Names


def kept_items(ratings: pd.DataFrame, items: pd.DataFrame, *, quality: int = 3) -> pd.DataFrame:
    """Return one row a judged item: whether to keep it, and whether its translation is wrong.

    An item is kept if no annotator rated its translation below `quality` and more than half of those
    who answered call it local culture; it is wrong if anyone rated it 1. Items that nobody rated are
    left out: not judged is not the same as kept.
    """
    rated = ratings.dropna(subset=[Names.QUALITY])
    by_item = rated.groupby("item_id", sort=False)
    worst = by_item[Names.QUALITY].min()
    answered = ratings[ratings[Names.CULTURE] != ""]
    local = (answered[Names.CULTURE] == Names.YES).groupby(answered["item_id"]).mean()
    share = local.reindex(worst.index).fillna(0.0)
    judged = pd.DataFrame(
        {
            KeptItems.ITEM: worst.index,
            KeptItems.KEEP: ((worst >= quality) & (share > 1 / 2)).astype(int).to_numpy(),
            KeptItems.ERROR: (worst == Names.WRONG).astype(int).to_numpy(),
        }
    )
    place = items.set_index("item_id")["locale"]
    judged.insert(1, KeptItems.LOCALE, judged[KeptItems.ITEM].map(place).fillna(""))
    return judged
