"""`README.md`: the data statement, which says in words what the archive holds and how it was made."""

import json
from collections.abc import Iterable
from typing import Final

from annotation.exports.dimensions import study_dimensions
from annotation.exports.facts import Facts, software_version
from annotation.exports.making import Making
from annotation.exports.texts import said_of_texts, told_of_redacted, told_of_texts
from annotation.quality.rules import rule_version
from annotation.tasktypes.instrument import Dimension

PLATFORMS: Final = {
    "open": "nobody was recruited by a platform: whoever had the link could take part",
    "prolific": "Prolific",
    "clickworker": "Clickworker",
}
SIZES: Final = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"),
)
RECALL: Final = (
    "Copies that somebody has taken, and everything that was published elsewhere, cannot be recalled: "
    "published files do not change, and a correction is a new version beside the old one. Whoever "
    "withdraws or is erased later is left out of releases made from then on, and of no other."
)
_RESULTS: Final = (
    "- `results/`: the analysis, computed from these tables alone. `manage.py reproduce_release` "
    "computes it again."
)
# What remains where judgments are told with whose they are.
OF_PEOPLE: Final = (
    (
        "The same answers given under another name can be joined to the row of answers here: whoever "
        "published their own ratings elsewhere can be recognised by them. Who cannot accept that "
        "publishes how often each value was given to each item, and not by whom (`--by-item`)."
    ),
    (
        "Seconds are told as they were: who holds the platform's record of how long each person took "
        "may find some of them by it."
    ),
    (
        "Forms are given out in an order that hangs on a key which is not here, so the order in which "
        "people came does not follow from these files, nor from the plan. A form that is not in the plan "
        "was made by a top-up, and so was begun later than the judgments that it stands in for."
    ),
    (
        "Two releases of this study can be joined row by row, though no name is the same: what stands "
        "in one alone came, or went, between them, and what people said about themselves may be told "
        "coarsely in two ways that together fit fewer than five. Publish one."
    ),
)
RESIDUAL: Final = (
    (
        "The funnel counts also where few people stand, and says of them how far they came and nothing "
        "else."
    ),
    "What the texts of the items say about people is the matter of whoever wrote them.",
)


def data_statement(making: Making, facts: Facts, dropped: list[str], checks: list[str]) -> str:
    """Return the whole text, with the header that Hugging Face reads."""
    sections = (
        ("", [facts.description]),
        ("Licence and citation", _licence(facts)),
        ("What is missing here", _list(facts.missing)),
        ("Who judged", _people(making, facts)),
        ("What was judged, and how", _design(making, facts)),
        ("The questions", _questions(facts)),
        ("Checks and exclusions", _quality(making, facts)),
        ("De-identification", _deidentified(making, dropped, checks)),
        ("What risk remains", _list([*(OF_PEOPLE if making.names_people else ()), *RESIDUAL])),
        ("What cannot be recalled", [RECALL]),
        ("The files", _files(making)),
    )
    parts = [_header(making, facts), f"# {_line(facts.study.title)}\n"]
    for heading, lines in sections:
        if lines:
            parts.append("\n".join([f"## {heading}\n" if heading else "", *lines, ""]).lstrip("\n"))
    return "\n".join(parts)


def _header(making: Making, facts: Facts) -> str:
    tables = [t.name for t in making.tables if making.rows[t.name] and t.name != "codebook"]
    lines = ["---", f"license: {facts.licence.spdx.lower() if facts.licence else 'unknown'}"]
    lines += ["language:", *(f"- {language.split('-')[0]}" for language in facts.languages)]
    simulated = making.study.annotators.filter(simulated=True).exists()
    lines += ["annotations_creators:", "- machine-generated" if simulated else "- crowdsourced"]
    judged = "judgments" if making.names_people else "item_values"
    lines += ["size_categories:", f"- {_size(making.rows[judged])}"]
    lines += [f"pretty_name: {json.dumps(facts.study.title, ensure_ascii=False)}", "configs:"]
    for name in tables:
        lines += [f"- config_name: {name}", "  data_files:"]
        lines += ["  - split: train", f"    path: {name}.parquet"]
    return "\n".join([*lines, "---", ""])


def _size(rows: int) -> str:
    return next((name for limit, name in SIZES if rows < limit), "n>10M")


def _licence(facts: Facts) -> list[str]:
    licence = facts.licence
    lines = [f"Version {facts.version}.", f"Cite as: {facts.citation}"]
    if licence:
        lines.insert(0, f"[{licence.title}]({licence.url}) (`{licence.spdx}`).")
    return _list(lines + [f"<{facts.said.url}>"] * bool(facts.said.url))


def _people(making: Making, facts: Facts) -> list[str]:
    final, study = making.funnel.final, making.study
    simulated = study.annotators.filter(simulated=True).count()
    began, ended = facts.months
    return _list(
        [
            f"Recruitment: {PLATFORMS[facts.definition.recruitment.provider]}."
            + (f" Country: {facts.said.country}." if facts.said.country else "")
            + (f" Pay per hour: {facts.said.pay_per_hour}." if facts.said.pay_per_hour else ""),
            f"Collected from {began} to {ended}; dates are told as months.",
            *([f"{simulated:,} of the annotators are simulated by a program."] * bool(simulated)),
            *(
                f"Before the work: {question.ask} Accepted: {', '.join(question.accept)}."
                for question in facts.definition.recruitment.eligibility
            ),
            (
                f"{making.funnel.stages[0].left_annotators:,} came; {final.annotators:,} are in the "
                f"analysis, with {final.judgments:,} judgments of {final.items:,} items."
            ),
            (
                "Everybody consented before the first question; what they read is `consent.md`, what "
                "they were told to do `instructions.md`."
            ),
        ]
    )


def _design(making: Making, facts: Facts) -> list[str]:
    rules, final = facts.definition.assignment, making.funnel.final
    lines = [
        (
            f"Each item was to be judged by {rules.replication} people, {rules.form_size} items a form, "
            f"at most {rules.forms_per_annotator} a person."
        ),
        f"{final.items_2plus:,} of {final.items:,} items have judgments of two people or more.",
    ]
    if rules.anchors:
        lines.append(f"Items with 1 or true in {rules.anchors} stood on every planned form.")
    if rules.groups:
        lines.append(
            f"No form mixed values of {rules.groups}; only the anchors stood on all forms."
        )
    if rules.conflict:
        lines.append(f"Nobody saw two items of the same {' or '.join(rules.conflict)}.")
    if rules.balance:
        lines.append(f"Forms were balanced over {', '.join(rules.balance)}.")
    return _list(lines)


def _questions(facts: Facts) -> list[str]:
    lines = [
        "In the words that people saw; `codebook.json` and `instruments.json` have all of it.\n"
    ]
    own = [one for one in study_dimensions(facts.definition) if not one.derived]
    return lines + _list(
        f"**{one.task} · {one.dimension.key}** ({one.dimension.scale.value}): "
        f"{one.dimension.ask}{_options(one.dimension)}"
        for one in own
    )


def _options(dimension: Dimension) -> str:
    named = [
        f"{option.value} = {option.label}" + (f" ({option.anchor})" if option.anchor else "")
        for option in dimension.options
    ]
    return f" {'; '.join(named)}." if named else ""


def _quality(making: Making, facts: Facts) -> list[str]:
    checks, rules = len(facts.definition.attention), facts.definition.quality
    versions = [rule_version(rule.rule, rule.exclude, rule.parameters) for rule in rules]
    lines = [f"{checks} attention check{'' if checks == 1 else 's'} in each form."]
    lines += [
        f"Rule `{rule.rule}`, `{version}`." for rule, version in zip(rules, versions, strict=True)
    ]
    lines += [
        f"`{stage.stage}` removed {stage.removed_annotators:,} people and "
        f"{stage.removed_judgments:,} judgments."
        for stage in making.funnel.stages[1:]
    ]
    if making.names_people:
        lines.append("Each exclusion stands in `exclusions.csv`, with its reason.")
    return _list(lines)


def _deidentified(making: Making, dropped: list[str], checks: list[str]) -> list[str]:
    rows = ", ".join(f"{making.rows[table.name]:,} {table.name}" for table in making.tables)
    return _list(
        [
            f"Made by Parallax {software_version()}.",
            *_about_names(making),
            told_of_texts(said_of_texts(making.texts)),
            told_of_redacted(making.redacted),
            f"Rows: {rows}.",
            f"{len(dropped)} columns stayed behind; `release.json` names them.",
            *checks,
        ]
    )


def _about_names(making: Making) -> list[str]:
    if not making.names_people:
        return [
            (
                "It is not told whose judgments are whose, nor anything else of one person: "
                "`item_values` counts how many people gave each value to each item."
            ),
            "Platform ids, codes, addresses, browsers and times are not here.",
        ]
    return [
        (
            "Names of people are a keyed hash of a random pseudonym; the key is not here, and every "
            "release has another."
        ),
        (
            "Platform ids, codes, addresses, browsers and exact times are not here; seconds are told "
            "to a tenth, forms and positions in their order within the person."
        ),
    ]


def _files(making: Making) -> list[str]:
    lines = [f"- `{table.name}`: {table.description}" for table in making.tables]
    return [
        (
            "Every table is there as `.csv`, `.jsonl` and `.parquet`, which hold the same cells exactly, "
            "and as `spreadsheet/….csv` to look at in a spreadsheet program. There a text that begins "
            "with = + - @ ' TAB CR or NUL has an apostrophe before it: take one off each text that "
            f"begins with one and it is exact again. {making.replaced:,} characters that such programs "
            f"cannot hold were replaced there, and {making.moved:,} cells that are too long for them "
            "lie in `spreadsheet/long/`.\n"
        ),
        *lines,
        (
            "- `codebook.json`, `datapackage.json` (Frictionless), `croissant.json` (MLCommons): the "
            "columns, for people and programs."
        ),
        "- `plan.json`: the analysis plan as it was locked.",
        *([_RESULTS] if any(file.path.startswith("results/") for file in making.files) else []),
        "- `SHA256SUMS`: the checksums.",
    ]


def _list(lines: Iterable[str]) -> list[str]:
    return [f"- {_line(line)}" for line in lines]


def _line(text: str) -> str:
    """Return a text on one line, so that what a study calls itself begins no heading or list."""
    return " ".join(text.split())
