"""Traces with the steps and sentences that a reader finds in them, in ten languages and eight scripts.

`STYLED` puts the same three steps of each language into every list style; `SINGLE` holds those that
are odd each in its own way.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple


class Written(NamedTuple):
    name: str
    text: str
    rule: str
    steps: list[list[str]]
    answer: str | None = None
    preamble: str | None = None


# Three steps a language, each a list of sentences; decimals, abbreviations and formulas inside.
STEPS = {
    "en": [
        ["Each pen costs 3.50 dollars.", "There are 4 pens."],
        ["We multiply, i.e. 4 times 3.50, and get 14 dollars."],
        ["Is that all?", "Yes, by Fig. 2 nothing else is bought."],
    ],
    "es": [
        ["Cada bolígrafo cuesta 3,50 euros.", "El Sr. Ruiz compra 4."],
        ["Se multiplica, p. ej. 4 por 3,50, y da 14 euros."],
        ["¿Es todo?", "¡Sí, no compra nada más!"],
    ],
    "vi": [
        ["Mỗi cây bút giá 3.500 đồng.", "Có 4 cây bút ở TP. Huế."],
        ["Ta nhân 4 với 3.500 và được 14.000 đồng."],
        ["Còn gì nữa không?", "Không, đó là tất cả."],
    ],
    "ru": [
        ["Каждая ручка стоит 3,50 руб. за штуку.", "Всего 4 ручки."],
        ["Умножаем, т.е. 4 на 3.50, и получаем 14 руб."],
        ["Это всё?", "Да, см. рис. 2, больше ничего нет."],
    ],
    "ar": [
        ["ثمن كل قلم ٣٫٥٠ دنانير.", "عدد الأقلام ٤، وكلها متشابهة."],
        ["نضرب ٤ في ٣٫٥٠ فنحصل على ١٤ دينارا."],
        ["هل هذا كل شيء؟", "نعم، لم يشتر شيئا آخر."],
    ],
    "hi": [
        ["हर कलम की कीमत ३.५० रुपये है।", "डॉ. राय ने 4 कलम खरीदे।"],
        ["4 को ३.५० से गुणा करने पर 14 रुपये मिलते हैं।"],
        ["क्या इतना ही है?", "हाँ, और कुछ नहीं खरीदा गया।"],
    ],
    "zh": [
        ["每支笔的价格是3.50元。", "一共有4支笔，都一样。"],
        ["用4乘以3.50，得到14元。"],
        ["就这些吗？", "是的，没有买别的东西！"],
    ],
    "bn": [
        ["প্রতিটি কলমের দাম 3.50 টাকা।", "মোট 4টি কলম আছে।"],
        ["4 কে 3.50 দিয়ে গুণ করলে 14 টাকা হয়।"],
        ["এটাই কি সব?", "হ্যাঁ, আর কিছু কেনা হয়নি।"],
    ],
    "te": [
        ["ఒక్కో పెన్ను ధర 3.50 రూపాయలు.", "మొత్తం 4 పెన్నులు ఉన్నాయి."],
        ["4 ను 3.50 తో గుణిస్తే 14 రూపాయలు వస్తుంది."],
        ["ఇంతేనా?", "అవును, ఇంకేమీ కొనలేదు."],
    ],
    "th": [
        ["ปากการาคาด้ามละ 3.50 บาท", "และมีปากกาทั้งหมด 4 ด้าม"],
        ["นำ 4 คูณ 3.50 จะได้ 14 บาท"],
        ["ไม่มีอย่างอื่นแล้ว"],
    ],
}

HEADERS = {
    "en": "Step {n}: ", "es": "Paso {n}: ", "vi": "Bước {n}: ", "ru": "Шаг {n}. ", "hi": "चरण {n}: ",
    "ar": "الخطوة {n}: ", "zh": "步骤{n}：", "bn": "ধাপ {n}: ", "te": "దశ {n}: ", "th": "ขั้นตอนที่ {n}: ",
}  # fmt: skip
ANSWERS = {
    "en": "Final answer: 14", "es": "Respuesta final: 14", "vi": "Đáp án: 14", "ru": "Ответ: 14",
    "ar": "الإجابة النهائية: ١٤", "hi": "अंतिम उत्तर: 14", "zh": "最终答案：14", "bn": "Answer: 14",
    "te": "Answer: 14", "th": "Answer: 14",
}  # fmt: skip
DIGITS = {"ar": "٠١٢٣٤٥٦٧٨٩", "hi": "०१२३४५६७८९", "zh": "０１２３４５６７８９"}
JOIN = {"zh": "", "th": " "}


def body(language: str, step: list[str]) -> str:
    return JOIN.get(language, " ").join(step)


def marked(language: str, mark: Callable[[int], str], between: str = "\n") -> str:
    steps = STEPS[language]
    return between.join(mark(n) + body(language, step) for n, step in enumerate(steps, 1))


def own_digits(language: str, n: int) -> str:
    return str(n).translate(str.maketrans("0123456789", DIGITS.get(language, "0123456789")))


def styles(language: str) -> Iterator[Written]:
    steps, answer = STEPS[language], ANSWERS[language]
    own = HEADERS[language]

    def written(style: str, text: str, rule: str, **more: str) -> Written:
        return Written(f"{language}-{style}", text, rule, steps, **more)

    yield written("own header", marked(language, lambda n: own.format(n=n)), "headers")
    yield written(
        "English header and answer",
        marked(language, lambda n: f"Step {n}: ") + "\n" + answer,
        "headers",
        answer=answer,
    )
    yield written(
        "bold header, own digits, text below, CRLF",
        marked(
            language, lambda n: f"**{own.format(n=own_digits(language, n)).strip()}**\r\n", "\r\n"
        ),
        "headers",
    )
    yield written("roman", marked(language, lambda n: f"### Step {'I' * n} — "), "headers")
    yield written("1.", marked(language, lambda n: f"{n}. "), "list")
    yield written("1)", marked(language, lambda n: f"  {own_digits(language, n)}) "), "list")
    yield written("(1)", marked(language, lambda n: f"({n}) "), "list")
    yield written("1、", marked(language, lambda n: f"{n}、"), "list")
    yield written("①", marked(language, lambda n: f"{'①②③'[n - 1]} "), "list")
    yield written("一、", marked(language, lambda n: f"{'一二三'[n - 1]}、"), "list")
    yield written(
        "preamble, list and answer",
        "Let me think.\n\n" + marked(language, lambda n: f"{n}. ", "\n\n") + "\n\n" + answer,
        "list",
        answer=answer,
        preamble="Let me think.",
    )
    yield written("paragraphs", marked(language, lambda _: "", "\n\n"), "paragraphs")
    yield written(
        "lines, bidi marks",
        marked(language, lambda _: "\u200f\u202b", "\u202c\n") + "\n" + answer,
        "lines",
        answer=answer,
    )
    yield Written(
        f"{language}-one giant paragraph",
        marked(language, lambda _: "", JOIN.get(language, " ")),
        "sentences",
        [[sentence] for step in steps for sentence in step],
    )


STYLED: list[Written] = [written for language in STEPS for written in styles(language)]

SINGLE = [
    Written("empty", "", "none", []),
    Written("white space", " \n\t\n ", "none", []),
    Written("punctuation only", "...\n\n---", "none", []),
    Written("one sentence", "The result is clear.", "whole", [["The result is clear."]]),
    Written("one word", "Yes", "whole", [["Yes"]]),
    Written("only an answer", "Answer: 5", "none", [], answer="Answer: 5"),
    Written("one header", "Step 1: Add both.", "headers", [["Add both."]]),
    Written(
        "boxed line",
        "Step 1: Add.\nStep 2: Halve.\n\\boxed{5}",
        "headers",
        [["Add."], ["Halve."]],
        answer="\\boxed{5}",
    ),
    Written(
        "boxed in dollars",
        "First add.\nThen halve.\n$\\boxed{\\frac{1}{2}}$.",
        "lines",
        [["First add."], ["Then halve."]],
        answer="$\\boxed{\\frac{1}{2}}$.",
    ),
    Written(
        "boxed inside a sentence stays",
        "Step 1: So it is \\boxed{5} in all.",
        "headers",
        [["So it is \\boxed{5} in all."]],
    ),
    Written(
        "nested list in headers",
        "Step 1: Two parts.\n1. First part\n2. Second part\nStep 2: Join.",
        "headers",
        [["Two parts.", "1. First part", "2. Second part"], ["Join."]],
    ),
    Written(
        "nested list in list",
        "1. Outer one\n    1. inner a\n    2. inner b\n2. Outer two",
        "list",
        [["Outer one", "1. inner a", "2. inner b"], ["Outer two"]],
    ),
    Written(
        "shallow nested list restarts",
        "1. Outer one\n2. Outer two\n  1. inner\n3. Outer three",
        "list",
        [["Outer one"], ["Outer two", "1. inner"], ["Outer three"]],
    ),
    Written("list from zero", "0. Read.\n1. Add.", "list", [["Read."], ["Add."]]),
    Written(
        "list from three is none", "3. Read.\n4. Add.", "lines", [["3. Read."], ["4. Add."]]
    ),
    Written("one item is no list", "1. Read and add.", "whole", [["1. Read and add."]]),
    Written(
        "decimals at line start",
        "1.5 kg of rice\n2.5 kg of beans",
        "lines",
        [["1.5 kg of rice"], ["2.5 kg of beans"]],
    ),
    Written(
        "ten items",
        "\n".join(f"{n}. Item number {n}" for n in range(1, 13)),
        "list",
        [[f"Item number {n}"] for n in range(1, 13)],
    ),
    Written(
        "chinese tens",
        "\n".join(f"第{numeral}步：计算。" for numeral in ("九", "十", "十一", "二十")),
        "headers",
        [["计算。"]] * 4,
    ),
    Written("第 with digits", "第 1 步 读题。\n第 2 步 计算。", "headers", [["读题。"], ["计算。"]]),
    Written(
        "persian digits",
        "الخطوة ۱: نجمع.\nالخطوة ۲: نقسم.",
        "headers",
        [["نجمع."], ["نقسم."]],
    ),
    Written(
        "mixed numerals in one trace",
        "Step 1: Add.\nStep २: Halve.\nStep III: Check.\nStep ４: Stop.",
        "headers",
        [["Add."], ["Halve."], ["Check."], ["Stop."]],
    ),
    Written(
        "numbers come again",
        "Step 1: Try.\nStep 1: Try again.\nStep 2: Done.",
        "headers",
        [["Try."], ["Try again."], ["Done."]],
    ),
    Written(
        "empty step is dropped",
        "Step 1: Add.\nStep 2:\nStep 3: Done.",
        "headers",
        [["Add."], ["Done."]],
    ),
    Written(
        "step inside a sentence",
        "In step 1 we add.\nIn step 2 we halve.",
        "lines",
        [["In step 1 we add."], ["In step 2 we halve."]],
    ),
    Written(
        "Step I took",
        "Step I took was long.\nIt was fine.",
        "lines",
        [["Step I took was long."], ["It was fine."]],
    ),
    Written(
        "bracketed headers",
        "[Step 1] Add.\n【Step 2】 Halve.",
        "headers",
        [["Add."], ["Halve."]],
    ),
    Written(
        "answer before the last header is text",
        "Step 1: Guess.\nAnswer: 4?\nStep 2: Check.\nAnswer: 5",
        "headers",
        [["Guess.", "Answer: 4?"], ["Check."]],
        answer="Answer: 5",
    ),
    Written(
        "first answer after the last header",
        "Step 1: Add.\nAnswer: 5\nAnswer: 6",
        "headers",
        [["Add."]],
        answer="Answer: 5\nAnswer: 6",
    ),
    Written(
        "without headers the last answer counts",
        "Answer: is it 4?\nNo, add one.\nAnswer: 5",
        "lines",
        [["Answer: is it 4?"], ["No, add one."]],
        answer="Answer: 5",
    ),
    Written(
        "the answer is",
        "Add both.\nHalve it.\nThe answer is 5.",
        "lines",
        [["Add both."], ["Halve it."]],
        answer="The answer is 5.",
    ),
    Written(
        "bold answer",
        "Step 1: Add.\n**Final Answer:** 5",
        "headers",
        [["Add."]],
        answer="**Final Answer:** 5",
    ),
    Written("answer with 是", "先加。\n再除。\n答案是 5。", "lines", [["先加。"], ["再除。"]], answer="答案是 5。"),
    Written(
        "answer with a dash", "Сложим.\nРазделим.\nОтвет — 5.", "lines",
        [["Сложим."], ["Разделим."]], answer="Ответ — 5.",
    ),
    Written(
        "answer with là", "Cộng.\nChia.\nCâu trả lời cuối cùng là 5.", "lines",
        [["Cộng."], ["Chia."]], answer="Câu trả lời cuối cùng là 5.",
    ),
    Written(
        "arabic answer", "نجمع.\nنقسم.\nالجواب النهائي: ٥", "lines",
        [["نجمع."], ["نقسم."]], answer="الجواب النهائي: ٥",
    ),
    Written(
        "answers, the verb", "Add both.\nShe answers: five.", "lines",
        [["Add both."], ["She answers: five."]],
    ),
    Written(
        "text after the answer is left out",
        "Step 1: Add.\nAnswer: 5\nI hope this helps.",
        "headers",
        [["Add."]],
        answer="Answer: 5\nI hope this helps.",
    ),
    Written(
        "header, byte order mark and NUL",
        "\ufeffStep 1: A\x00dd.\nStep 2: Halve.",
        "headers",
        [["Add."], ["Halve."]],
    ),
    Written(
        "zero width space in a header",
        "St\u200bep 1: Add.\nSt\u200bep 2: Halve.",
        "headers",
        [["Add."], ["Halve."]],
    ),
    Written(
        "no-break space in a header",
        "Step\u00a01: Add.\nStep\u00a02: Halve.",
        "headers",
        [["Add."], ["Halve."]],
    ),
    Written(
        "decomposed Vietnamese",
        "Bu\u031bo\u031b\u0301c 1: Co\u0302\u0323ng.\nBu\u031bo\u031b\u0301c 2: Chia.",
        "headers",
        [["C\u1ed9ng."], ["Chia."]],
    ),
    Written("old Mac line ends", "Step 1: Add.\rStep 2: Halve.", "headers", [["Add."], ["Halve."]]),
    Written(
        "formula is not split",
        "Step 1: Let $a. B ! c$ hold. Then go.",
        "headers",
        [["Let $a. B ! c$ hold.", "Then go."]],
    ),
    Written(
        "displayed formula",
        "Step 1: So \\[x = 1. Y = 2\\] holds. Done.",
        "headers",
        [["So \\[x = 1. Y = 2\\] holds.", "Done."]],
    ),
    Written(
        "code and address",
        "Step 1: Call `f. G` as in https://example.org/a.B?c=1. Then stop.",
        "headers",
        [["Call `f. G` as in https://example.org/a.B?c=1.", "Then stop."]],
    ),
    Written(
        "initials",
        "Step 1: J. S. Bach wrote it. He was glad.",
        "headers",
        [["J. S. Bach wrote it.", "He was glad."]],
    ),
    Written(
        "an abbreviation ends nothing",
        "Step 1: Dr. Lee and EE.UU. Corp. agree e.g. on this. Fine.",
        "headers",
        [["Dr. Lee and EE.UU. Corp. agree e.g. on this.", "Fine."]],
    ),
    Written(
        "no as an answer",
        "Step 1: The reply is no. Then stop.",
        "headers",
        [["The reply is no.", "Then stop."]],
    ),
    Written("no as a number", "Step 1: See No. 5 there.", "headers", [["See No. 5 there."]]),
    Written(
        "centimetres and a reference",
        "Шаг 1: Длина 5 см. Ширина, см. рис. 2, равна 3 см.",
        "headers",
        [["Длина 5 см.", "Ширина, см. рис. 2, равна 3 см."]],
    ),
    Written("ellipsis", "Step 1: Wait... Now go… Done.", "headers", [["Wait...", "Now go…", "Done."]]),
    Written(
        "a quote closes behind the mark",
        'Step 1: He said "stop." She stopped!',
        "headers",
        [['He said "stop."', "She stopped!"]],
    ),
    Written(
        "question in Chinese quotes",
        "步骤1：他问：“多少？”她说五。",
        "headers",
        [["他问：“多少？”", "她说五。"]],
    ),
    Written(
        "Latin mark before a wide letter", "步骤1：好!再算。", "headers", [["好!", "再算。"]]
    ),
    Written(
        "commas never end",
        "الخطوة 1: نجمع، ثم نقسم؛ ثم ننتهي.",
        "headers",
        [["نجمع، ثم نقسم؛ ثم ننتهي."]],
    ),
    Written("Urdu full stop", "Step 1: جمع کریں۔ پھر تقسیم کریں۔", "headers", [["جمع کریں۔", "پھر تقسیم کریں۔"]]),
    Written("double danda", "चरण 1: जोड़ो॥ फिर भाग दो॥", "headers", [["जोड़ो॥", "फिर भाग दो॥"]]),
    Written("thousands", "Step 1: It is 1.000.000 now. Go.", "headers", [["It is 1.000.000 now.", "Go."]]),
    Written("Japanese header", "ステップ 1：足す。\nステップ 2：割る。", "headers", [["足す。"], ["割る。"]]),
    Written("German header", "Schritt 1: Addieren.\nSchritt 2: Teilen.", "headers", [["Addieren."], ["Teilen."]]),
    Written("upper case", "STEP 1: ADD.\nSTEP 2: HALVE.", "headers", [["ADD."], ["HALVE."]]),
    Written("etapa", "Etapa 1. Sumar.\nEtapa 2. Dividir.", "headers", [["Sumar."], ["Dividir."]]),
    Written("этап with №", "Этап №1: Сложим.\nЭтап №2: Разделим.", "headers", [["Сложим."], ["Разделим."]]),
    Written("कदम", "कदम १: जोड़ें।\nकदम २: भाग दें।", "headers", [["जोड़ें।"], ["भाग दें।"]]),
    Written(
        "blank line with spaces", "Add both.\n  \nHalve it.", "paragraphs", [["Add both."], ["Halve it."]]
    ),
    Written(
        "a paragraph of two lines",
        "Add both.\nCarefully.\n\nHalve it.",
        "paragraphs",
        [["Add both.", "Carefully."], ["Halve it."]],
    ),
    Written(
        "a heading line before the list",
        "**Solution**\n1. Add.\n2. Halve.",
        "list",
        [["Add."], ["Halve."]],
        preamble="**Solution**",
    ),
    Written("emoji", "Step 1: Add 🧮. Fine 👍", "headers", [["Add 🧮.", "Fine 👍"]]),
]  # fmt: skip

ALL = STYLED + SINGLE
