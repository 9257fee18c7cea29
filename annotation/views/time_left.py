"""How much time a person has left for a set, where the study limits it."""

import math
from dataclasses import dataclass
from datetime import datetime, timedelta

from annotation.models import Claim
from annotation.selectors.studies import study_definition

# From here on hours are enough.
IN_HOURS = timedelta(hours=3)


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """What is left of a lease; `lease` names it, so that the page warns of each one once."""

    seconds: int
    lease: str

    @property
    def words(self) -> str:
        """Return it as the bar shows it; `time_left.js` says it in the same words."""
        if self.seconds > IN_HOURS.total_seconds():
            return f"{self.seconds // 3600} h"
        return f"{math.ceil(self.seconds / 60)} min"


def time_left(claim: Claim, *, now: datetime) -> TimeLeft | None:
    """Return what is left of a claim, never less than nothing; None where nobody is hurried."""
    limit = study_definition(claim.form.study).recruitment.time_limit_minutes
    if limit is None or claim.state != Claim.State.HELD:
        return None
    seconds = (claim.lease_until - now).total_seconds()
    return TimeLeft(max(0, math.ceil(seconds)), claim.lease_until.isoformat())
