"""`recruitment.payment` and `unlink_days`: read as written, refused where they cannot be meant."""

import pytest

from annotation.studyfile import folder_document, read_study, study_from_document
from annotation.studyfile.definition import PaymentRules
from tests.annotation.studyfile.folders import errors_of, write_folder

WHOLE = '{currency: GBP, complete: "3.50", screened_out: 0.5, fee_percent: 33.3, minutes: 12}'


def folder(path, payment, more=""):
    root = write_folder(path)
    settings = root / "study.yaml"
    lines = settings.read_text().splitlines(keepends=True)
    start = next(n for n, line in enumerate(lines) if line.startswith("recruitment:"))
    lines[start] = f"recruitment:\n  payment: {payment}\n{more}"
    settings.write_text("".join(lines))
    return root


def test_amounts_are_kept_as_they_are_written(tmp_path):
    study = read_study(folder(tmp_path, WHOLE, "  unlink_days: 14\n"))
    assert study.recruitment.payment == PaymentRules(
        "GBP", "3.50", "0.5", fee_percent="33.3", minutes=12
    )
    assert study.recruitment.unlink_days == 14
    assert study_from_document(folder_document(study)).recruitment == study.recruitment


def test_a_study_without_payment_keeps_the_document_it_had(tmp_path):
    document = folder_document(read_study(write_folder(tmp_path)))
    assert not {"payment", "unlink_days"} & set(document["recruitment"])


@pytest.mark.parametrize(
    ("payment", "said"),
    [
        ("{currency: pounds, complete: 3}", '"pounds" is not a currency such as GBP or EUR.'),
        ("{currency: GBP}", '"complete" is missing.'),
        ("{currency: GBP, complete: 3.505}", '"3.505" is not an amount such as 3.50.'),
        ("{currency: GBP, complete: -1}", '"-1" is not an amount such as 3.50.'),
        ("{currency: GBP, complete: 3, fee_percent: a third}", '"a third" is not a percentage'),
        ("{currency: GBP, complete: 3, minutes: 0}", '"0" is not a whole number from 1 to 10,080.'),
        ("{currency: GBP, complete: 3, bonus: 1}", '"bonus" is not a key of recruitment.payment.'),
    ],
)
def test_what_cannot_be_meant_is_refused(tmp_path, payment, said):
    assert said in "\n".join(map(str, errors_of(folder(tmp_path, payment))))
