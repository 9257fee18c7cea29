"""Which of two conditions people prefer, and how strong several systems are."""

from dataclasses import dataclass, replace

import numpy as np

from analysis.frames import Preferences
from analysis.pipelines.human.contests import Contest, contests, numbered_by_content
from analysis.pipelines.human.plan import Request
from analysis.pipelines.human.reading import preferences_have_systems
from analysis.pipelines.human.sample import HumanError, Sample
from analysis.stats.bradley_terry import BradleyTerry, bradley_terry
from analysis.stats.preference import Preference, position_share, preference
from analysis.stats.proportions import Proportion

NO_PAIRS = "the study has no judgment of a pair"
MODELS = ("crossed_logistic",)
SIDES = ("greater", "less", "two-sided")
SEVERAL = 3


@dataclass(frozen=True)
class Comparison:
    """The preference for one side over another, with how many judgments decide."""

    side: str
    other: str
    found: Preference
    request: Request
    judgments: int
    annotators: int
    pairs: int

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        mixed, of_pairs = self.found.mixed, self.found.of_pairs
        share: dict[str, object] = {
            "side": self.side,
            "other": self.other,
            "judgments": self.judgments,
            "decisive": self.found.raw.n or 0,
            "annotators": self.annotators,
            "pairs": self.pairs,
            "raw": self.found.raw,
            "model": mixed.at_zero,
            "model_marginal": mixed.averaged,
            "odds_ratio": mixed.odds_ratio,
            "intercept": mixed.intercept,
            "standard_error": mixed.standard_error,
            "sd_annotator": mixed.sd_annotator,
            "sd_pair": mixed.sd_pair,
            "singular": mixed.singular,
            # Not what the plan names, and so never prespecified.
            "pair_model": of_pairs and of_pairs.at_zero.as_dict() | {"prespecified": False},
            "pair_model_marginal": of_pairs
            and of_pairs.averaged.as_dict() | {"prespecified": False},
            "cluster_bootstrap": self.found.by_annotator,
            "position_bias": self.found.position,
            "undecided": self.found.undecided,
            "weighted_by_confidence": self.found.weighted,
        }
        return share | self.request.labels()


@dataclass(frozen=True)
class PreferenceResult:
    """All comparisons, the planned one first; strengths where three systems or more were compared."""

    comparisons: tuple[Comparison, ...]
    strengths: BradleyTerry | None
    reason: str | None = None

    @property
    def primary(self) -> Comparison | None:
        """The comparison that the headline is about."""
        return self.comparisons[0] if self.comparisons else None

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form: the members of the first comparison, then all of them."""
        if self.primary is None:
            return {"value": None, "reason": self.reason}
        return self.primary.as_dict() | {
            "comparisons": [one.as_dict() for one in self.comparisons],
            "strengths": None if self.strengths is None else self.strengths.as_dict(),
        }


def preference_of(sample: Sample, request: Request) -> PreferenceResult:
    """Return the preference in each pair of sides."""
    if request["model"] not in MODELS or request["side"] not in SIDES:
        raise HumanError(
            f"The plan asks for the preference model {request['model']!r} with side "
            f"{request['side']!r}; known are {', '.join(MODELS)} and {', '.join(SIDES)}."
        )
    found = tuple(_compared(one, _of(request, one, sample)) for one in contests(sample))
    if not found:
        return PreferenceResult((), None, NO_PAIRS)
    return PreferenceResult(found, _strengths(sample, request))


def _of(request: Request, contest: Contest, sample: Sample) -> Request:
    """Return the request; the plan speaks of the ranked conditions only, where it ranks any."""
    planned = not sample.systems or not preferences_have_systems(sample.preferences)
    planned = planned or {contest.side, contest.other} <= set(sample.systems)
    return replace(request, prespecified=request.prespecified and planned)


def _compared(contest: Contest, request: Request) -> Comparison:
    known = ~np.isnan(contest.shown_first)
    sure = ~np.isnan(contest.confidence)
    found = preference(
        contest.choice,
        contest.annotator,
        contest.pair,
        np.random.default_rng(request["seed"]),
        shown_first=contest.shown_first if known.all() else None,
        certainty=contest.confidence if sure.any() else None,
        resamples=request["bootstrap"],
        confidence=request["confidence"],
        alternative=request["side"],
    )
    if known.any() and not known.all():
        found = replace(found, position=_position(contest, request["confidence"]))
    return Comparison(
        side=contest.side,
        other=contest.other,
        found=found,
        request=request,
        judgments=len(contest.choice),
        annotators=len(np.unique(contest.annotator)),
        pairs=len(set(contest.pair)),
    )


def _position(contest: Contest, confidence: float) -> Proportion:
    """Return the share for the side shown first over the decisions where it is known."""
    usable = ~np.isnan(contest.shown_first) & ~np.isnan(contest.choice)
    found = position_share(
        contest.choice[usable], contest.shown_first[usable], confidence=confidence
    )
    missing = int((~np.isnan(contest.choice)).sum() - usable.sum())
    note = f"{missing} decisions are left out: which side was shown first was not recorded"
    return replace(found, notes=(*found.notes, note))


def _strengths(sample: Sample, request: Request) -> BradleyTerry | None:
    frame = sample.preferences
    if not preferences_have_systems(frame):
        return None
    a, b = (
        frame[name].to_numpy(dtype=object) for name in (Preferences.SYSTEM_A, Preferences.SYSTEM_B)
    )
    if len(set(a) | set(b)) < SEVERAL:
        return None
    preferred = frame[Preferences.PREFERRED].to_numpy(dtype=object)
    outcome = np.where(preferred == a, 1.0, np.where(preferred == b, 0.0, 0.5))
    pairs = frame[Preferences.PAIR].to_numpy(dtype=object)
    who = numbered_by_content(frame[Preferences.ANNOTATOR], pairs, outcome)
    rng = np.random.default_rng(request["seed"])
    return bradley_terry(a.astype(str), b.astype(str), outcome, who, rng)
