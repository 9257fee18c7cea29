"""`recruitment:` — where people come from, how long they have, the codes they leave with."""

import re
from collections.abc import Mapping

from annotation.studyfile.definition import EligibilityQuestion, Recruitment
from annotation.studyfile.demographics import read_demographics
from annotation.studyfile.lint import personal_request
from annotation.studyfile.payment import read_payment
from annotation.studyfile.section import Section
from annotation.studyfile.wording import listed, nearest, shown
from annotation.studyfile.yaml_nodes import Node

KEYS = (
    "provider",
    "time_limit_minutes",
    "codes",
    "eligibility",
    "demographics",
    "contact",
    "payment",
    "unlink_days",
)
PROVIDERS = ("open", "prolific", "clickworker")
# On these, people are paid by the code they bring back.
CODE_PROVIDERS = ("prolific", "clickworker")
OUTCOMES = ("complete", "screened_out", "failed_attention", "no_consent", "timed_out")
QUESTION_KEYS = ("key", "ask", "accept", "options")
CODE = re.compile(r"[A-Za-z0-9_-]{1,64}")
A_MONTH_IN_MINUTES = 60 * 24 * 31
A_YEAR_IN_DAYS = 366


def read_recruitment(study: Section) -> Recruitment:
    """Read the section; without one, the study is open to whoever has the link."""
    section = study.section("recruitment", KEYS)
    if section is None:
        return Recruitment()
    limit = None
    if section.has("time_limit_minutes"):
        limit = section.whole("time_limit_minutes", low=1, high=A_MONTH_IN_MINUTES)
    unlink = None
    if section.has("unlink_days"):
        unlink = section.whole("unlink_days", low=0, high=A_YEAR_IN_DAYS)
    provider = section.choice("provider", PROVIDERS, "open")
    return Recruitment(
        provider=provider,
        time_limit_minutes=limit,
        codes=_codes(section, provider),
        eligibility=_eligibility(section),
        demographics=read_demographics(section),
        contact=section.text("contact", ""),
        payment=read_payment(section),
        unlink_days=unlink,
    )


def _codes(section: Section, provider: str) -> Mapping[str, str]:
    codes: dict[str, str] = {}
    for outcome, node in section.mapping("codes").items():
        code = section.word(node)
        if outcome not in OUTCOMES:
            near = nearest(outcome, OUTCOMES)
            section.fault(node, f"{shown(outcome)} is not an outcome that has a code.{near}")
        elif code and not CODE.fullmatch(code):
            message = "is not a code: use up to 64 letters, digits, hyphens and underscores."
            section.fault(node, f"{shown(code)} {message}")
        elif code in codes.values():
            other = next(o for o, c in codes.items() if c == code)
            message = f"{shown(code)} is also the code of {shown(other)}; each outcome has its own."
            section.fault(node, message)
        codes[outcome] = code
    if provider in CODE_PROVIDERS and "complete" not in codes:
        message = f"A code for {shown('complete')} is needed: people bring it back to {provider}."
        section.fault_at("codes", message)
    return codes


def _eligibility(section: Section) -> tuple[EligibilityQuestion, ...]:
    questions: list[EligibilityQuestion] = []
    for node in section.entries("eligibility"):
        question = _question(section.inner(node, QUESTION_KEYS))
        if question.key and question.key in [q.key for q in questions]:
            section.fault(node, f"The key {shown(question.key)} stands twice.")
        questions.append(question)
    return tuple(questions)


def _question(section: Section) -> EligibilityQuestion:
    accept = section.words("accept")
    options = tuple(section.words("options")) if section.has("options") else ("yes", "no")
    question = EligibilityQuestion(section.name("key"), section.text("ask"), tuple(accept), options)
    if not accept:
        section.fault_at("accept", "At least one answer must be accepted.")
    for answer, node in accept.items():
        if answer not in options:
            _not_an_option(section, node, answer, options)
    if asked := personal_request(question.ask):
        section.warn_at("ask", asked)
    return question


def _not_an_option(section: Section, node: Node, answer: str, options: tuple[str, ...]) -> None:
    message = f"{shown(answer)} is not one of the options {listed(options)}."
    section.fault(node, f"{message} List all answers under {shown('options')}.")
