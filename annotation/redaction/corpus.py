"""Comments with planted identifiers, and without, drawn from a seed: what detection is measured on."""

import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from annotation.redaction.findings import Kind


@dataclass(frozen=True, slots=True)
class Comment:
    """A text; `planted` is the part that tells who typed it, empty in a clean one."""

    text: str
    planted: str
    kind: Kind | None
    variant: str


_FIRST = ("Anna", "Miguel", "Zoë", "Jean-Luc", "Aisha", "Tomás", "Priya", "Otieno", "Ingrid", "Lê")
_LAST = ("Petrova", "García", "O'Neill", "Müller", "Nakamura", "van Dijk", "Silva", "Achieng")
_HOSTS = (
    "example.org",
    "mail.example.com",
    "uni-example.de",
    "exemplo.com.br",
    "correo.example.es",
)
_PHONES = (
    "+44 7400 123{:03}", "07400 123{:03}", "(415) 555-2{:03}", "415-555-2{:03}", "+1 415 555 2{:03}",
    "+49 151 23456{:03}", "0151 23456{:03}", "+33 6 12 34 5{0:.1} {1:.2}", "06 12 34 5{0:.1} {1:.2}",
    "+34 612 345 {:03}", "612 345 {:03}", "+91 98765 43{:03}", "098765 43{:03}", "+254 712 345{:03}",
    "0712 345{:03}", "+55 11 96123-4{:03}", "+51 987 654 {:03}", "8 (912) 345-6{0:.1}-{1:.2}",
)  # fmt: skip
# Phrases with which people introduce themselves, and some that no pattern knows.
_NAMED = (
    "My name is {}.", "my name is {} and I liked it", "I am {}, by the way.", "This was hard. — {}",
    "Best, {}", "Me llamo {}.", "Ich heiße {}.", "Je m'appelle {}.", "Me chamo {}.", "Please ask Dr. {}.",
    "{} here, thanks for the study!", "signed {}",
)  # fmt: skip
_SIGNED = ("This was hard. —", "Best,")
_SCRIPTS = (
    ("Меня зовут {}.", ("Иван Петров", "Ольга Смирнова")), ("اسمي {}.", ("فاطمة علي", "أحمد")),
    ("मेरा नाम {} है।", ("प्रिया शर्मा", "राहुल")), ("我叫{}。", ("王小明", "李娜")),
    ("Tên tôi là {}.", ("Nguyễn Văn An", "Lê Thị Hoa")), ("Jina langu ni {}.", ("Otieno Achieng",)),
)  # fmt: skip
_AROUND = ("{}", "Both are fine. {}", "{} Please pay me.", "I could not decide: {} (sorry)")
_CLEAN = (
    "Response {n} repeats itself {m} times.", "The second answer says 1,{n}00 instead of 1,{m}50.",
    "It was built in 19{n}, not in 18{m}.", "I am Spanish and I found it clear.",
    "Score 0.{n}{m} seems too high!", "El segundo texto es mejor.", "Die Antwort nennt {n}.{m} Menschen.",
    "Look at line {n} at the end of paragraph {m}.", "The Treaty of Rome (1957) is missing.",
    "Option A: good; option B: 7/10.", "Dated 2021-0{d}-1{d}, the article disagrees.",
    "这个回答更好。", "الإجابة الأولى أفضل.", "Ratio 16:9, about {n} dot points.",
)  # fmt: skip


def corpus(seed: int, each: int = 100) -> list[Comment]:
    """Return `each` comments of every kind that is planted, and as many clean ones a kind."""
    rng = Random(seed)  # noqa: S311  replayed from a seed
    planted = [_planted(kind, rng) for kind in _PLANT for _ in range(each)]
    return planted + [_clean(rng) for _ in range(each * len(_PLANT))]


def _planted(kind: Kind, rng: Random) -> Comment:
    variant = rng.choice(list(_PLANT[kind]))
    phrase, part = _PLANT[kind][variant](rng)
    # A signature ends a comment; all else may stand anywhere in it.
    around = "{}" if phrase.startswith(_SIGNED) else rng.choice(_AROUND)
    return Comment(around.format(phrase), part, kind, variant)


def _clean(rng: Random) -> Comment:
    text = rng.choice(_CLEAN).format(
        n=rng.randrange(10, 99), m=rng.randrange(10, 99), d=rng.randrange(1, 9)
    )
    return Comment(rng.choice(("{}", "{} Thanks.")).format(text), "", None, "clean")


def _id(rng: Random) -> str:
    return f"{rng.randrange(0x58000000, 0x6A000000):08x}{rng.getrandbits(64):016x}"


def _written(encode: Callable[[str], str]) -> Callable[[Random], tuple[str, str]]:
    def plant(rng: Random) -> tuple[str, str]:
        word = encode(_id(rng))
        return rng.choice(("my ID is {}", "{}", "(id:{})", "Prolific={};")).format(word), word

    return plant


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _email(rng: Random) -> str:
    name = rng.choice(("anna", "m.garcia", "j_luc+study", "otieno99"))
    return f"{name}@{rng.choice(_HOSTS)}"


def _said(form: str) -> Callable[[Random], tuple[str, str]]:
    def plant(rng: Random) -> tuple[str, str]:
        mail = _email(rng).replace("@", form.format(at="at")).replace("+", "")
        mail = mail.replace(".", " dot ") if "at" in form else mail
        return f"write to {mail}", mail

    return plant


def _phone(rng: Random) -> tuple[str, str]:
    digits = rng.randrange(100, 999)
    number = rng.choice(_PHONES)
    number = (
        number.format(str(digits)[0], str(digits)[1:]) if "{0" in number else number.format(digits)
    )
    return rng.choice(("call {}", "my number: {}", "{}")).format(number), number


def _latin(rng: Random) -> tuple[str, str]:
    name = f"{rng.choice(_FIRST)} {rng.choice(_LAST)}"
    return rng.choice(_NAMED[:-2]).format(name), name


def _bare(rng: Random) -> tuple[str, str]:
    name = f"{rng.choice(_FIRST)} {rng.choice(_LAST)}"
    return rng.choice(_NAMED[-2:]).format(name), name


def _script(rng: Random) -> tuple[str, str]:
    phrase, people = rng.choice(_SCRIPTS)
    name = rng.choice(people)
    return phrase.format(name), name


def _url(rng: Random) -> tuple[str, str]:
    url = rng.choice(("https://example.org/u/{}", "www.example.com/~{}", "example.com/in/{}"))
    url = url.format(rng.choice(("anna", "mgarcia", "otieno")))
    return f"see {url}", url


def _handle(rng: Random) -> tuple[str, str]:
    name = rng.choice(("anna_p", "mgarcia88", "jean.luc"))
    form = rng.choice(("@{}", "telegram: {}", "my Discord is {}"))
    return form.format(name), name


def _ip(rng: Random) -> tuple[str, str]:
    address = rng.choice(("192.0.2.{}", "2001:db8::{}")).format(rng.randrange(1, 255))
    return f"from {address}", address


Plant = Callable[[Random], tuple[str, str]]
_PLANT: Final[Mapping[Kind, Mapping[str, Plant]]] = {
    Kind.ID: {
        "as it is": _written(str), "upper case": _written(str.upper), "base64": _written(_base64),
        "hexadecimal": _written(lambda text: text.encode().hex()),
    },
    Kind.EMAIL: {
        "as it is": _said("@"), "at, dot": _said(" {at} "), "(at), dot": _said(" ({at}) "),
    },
    Kind.PHONE: {"national and international": _phone},
    Kind.URL: {"address": _url},
    Kind.HANDLE: {"handle": _handle},
    Kind.IP: {"address": _ip},
    Kind.NAME: {"introduced": _latin, "in other languages": _script, "not introduced": _bare},
}  # fmt: skip
