"""The colours of the pages can be read, in the light and in the dark."""

import re
from pathlib import Path

import pytest

TOKENS = Path(__file__).resolve().parents[2] / "static" / "css" / "tokens.css"
TEXT, CONTROL = 4.5, 3.0
GROUNDS = ("paper", "sheet", "accent-soft")
INKS = ("ink", "quiet", "accent", "good", "warn", "bad")


def colours():
    """Return the colours of both schemes."""
    light, dark = TOKENS.read_text().split("@media (prefers-color-scheme: dark)")
    schemes = [dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", part)) for part in (light, dark)]
    return {"light": schemes[0], "dark": {**schemes[0], **schemes[1]}}


def luminance(colour):
    """Return the relative luminance of WCAG 2.2."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    """Return the contrast ratio of WCAG 2.2."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_the_ratio_of_black_and_white_is_21():
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=1e-3)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("ink", INKS)
def test_text_can_be_read(scheme, ground, ink):
    palette = colours()[scheme]
    assert contrast(palette[ink], palette[ground]) >= TEXT


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_buttons_errors_and_controls_can_be_seen(scheme):
    palette = colours()[scheme]
    assert contrast(palette["on-accent"], palette["accent"]) >= TEXT
    assert contrast(palette["ink"], palette["bad-soft"]) >= TEXT
    for ground in ("paper", "sheet"):
        assert contrast(palette["edge"], palette[ground]) >= CONTROL
        assert contrast(palette["accent"], palette[ground]) >= CONTROL
