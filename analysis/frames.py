"""The one place where a column is spelled: each table of input, with types, checks and its key."""

from analysis.tables import Column, Table


class Responses:
    """Answers of models to items (`irt`): an empty `correct` is no answer, not a wrong one."""

    MODEL, ITEM, SUBSET, LOCALE, QUERY = "model", "item", "subset", "locale", "query"
    CORRECT, P_CORRECT = "correct", "p_correct"
    AGNOSTIC, SPECIFIC = "CA", "CS"
    TABLE = Table(
        "responses",
        (
            Column(MODEL),
            Column(ITEM),
            Column(SUBSET, categories=(AGNOSTIC, SPECIFIC)),
            Column(LOCALE, empty=True),
            Column(QUERY),
            Column(CORRECT, kind="binary", required=False, empty=True),
            Column(P_CORRECT, kind="number", required=False, empty=True, low=0, high=1),
        ),
        key=(MODEL, ITEM, SUBSET, LOCALE, QUERY),
    )


class IrtModels:
    """What is known of each model (`irt --models`); `adapted` names the locale adapted to."""

    MODEL, MAIN, FAMILY, SIZE, REGION, ADAPTED = (
        "model",
        "main",
        "family",
        "size_b",
        "region",
        "adapted",
    )
    TABLE = Table(
        "models",
        (
            Column(MODEL),
            Column(MAIN, kind="binary", required=False),
            Column(FAMILY, required=False, empty=True),
            Column(SIZE, kind="number", required=False, empty=True, low=0),
            Column(REGION, required=False, empty=True),
            Column(ADAPTED, required=False, empty=True),
        ),
        key=(MODEL,),
    )


class IrtLocales:
    """The resource level of each locale (`irt --locales`)."""

    LOCALE, LEVEL = "locale", "level"
    TABLE = Table("locales", (Column(LOCALE), Column(LEVEL, kind="integer", low=0)), key=(LOCALE,))


class IrtRegions:
    """The home locales of each region (`irt --regions`), one row a pair."""

    REGION, LOCALE = "region", "locale"
    TABLE = Table("regions", (Column(REGION), Column(LOCALE)), key=(REGION, LOCALE))


class KeptItems:
    """Items judged by people (`irt --items`): with `keep`, the share not kept is the error rate."""

    ITEM, LOCALE, KEEP = "item", "locale", "keep"
    TABLE = Table(
        "kept items",
        (
            Column(ITEM),
            Column(LOCALE, required=False, empty=True),
            Column(KEEP, kind="binary", required=False),
        ),
        key=(ITEM, LOCALE),
    )


class Gaps:
    """The three gaps of each model and locale, in logits (as in a published figure)."""

    MODEL, LOCALE = "model", "locale"
    GLOBAL, LOCAL, KNOWLEDGE = "global", "local", "knowledge"
    TABLE = Table(
        "gaps",
        (
            Column(MODEL),
            Column(LOCALE),
            Column(GLOBAL, kind="number", empty=True),
            Column(LOCAL, kind="number", empty=True),
            Column(KNOWLEDGE, kind="number", empty=True),
        ),
        key=(MODEL, LOCALE),
    )


class Traces:
    """Reasoning traces (`trace`): one response of a model to a problem in a language, a row."""

    DATASET, MODEL, PROBLEM, LANGUAGE = "dataset", "model", "problem_id", "language"
    RESPONSE, CORRECT, ANSWER, FINISH = "response", "correct", "answer", "finish_reason"
    QUESTION = "question"
    TABLE = Table(
        "traces",
        (
            Column(DATASET),
            Column(MODEL),
            Column(PROBLEM),
            Column(LANGUAGE),
            Column(RESPONSE, empty=True),
            Column(CORRECT, kind="binary", empty=True),
            Column(ANSWER, required=False, empty=True),
            Column(FINISH, required=False, empty=True),
            Column(QUESTION, required=False, empty=True),
        ),
        key=(DATASET, MODEL, PROBLEM, LANGUAGE),
    )


class ParallelTexts:
    """Texts and their translations (`trace --parallel`): four columns, or a column a language."""

    LANG_A, TEXT_A, LANG_B, TEXT_B = "lang_a", "text_a", "lang_b", "text_b"
    LONG = (LANG_A, TEXT_A, LANG_B, TEXT_B)
    TABLE = Table("parallel texts", (), keep_others=True)


class TracePairs:
    """Scored pairs of traces, as `trace` writes them in pairs.csv and `trace_sample` reads them."""

    TABLE = Table(
        "scored pairs",
        (
            Column("dataset"),
            Column("model"),
            Column("problem_id"),
            Column("language_a"),
            Column("language_b"),
            Column("S", kind="number"),
            Column("tau", kind="number", empty=True),
            Column("H", kind="number"),
            Column("coverage_a", kind="number"),
            Column("coverage_b", kind="number"),
            Column("group", required=False),
        ),
        key=("dataset", "model", "problem_id", "language_a", "language_b"),
    )
