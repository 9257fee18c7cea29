"""What every task type promises; a test class of a type inherits it and states sample items."""

import re
from dataclasses import replace
from html import unescape
from typing import Any

import pytest
from django.template.loader import get_template, render_to_string

from annotation.tasktypes import TASK_TYPES
from annotation.tasktypes.base import (
    Comparison,
    FieldKind,
    Presentation,
    SimulatedPerson,
    contradictions_of,
)
from annotation.tasktypes.forms import answer_form
from annotation.tasktypes.instrument import Scale
from tests.annotation.tasktypes.samples import seeded

HOSTILE = "</script><img src=x onerror=alert(1)>{{ key }}\"'`\n  & <b>"
ARABIC = "تبيع الخبازة ٤٨ رغيفًا قبل الظهر."
COMPARISON = Comparison("condition", ("low", "high"))
PEOPLE = [
    SimulatedPerson(ability=1.0),
    SimulatedPerson(ability=0.3, leniency=0.4),
    SimulatedPerson(ability=0.0, leniency=-0.6),
    SimulatedPerson(careless=True),
]


def rendered(task_type, fields, *, dimensions=None, flipped=False, data=None, initial=None, **more):
    """Return the page of an item as its bytes would be."""
    dimensions = dimensions or task_type.instrument
    presentation = task_type.present(fields, dimensions, flipped=flipped, closes_form=True)
    form = answer_form(dimensions, fields, presentation, data, initial)
    context = {
        "page": task_type.page(fields, presentation),
        "form": form,
        "label": task_type.label,
        "title": "A study",
        "position": 3,
        "total": 10,
        "key": "a-key",
        "draft_url": "/draft",
        "csrf_token": "a-token",
        **more,
    }
    return render_to_string(task_type.template_name, context)


class TaskTypeContract:
    """Inherit it, and set `key`, `item` (every field the type knows) and `hidden` (more of them)."""

    key = ""
    item: dict[str, Any] = {}
    hidden: dict[str, Any] = {}

    @property
    def task_type(self):
        return TASK_TYPES[self.key]

    @property
    def fields(self):
        return {**self.item, **self.hidden}

    def presented(self, *, flipped=False):
        return self.task_type.present(
            self.fields, self.task_type.instrument, flipped=flipped, closes_form=True
        )

    def with_texts(self, text):
        """Return the item with one text in every field that is shown."""
        kinds = {f.name: f.kind for f in self.task_type.fields if f.shown}
        texts = {
            name: [text, text] if kinds[name] is FieldKind.TEXTS else text
            for name in kinds
            if not name.endswith("_lang")
        }
        return {**self.fields, **texts}

    # The instrument

    def test_is_registered_under_its_key(self):
        assert self.task_type.key == self.key
        assert self.task_type.label

    def test_the_sample_item_has_every_field(self):
        known = {f.name for f in self.task_type.fields}
        required = {f.name for f in self.task_type.fields if f.required}
        assert required <= set(self.fields)
        assert {f.name for f in self.task_type.fields if f.shown} <= set(self.item) <= known
        assert not set(self.hidden) & self.task_type.shown_fields()

    def test_keys_are_unique_names(self):
        dimensions = (*self.task_type.instrument, *self.task_type.derived_dimensions())
        keys = [d.key for d in dimensions]
        assert len(set(keys)) == len(keys)
        assert all(re.fullmatch(r"[a-z][a-z0-9_]*", key) for key in keys)
        assert [fault for d in dimensions if (fault := self.task_type.fault_of(d))] == []

    def test_a_study_cannot_use_a_name_of_the_page(self):
        question = replace(self.task_type.instrument[0], key="active_ms")
        assert "choose another key" in self.task_type.fault_of(question)

    def test_every_option_has_words_for_it(self):
        for dimension in self.task_type.instrument:
            assert dimension.ask.endswith("?")
            values = [option.value for option in dimension.options]
            assert len(set(values)) == len(values)
            assert all(option.label and option.anchor for option in dimension.options)
            needs_options = dimension.scale in {Scale.NOMINAL, Scale.ORDINAL, Scale.MULTIPLE}
            assert bool(dimension.options or dimension.options_from) is needs_options

    def test_conditions_name_known_answers(self):
        by_key = {d.key: d for d in self.task_type.instrument}
        for dimension in self.task_type.instrument:
            for key, wanted in dimension.when.items():
                assert set(wanted) <= set(by_key[key].option_values(self.fields))

    def test_contradictions_name_known_answers(self):
        by_key = {d.key: self.task_type.stored(d) for d in self.task_type.instrument}
        for rule in self.task_type.contradictions:
            assert len(rule) > 1
            for key, wanted in rule.items():
                dimension = by_key[key]
                known = set(dimension.option_values(self.fields))
                if dimension.scale is Scale.MULTIPLE:
                    known.add("none")
                assert wanted
                assert set(wanted) <= known

    def test_each_contradiction_can_be_met_and_avoided(self):
        for rule in self.task_type.contradictions:
            met = {key: wanted[0] for key, wanted in rule.items()}
            met = {key: [] if value == "none" else value for key, value in met.items()}
            assert rule in contradictions_of(self.task_type.contradictions, met)
            for key in rule:
                assert rule not in contradictions_of([rule], {**met, key: "something else"})

    # The presentation

    def test_the_presentation_is_deterministic(self):
        assert self.presented() == self.presented()
        assert self.presented(flipped=True) == self.presented(flipped=True)

    def test_flipping_reverses_the_alternatives(self):
        straight, flipped = self.presented(), self.presented(flipped=True)
        assert flipped.order == straight.order[::-1]
        sides = [self.task_type.page(self.fields, p)["sides"] for p in (straight, flipped)]
        assert sides[1] == sides[0][::-1]
        assert [s["text"] for s in sides[0]] == [self.item[a] for a in self.task_type.alternatives]

    def test_a_presentation_survives_storage(self):
        presentation = self.presented(flipped=True)
        assert Presentation.from_json(presentation.as_json()) == presentation

    def test_the_page_holds_nothing_hidden(self):
        page = self.task_type.page(self.fields, self.presented())
        assert not set(self.hidden) & set(page)
        html = rendered(self.task_type, self.fields)
        tags = re.findall(r"<[^>]+>", html)
        for name, value in self.hidden.items():
            assert not [tag for tag in tags if re.search(rf"[\s\"']{name}[\s\"'=]", tag)]
            assert str(value) not in html or isinstance(value, bool)

    def test_the_page_does_not_name_the_alternatives(self):
        html = rendered(self.task_type, self.fields, flipped=True)
        assert not [name for name in self.task_type.alternatives if name in html]

    # The answer

    def test_encoding_undoes_decoding(self):
        for flipped in (False, True):
            presentation = self.presented(flipped=flipped)
            for seed in range(50):
                stored = self.simulated(seed)
                posted = self.task_type.encode(stored, presentation)
                assert self.task_type.decode(posted, presentation) == stored

    def simulated(self, seed):
        asked = [d for d in self.task_type.instrument if d.key in self.presented().asked]
        person = PEOPLE[seed % len(PEOPLE)]
        return self.task_type.simulate(self.fields, asked, person, seeded(seed))

    def test_judgments_depend_on_nothing_else_than_they_say(self):
        for comparison in (None, COMPARISON):
            seen = self.task_type.judged_on(self.fields, comparison)
            for seed in range(50):
                answer = self.task_type.instrument, self.simulated(seed)
                assert self.task_type.judgments(
                    seen, *answer, comparison=comparison
                ) == self.task_type.judgments(self.fields, *answer, comparison=comparison)

    def test_the_page_shows_what_is_stored(self):
        stored = self.simulated(1)
        for flipped in (False, True):
            presentation = self.presented(flipped=flipped)
            initial = self.task_type.encode(stored, presentation)
            form = answer_form(
                self.task_type.instrument, self.fields, presentation, initial=initial
            )
            for question in (*form.questions, *form.last_questions):
                given = initial.get(question.dimension.key, [])
                checked = [c.value for c in question.choices if c.checked]
                shown = checked or ([question.value] if question.value else [])
                assert shown == (
                    given if isinstance(given, list) else [str(given)] if given else []
                )

    @pytest.mark.parametrize("flipped", [False, True])
    def test_simulated_answers_are_valid(self, flipped):
        presentation = self.presented(flipped=flipped)
        for seed in range(200):
            stored = self.simulated(seed)
            posted = self.task_type.encode(stored, presentation)
            form = answer_form(self.task_type.instrument, self.fields, presentation, posted)
            assert form.is_valid(), (seed, posted, form.errors)
            assert self.task_type.decode(form.cleaned_data, presentation) == stored

    def test_simulated_answers_follow_their_seed(self):
        assert [self.simulated(s) for s in range(9)] == [self.simulated(s) for s in range(9)]
        assert len({str(self.simulated(4 * s + 3)) for s in range(20)}) > 1

    def test_judgments_match_the_dimensions(self):
        task_type, derived = self.task_type, self.task_type.derived_dimensions()
        by_key = {d.key: d for d in (*map(task_type.stored, task_type.instrument), *derived)}
        for seed in range(50):
            values = self.simulated(seed)
            rows = task_type.judgments(
                self.fields, task_type.instrument, values, comparison=COMPARISON
            )
            asked = [d.key for d in task_type.instrument if d.key in values]
            assert [r.dimension for r in rows] == asked + [d.key for d in derived]
            for row in rows:
                self.check_row(row, by_key[row.dimension])

    def check_row(self, row, dimension):
        assert row.scale is dimension.scale
        assert (row.value is None) == bool(row.missing)
        if row.value is None or row.scale is Scale.TEXT:
            return
        if row.scale is Scale.INTERVAL:
            assert dimension.minimum <= row.value <= dimension.maximum
        else:
            given = row.value.split("|") if row.scale is Scale.MULTIPLE else [row.value]
            assert set(given) - {""} <= set(dimension.option_values(self.fields))

    # The page

    def test_the_template_exists(self):
        assert get_template(self.task_type.template_name)

    def test_hostile_text_is_text(self):
        html = rendered(self.task_type, self.with_texts(HOSTILE))
        assert "<img" not in html
        assert "</script><" not in html.replace('"></script>', "")
        assert unescape(html).count(HOSTILE) >= 2

    def test_text_runs_in_its_own_direction_and_language(self):
        languages = {
            name if name.endswith("_lang") else f"{name}_lang": "ar-EG"
            for name in self.task_type.shown_fields()
        }
        html = rendered(self.task_type, {**self.with_texts(ARABIC), **languages})
        assert ARABIC in html
        assert html.count('lang="ar-EG"') >= 2
        assert html.count('dir="auto"') >= 2

    def test_the_page_has_no_inline_script_or_style(self):
        html = rendered(self.task_type, self.fields)
        assert not re.findall(r"\sstyle=|<style|\son[a-z]+=|javascript:", html)
        assert not re.findall(r"<script(?![^>]*\ssrc=)", html)
        assert not re.findall(r"(?:src|href)=\"(?:https?:)?//", html)

    def test_every_question_is_a_group_with_a_name(self):
        html = rendered(self.task_type, self.fields)
        asked = self.presented().asked
        assert html.count("<fieldset") == html.count("<legend") == len(asked)
        assert all(f'id="q-{key}"' in html for key in asked)

    def test_problems_are_tied_to_their_question(self):
        html = rendered(self.task_type, self.fields, data={})
        first = next(d for d in self.task_type.instrument if d.required)
        assert f'href="#q-{first.key}"' in html
        assert f'id="q-{first.key}-error"' in html
        assert re.search(rf'aria-describedby="[^"]*q-{first.key}-error', html)
        assert 'aria-invalid="true"' in html

    def test_an_attention_check_looks_like_its_question(self):
        first = self.task_type.instrument[0]
        asked = (replace(first, ask="Please choose the last one here?"),)
        html = rendered(self.task_type, self.fields, dimensions=asked)
        assert "Please choose the last one here?" in html
        assert all(option.label in unescape(html) for option in first.options)
