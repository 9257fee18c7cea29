"""`recruitment.payment:` — what people are owed, in the currency of the platform."""

import re
from typing import Final

from annotation.studyfile.definition import PaymentRules
from annotation.studyfile.section import Section
from annotation.studyfile.wording import shown

AMOUNTS: Final = ("complete", "screened_out", "partial")
KEYS = ("currency", *AMOUNTS, "fee_percent", "minutes")
CURRENCY = re.compile(r"[A-Z]{3}")
AMOUNT = re.compile(r"[0-9]{1,6}(\.[0-9]{1,2})?")
PERCENT = re.compile(r"[0-9]{1,3}(\.[0-9]{1,2})?")
A_WEEK_IN_MINUTES = 7 * 24 * 60


def read_payment(recruitment: Section) -> PaymentRules | None:
    """Read the section; without one, nobody's amount is known."""
    section = recruitment.section("payment", KEYS)
    if section is None:
        return None
    currency = section.text("currency")
    if currency and not CURRENCY.fullmatch(currency):
        section.fault_at("currency", f"{shown(currency)} is not a currency such as GBP or EUR.")
    amounts = {key: _decimal(section, key, AMOUNT, "an amount such as 3.50") for key in AMOUNTS}
    if not section.has("complete"):
        section.fault_at("complete", f"{shown('complete')} is missing.")
    fee = _decimal(section, "fee_percent", PERCENT, "a percentage such as 33.3")
    low, high = 1, A_WEEK_IN_MINUTES
    minutes = section.whole("minutes", low=low, high=high) if section.has("minutes") else None
    return PaymentRules(currency=currency, fee_percent=fee, minutes=minutes, **amounts)


def _decimal(section: Section, key: str, form: re.Pattern[str], wanted: str) -> str:
    """Return a number as it is written, so that no cent is lost; empty where it is absent."""
    if not section.has(key):
        return ""
    text = section.scalar(key) or ""
    if not form.fullmatch(text):
        section.fault_at(key, f"{shown(text)} is not {wanted}.")
        return ""
    return text
