"""The one place where a column is spelled: each table of input, with types, checks and its key."""

from collections.abc import Mapping

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
    """Items judged by people (`irt --items`).

    The error rate is the share with `error` (a wrong translation), or without that column the share
    not kept.
    """

    ITEM, LOCALE, KEEP, ERROR = "item", "locale", "keep", "error"
    TABLE = Table(
        "kept items",
        (
            Column(ITEM),
            Column(LOCALE, required=False, empty=True),
            Column(KEEP, kind="binary", required=False),
            Column(ERROR, kind="binary", required=False),
        ),
        key=(ITEM, LOCALE),
    )


class TranslationRatings:
    """Judgments of translated questions (`irt_items`): three steps of quality, local culture or not."""

    QUALITY, CULTURE = "translation_quality", "local_culture"
    YES, WRONG, GOOD = "yes", 1, 3
    TABLE = Table(
        "ratings",
        (
            Column("item_id"),
            Column("annotator"),
            Column(QUALITY, kind="integer", empty=True, low=WRONG, high=GOOD),
            Column(CULTURE, empty=True, categories=(YES, "no", "unsure")),
        ),
        key=("item_id", "annotator"),
    )
    ITEMS = Table("items", (Column("item_id"), Column("locale")), key=("item_id",))


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
            Column(RESPONSE, empty=True, prose=True),
            Column(CORRECT, kind="binary", empty=True),
            Column(ANSWER, required=False, empty=True, prose=True),
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
        ),
        key=("dataset", "model", "problem_id", "language_a", "language_b"),
    )


def _response_of(*others: Column) -> tuple[Column, ...]:
    return (Column("model"), Column("language", empty=True), Column("doc_id"), *others)


class Scores:
    """Scored responses (`clcg`), one a row. Only a `closed_book` row may have no language."""

    MODEL, LANGUAGE, DOCUMENT, REP, ITEM = "model", "language", "doc_id", "rep", "item_id"
    LEVEL, SOURCE, SCOPE, STATUS = "level", "source", "scope", "status"
    SCORE, ACCURACY = "token_f1", "accuracy"
    LEVELS = ("L0", "L1", "L2", "L3", "L4", "L5")
    GENERATED, HUMAN = "llm", "human"
    FULL, GROUNDED, CLOSED = "full_body", "item_grounded", "closed_book"
    OK, UNPARSEABLE, MISSING = "ok", "unparseable", "missing"
    STATUSES = (OK, UNPARSEABLE, MISSING)
    KEY = (MODEL, LANGUAGE, DOCUMENT, REP, ITEM, SCOPE)
    KEY_COLUMNS = _response_of(
        Column(REP, kind="integer", low=0),
        Column(ITEM),
        Column(LEVEL, empty=True, categories=LEVELS),
        Column(SOURCE, categories=(GENERATED, HUMAN)),
        Column(SCOPE, categories=(FULL, GROUNDED, CLOSED)),
    )

    @classmethod
    def table(cls, metrics: Mapping[str, tuple[float, float]]) -> Table:
        """Return the table with these metrics, each with its range; an empty cell is no score."""
        scores = [
            Column(name, kind="number", empty=True, low=low, high=high, advice=_another_range(name))
            for name, (low, high) in metrics.items()
        ]
        if cls.ACCURACY not in metrics:
            scores.append(
                Column(cls.ACCURACY, kind="number", required=False, empty=True, low=0, high=1)
            )
        status = Column(cls.STATUS, categories=cls.STATUSES)
        return Table("scores", (*cls.KEY_COLUMNS, status, *scores), key=cls.KEY)


def _another_range(name: str) -> str:
    return (
        f"scores in percent are to be divided by 100, or given to clcg with their range as --metric "
        f"{name}:0:100"
    )


class Languages:
    """The panel of languages (`clcg --languages`), with what is known of each."""

    LANGUAGE, NAME, ROLE, CLASS = "language", "name", "role", "resource_class"
    SCRIPT, ISOLATE, FERTILITY, SENSITIVITY = "script", "isolate", "fertility", "sensitivity_class"
    REFERENCE, BASELINE, TARGET = "reference", "baseline", "target"
    TABLE = Table(
        "languages",
        (
            Column(LANGUAGE),
            Column(NAME, required=False, empty=True),
            Column(ROLE, categories=(REFERENCE, BASELINE, TARGET)),
            Column(CLASS, kind="integer", empty=True, low=0, high=5),
            Column(SCRIPT, required=False, empty=True),
            Column(ISOLATE, kind="binary", required=False, empty=True),
            Column(FERTILITY, kind="number", required=False, empty=True, low=0),
            Column(SENSITIVITY, kind="integer", required=False, empty=True, low=0, high=5),
        ),
        key=(LANGUAGE,),
    )


class Cutoffs:
    """The knowledge cutoff of each model (`clcg --models`)."""

    MODEL, CUTOFF = "model", "cutoff"
    TABLE = Table("models", (Column(MODEL), Column(CUTOFF, kind="date", empty=True)), key=(MODEL,))


class Documents:
    """When each document could first be read by anyone (`clcg --documents`)."""

    DOCUMENT, AVAILABLE = "doc_id", "available"
    TABLE = Table(
        "documents",
        (Column(DOCUMENT), Column(AVAILABLE, kind="date", empty=True)),
        key=(DOCUMENT,),
    )


class ChosenItems:
    """The items that alone are analysed (`clcg --items`): `item_id`, or `source_item` of a release."""

    SOURCE_ITEM = "source_item"
    TABLE = Table(
        "chosen items",
        tuple(Column(name, required=False, empty=True) for name in (SOURCE_ITEM, Scores.ITEM)),
    )


class ConditionMeans:
    """What people gave on average (`clcg --people`), as `human` writes it into conditions.csv."""

    DIMENSION, BY, GROUP, VALUE = "dimension", "by", "group", "value"
    TABLE = Table(
        "means by condition",
        (Column(DIMENSION), Column(BY), Column(GROUP), Column(VALUE, kind="number", empty=True)),
    )


class Predictions:
    """Answers to be scored (`clcg_score`); an empty `raw_status` is found out from the answer."""

    PREDICTION, STATUS = "prediction", "raw_status"
    TABLE = Table(
        "predictions",
        (
            *Scores.KEY_COLUMNS,
            Column(PREDICTION, empty=True, prose=True),
            Column(STATUS, required=False, empty=True, categories=Scores.STATUSES),
        ),
        key=Scores.KEY,
        keep_others=True,
    )


class Calls:
    """Raw responses of one call each (`clcg_score --calls`): a JSON array of answers."""

    RESPONSE = "response"
    KEY = ("model", "language", "doc_id", "rep", "scope")
    TABLE = Table(
        "calls",
        (
            *_response_of(Column(Scores.REP, kind="integer", low=0)),
            Column(Scores.SCOPE, categories=(Scores.FULL, Scores.GROUNDED, Scores.CLOSED)),
            Column(RESPONSE, empty=True, prose=True),
        ),
        key=KEY,
    )


class Gold:
    """Reference answers (`clcg_score --gold`); several right ones as a JSON list."""

    ITEM, GOLD, LEVEL, ANSWERABLE = "item_id", "gold", "level", "answerable"
    DOCUMENT, SOURCE = "doc_id", "source"
    TABLE = Table(
        "gold answers",
        (
            Column(ITEM),
            Column(GOLD, empty=True),
            Column(LEVEL, empty=True, categories=Scores.LEVELS),
            Column(ANSWERABLE, kind="binary", required=False),
            Column(DOCUMENT, required=False, empty=True),
            Column(SOURCE, required=False, empty=True, categories=("", "llm", "human")),
        ),
        key=(ITEM,),
    )


class ErrorLabels:
    """Labels that judges gave to both sides of pairs of responses (`clcg_errors`)."""

    PAIR, SIDE, JUDGE, LABEL = "pair_id", "side", "judge", "label"
    DOCUMENT, LANGUAGE, MODEL, SCORE = "doc_id", "language", "model", "score"
    ENGLISH, TARGET = "en", "target"
    TABLE = Table(
        "error labels",
        (
            Column(PAIR),
            Column(SIDE, categories=(ENGLISH, TARGET)),
            Column(JUDGE),
            Column(LABEL),
            Column(DOCUMENT),
            Column(LANGUAGE),
            Column(MODEL),
            Column(SCORE, kind="number", empty=True, low=0, high=1, advice="divide percent by 100"),
        ),
        key=(PAIR, SIDE, JUDGE),
    )


class HumanLabels:
    """Labels that people gave to a side of a pair (`clcg_errors --human`)."""

    PAIR, SIDE, ANNOTATOR, LABEL = "pair_id", "side", "annotator", "label"
    TABLE = Table(
        "human labels",
        (
            Column(PAIR),
            Column(SIDE, categories=(ErrorLabels.ENGLISH, ErrorLabels.TARGET)),
            Column(ANNOTATOR),
            Column(LABEL),
        ),
        key=(PAIR, SIDE, ANNOTATOR),
    )


class JudgedResponses:
    """Labels of automatic judges on single responses (`sample`), for the quota of judged items."""

    MODEL, LANGUAGE, ITEM, JUDGE, LABEL = "model", "language", "item_id", "judge", "label"
    TABLE = Table(
        "judged responses",
        (Column(MODEL), Column(LANGUAGE), Column(ITEM), Column(JUDGE), Column(LABEL)),
        key=(MODEL, LANGUAGE, ITEM, JUDGE),
    )


class StudyItems:
    """The texts of items (`sample`), in the language in which people judge."""

    ITEM, QUESTION, REFERENCE, FACTS = "item_id", "question", "reference", "facts"
    PASSAGE = "passage_id"
    TABLE = Table(
        "items",
        (
            Column(ITEM),
            Column(QUESTION),
            Column(REFERENCE, required=False, empty=True),
            Column(FACTS, required=False, empty=True),
            Column(PASSAGE, required=False, empty=True),
        ),
        key=(ITEM,),
    )


class Passages:
    """Texts that items refer to (`sample`)."""

    PASSAGE, TEXT, LANGUAGE = "passage_id", "text", "lang"
    TABLE = Table(
        "passages",
        (Column(PASSAGE), Column(TEXT), Column(LANGUAGE, required=False, empty=True)),
        key=(PASSAGE,),
    )


class Ratings:
    """Ratings (`human --ratings`): a row an annotator and item, a further column a dimension."""

    ITEM, ANNOTATOR = "item_id", "annotator"
    TABLE = Table(
        "ratings", (Column(ITEM), Column(ANNOTATOR)), key=(ITEM, ANNOTATOR), keep_others=True
    )


class LongJudgments:
    """The same ratings with a row a dimension, as `study_release` writes them in judgments.csv."""

    ITEM, ANNOTATOR, TASK = "item_id", "annotator", "task"
    DIMENSION, SCALE, VALUE = "dimension", "scale", "value"
    TABLE = Table(
        "judgments",
        (
            Column(ITEM),
            Column(ANNOTATOR),
            Column(TASK, required=False, empty=True),
            Column(DIMENSION),
            Column(SCALE, required=False, empty=True),
            Column(VALUE, empty=True),
        ),
        key=(ITEM, ANNOTATOR, TASK, DIMENSION),
    )


class JudgedItems:
    """What was judged (`human --items`): further columns are fields to analyse by.

    `SOURCES`, `CLASSES` and `CONDITIONS` are the fields by which results are broken down where the
    plan names none; all of that is post hoc.
    """

    ITEM, TASK, IN_A_FOLDER = "item_id", "task", "id"
    LOCALE = "locale"
    # What simulations know of an item; it is no measure of it.
    PLANTED = "planted_"
    SOURCES = ("source", "category")
    CLASSES = ("joshi_class", "resource_class")
    CONDITIONS = ("system", "model", *CLASSES, *SOURCES)
    TABLE = Table(
        "items",
        (Column(ITEM), Column(TASK, required=False, empty=True)),
        key=(ITEM,),
        keep_others=True,
        lists=True,
    )
    # The item table of a study folder calls its key `id`.
    FOLDER_TABLE = Table(
        "items", (Column(IN_A_FOLDER),), key=(IN_A_FOLDER,), keep_others=True, lists=True
    )


class Preferences:
    """Judgments of pairs (`human --preferences`): `higher`, `lower`, `tie`; or a system, or `tie`."""

    PAIR, ANNOTATOR, PREFERRED = "pair_id", "annotator", "preferred"
    SYSTEM_A, SYSTEM_B = "system_a", "system_b"
    SHOWN_FIRST, CONFIDENCE = "shown_first", "confidence"
    HIGHER, LOWER, TIE = "higher", "lower", "tie"
    TABLE = Table(
        "preferences",
        (
            Column(PAIR),
            Column(ANNOTATOR),
            Column(PREFERRED),
            Column(SYSTEM_A, required=False),
            Column(SYSTEM_B, required=False),
            Column(SHOWN_FIRST, required=False, empty=True),
            Column(CONFIDENCE, required=False, empty=True),
        ),
        key=(PAIR, ANNOTATOR),
    )
