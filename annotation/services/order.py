"""form_order: which planned form is given out when, by a secret of the installation.

The plan follows from the study's seed, which is published. Were the forms given out as they are
planned, whoever plans the study again could put a release's people in the order in which they came.
What this costs while a study is incomplete: docs/explanation/assignment.md.
"""

from annotation.models import Study
from annotation.services.identities import keyed_digest


def form_order(study: Study, forms: int) -> list[int]:
    """Return the position of each planned form, from 1, after those that the study has already.

    The same key, study and number of forms give the same order; without the key it looks random.
    """
    first = study.forms.count()

    def rank(number: int) -> bytes:
        return keyed_digest("form order", study.slug, str(study.seed), str(first), str(number))

    positions = [0] * forms
    for position, number in enumerate(sorted(range(forms), key=rank), start=first + 1):
        positions[number] = position
    return positions
