"""The result as one JSON document: what `human --json` prints and results.json holds."""

from analysis.pipelines.human.study import HumanStudy

Document = dict[str, object]
NOT_COLLECTED = "these ratings come from a table: how many were left out before is not known"


def document(study: HumanStudy) -> Document:
    """Return the whole document."""
    funnel = study.sample.funnel
    return {
        "plan": study.plan.as_dict(),
        "notes": list(study.sample.notes),
        "funnel": {"stages": [], "reason": NOT_COLLECTED} if funnel is None else dict(funnel),
        "sample": {
            "judgments": study.primary.judgments,
            "items": study.primary.items,
            "annotators": study.primary.annotators,
        },
        "agreement": {one.scale.column: one.as_dict() for one in study.agreement},
        "preference": study.preference.as_dict(),
        "triangulation": [one.as_dict() for one in study.triangulation],
        "ceiling": study.ceiling[0].as_dict() if study.ceiling else None,
        "judges": [one.as_dict() for one in study.judges],
        "conditions": [one.as_dict() for one in study.conditions],
        "sensitivity": {
            "primary": study.primary.as_dict(),
            **{one.numbers.name: one.as_dict() for one in study.sensitivity},
        },
        "trace": [one.as_dict() for one in study.traces],
        "translation": [one.as_dict() for one in study.translations],
    }
