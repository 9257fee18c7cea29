"""One item of each type, with every field that its type knows, and what must stay hidden."""

import random

RUBRIC = {
    "question": "Why was the market moved?",
    "response": "Because the quay had been flooded.",
    "passage": "In 1887 the river rose above the quay.\n\nIn 1889 the market was moved.",
    "reference": "The quay had been flooded, and the square lay by the station.",
    "facts": ["The quay had been flooded", "The square lay by the station"],
    "ask_error": True,
}
PAIR = {
    "question": "What does the author say about patience?",
    "response_1": "That waiting is work.",
    "response_2": "That plants need time.",
    "passage": "She prunes in winter for a spring that she cannot see.",
    "reference": "That waiting is work.",
}
TRACE = {
    "question": "How many loaves are sold?",
    "trace_1": "Half of 48 is 24.\nTogether that is 72.",
    "trace_2": "48 and 24 are 72.\n  (24 is half of 48)\n\nSo it is 72.",
    "answer": "72",
}
TRANSLATION = {
    "source_question": "Which dish is eaten at new year?",
    "source_options": ["Lentils", "Rice cakes", "Fried fish", "Apple pie"],
    "target_question": "¿Qué plato se come en año nuevo?",
    "target_options": ["Lentejas", "Pasteles de arroz", "Pescado frito", "Tarta"],
    "source_lang": "en",
    "target_lang": "es",
}


def seeded(seed):
    """Return the randomness of one simulated answer."""
    return random.Random(seed)  # noqa: S311 - a simulation must be repeatable, not secret
