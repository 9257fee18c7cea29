"""The words by which the parser knows steps and answers, and the abbreviations that end no sentence.

One list for all languages: a trace is often headed in another language than it is written in. To
teach the parser a language, add its words here; no rule changes.
"""

STEP_WORDS = (
    "step", "paso", "etapa", "étape", "schritt", "passo", "hatua", "шаг", "этап", "bước",
    "चरण", "कदम", "ধাপ", "దశ", "ขั้นตอนที่", "ステップ", "الخطوة", "خطوة",
)  # fmt: skip

# A language that puts its number before the word, or glues it to the word, has a pattern of its own.
STEP_PATTERNS = (r"步骤\s*{number}", r"第\s*{number}\s*步")

ANSWER_WORDS = (
    r"(?:the\s+)?(?:final\s+)?answer",
    r"(?:la\s+)?respuesta(?:\s+final)?",
    r"(?:la\s+)?réponse(?:\s+finale)?",
    r"(?:die\s+)?(?:endgültige\s+)?antwort",
    r"最终答案|答案|最終的な答え|答え",
    r"الإجابة(?:\s+النهائية)?|الجواب(?:\s+النهائي)?",
    r"(?:अंतिम\s+)?उत्तर",
    r"(?:(?:итоговый|окончательный|финальный)\s+)?ответ",
    r"(?:đáp\s+án|câu\s+trả\s+lời)(?:\s+cuối\s+cùng)?",
)

ANSWER_LINKS = (
    r"[:：=—–]",
    r"(?:is|es|est|lautet|ist|là|это|равен|هي|هو|है|यह\s+है)(?!\w)",
    r"[是为為は]",
)

ABBREVIATIONS = frozenset({
    "e.g", "i.e", "etc", "dr", "mr", "mrs", "ms", "prof", "vs", "cf", "approx", "resp",
    "ej", "p.ej", "sr", "sra", "srta", "dra", "ee", "ee.uu", "uu", "aprox", "ud", "uds",
    "т.е", "т.д", "т.п", "т.к", "г", "гг", "см", "руб", "коп", "тыс", "млн", "млрд", "напр",
    "tp", "ths", "ts", "gs", "pgs", "डॉ", "श्री", "प्रो", "z.b", "d.h", "bzw", "usw", "ca",
})  # fmt: skip

# These end a sentence unless a number follows: "Fig. 2", but also "the answer is no. Then".
BEFORE_NUMBERS = frozenset({
    "fig", "figs", "eq", "eqs", "no", "nos", "sec", "ch", "p", "pp", "pág", "núm", "art", "nr",
    "рис", "стр", "ул", "ур", "सं",
})  # fmt: skip

# Behind a number these are units, and the point ends the sentence: "5 см." against "см. рис. 2".
UNITS_BEHIND_NUMBERS = frozenset({"см", "г", "руб", "коп"})
