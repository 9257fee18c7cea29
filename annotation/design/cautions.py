"""What a researcher should know about a design before launch, in sentences."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from annotation.design.items import DesignItem
from annotation.design.report import DesignReport


def cautions(
    report: DesignReport,
    items: Sequence[DesignItem],
    form_size: int,
    mix: Mapping[str, int] | None,
) -> tuple[str, ...]:
    """Say what falls short, how often and why it may be out of reach."""
    wanted = [item for item in items if item.wanted]
    return (
        *_short_forms(report, wanted, form_size, mix),
        *_clashes(report),
        *_meetings(report, wanted),
        *_margins(report),
    )


def _of_forms(count: int, report: DesignReport) -> str:
    """Name a part of the forms, as in "1 of 200 forms (0.5%)"."""
    return f"{count} of {report.forms} forms ({count / report.forms:.1%})"


def _pairs(count: int) -> str:
    return f"{count} {'pair' if count == 1 else 'pairs'} of items"


def _short_forms(
    report: DesignReport,
    items: Sequence[DesignItem],
    form_size: int,
    mix: Mapping[str, int] | None,
) -> Iterator[str]:
    """Tell of forms that miss two places or more; one place is the rest of a division."""
    tasks = {item.task for item in items}
    full = sum(mix[task] for task in tasks) if mix else form_size
    short = sum(forms for size, forms in report.form_sizes.items() if size < full - 1)
    if not short:
        return
    verb = "misses" if short == 1 else "miss"
    many = f"{_of_forms(short, report)} {verb} two or more of {full} places"
    scarce = _scarce_conflict(items, report.forms)
    if scarce:
        yield f"{many}: {scarce}"
    elif mix and len(tasks) > 1:
        slots = Counter[str]()
        for item in items:
            slots[item.task] += item.wanted
        places = {task: mix[task] for task in tasks}
        yield (
            f"{many}: the mix asks for {_listed(places)} in a form, "
            f"but there are {_listed(slots)} slots."
        )
    else:
        yield f"{many}: {sum(item.wanted for item in items)} slots do not fill forms of {full}."


def _listed(counts: Mapping[str, int]) -> str:
    return " and ".join(f"{counts[task]} {task}" for task in sorted(counts))


def _scarce_conflict(items: Sequence[DesignItem], forms: int) -> str:
    """Name the conflict value that needs every form there is, "" where none does."""
    slots: Counter[tuple[str, str]] = Counter()
    forms_of: dict[str, set[str]] = {}
    for item in items:
        for value in item.conflicts:
            slots[item.pool, value] += item.wanted
            forms_of.setdefault(value.partition("=")[0], set()).add(value)
    (_, value), busiest = max(slots.items(), key=lambda entry: entry[1], default=(("", ""), 0))
    pools = len({item.pool for item in items})
    if busiest * pools < forms:
        return ""
    field = value.partition("=")[0]
    values = len(forms_of[field])
    return (
        f"items that share {value!r} want {busiest} slots and never stand in one form; "
        f"{field!r} has {values} distinct {'value' if values == 1 else 'values'}, "
        "and form_size cannot usefully be larger than that."
    )


def _clashes(report: DesignReport) -> Iterator[str]:
    if report.clashes:
        yield (
            f"{_pairs(report.clashes)} that must not meet stand in one form; "
            "make form_size smaller or the conflict rule narrower."
        )


def _meetings(report: DesignReport, items: Sequence[DesignItem]) -> Iterator[str]:
    if not report.lambda_over_1:
        return
    longest = max(report.form_sizes)
    most = max(item.wanted for item in items)
    others = min(Counter(item.pool for item in items).values()) - 1
    contacts = most * (longest - 1)
    hint = (
        "so repeats cannot be avoided"
        if contacts > others
        else "and conflicts and margins leave too little choice to avoid every repeat"
    )
    yield (
        f"{_pairs(report.lambda_over_1)} meet in more than one form, at most "
        f"in {report.lambda_max}: an item has up to {contacts} neighbours in {most} forms of "
        f"{longest}, the smallest pool holds {others} other items, {hint}."
    )


def _margins(report: DesignReport) -> Iterator[str]:
    off = report.forms - round(report.margins_balanced_share * report.forms)
    if off:
        yield (
            f"{_of_forms(off, report)} {'misses' if off == 1 else 'miss'} the balance of a field "
            "by at least one place: where fields hang together, a level is rare or conflicts are "
            "strict, there may be no better form."
        )
