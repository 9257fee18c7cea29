"""Texts that a page must show as they are, in every place where a study may carry a text."""

from dataclasses import replace
from typing import Any

from annotation.studyfile.definition import (
    AssignmentRules,
    AttentionCheck,
    EligibilityQuestion,
    ItemRow,
    PracticeItem,
    Recruitment,
    StudyDefinition,
    TaskDefinition,
)
from annotation.tasktypes import TASK_TYPES
from annotation.tasktypes.instrument import Dimension, Option, Scale

IMAGE = '"><img src=x onerror=alert(1)>'
SCRIPT = "</script><script>alert(1)</script>"
CORPUS = (
    IMAGE,
    SCRIPT,
    "' onfocus='alert(1)' autofocus='",
    "{{ title }}{% csrf_token %} ${alert(1)} <!-- --> ]]>",
    "if a < b and c > d then <answer>42</answer> &amp; &lt;ok&gt; >_<",
    "It costs $5 today and $7 tomorrow.",
    "Solve \\(x^2=4\\) so x=\\pm2, i.e. $$x=\\pm 2$$",
    "  two\n\n\tlines, **not bold**, _not slanted_, `not code`, [no](javascript:alert(1))",
    "שלום \u202eevil\u202c, नमस्ते, 你好, e\u0301, \ufeff, \u200b, 👩‍🏫",
)
ALL = "\n".join(CORPUS)
# In attributes and on single lines.
ONE_LINE = IMAGE + SCRIPT

FIELDS: dict[str, dict[str, Any]] = {
    "rubric": {
        "question": ALL,
        "response": ALL,
        "passage": ALL,
        "reference": ALL,
        "facts": list(CORPUS),
    },
    "pair": {"question": ALL, "response_1": ALL, "response_2": ALL, "passage": ALL},
    "trace": {"question": ALL, "trace_1": ALL, "trace_2": ALL, "answer": ALL},
    "translation": {
        "source_question": ALL,
        "source_options": list(CORPUS),
        "target_question": ALL,
        "target_options": list(CORPUS),
        "source_lang": "en",
        "target_lang": "ar",
    },
}
OWN = Dimension(
    "own",
    ONE_LINE,
    Scale.NOMINAL,
    hint=ONE_LINE,
    options=(Option(ONE_LINE, ONE_LINE, ONE_LINE), Option("other", "Other")),
)
REMARK = Dimension("own_remark", ONE_LINE, Scale.TEXT, required=False)


def hostile(kind: str) -> StudyDefinition:
    """Return a study of one type in which every text is one of these."""
    item = ItemRow(id=ONE_LINE, fields={**FIELDS[kind], "secret": ONE_LINE})
    return StudyDefinition(
        slug=f"hostile-{kind}",
        title=ONE_LINE,
        seed=1,
        language="en",
        consent=ALL,
        instructions=ALL,
        debrief=ALL,
        recruitment=Recruitment(
            codes={"complete": ONE_LINE},
            eligibility=(EligibilityQuestion("own", ONE_LINE, ("yes",), ("yes", ONE_LINE)),),
            contact=ONE_LINE,
        ),
        assignment=AssignmentRules(replication=1, form_size=1, conflict=("secret",)),
        tasks=(
            TaskDefinition(
                key="work",
                type=kind,
                hidden=("secret",),
                dimensions=(*TASK_TYPES[kind].instrument, OWN, REMARK),
                items=(item,),
            ),
        ),
        attention=(AttentionCheck(1, "work", "own", ONE_LINE, ONE_LINE),),
        practice=(
            PracticeItem("work", replace(item, id="try"), {"own": ONE_LINE}, feedback=ONE_LINE),
        ),
    )
