"""What `manage.py bench NAME` can measure.

A bench is a module with a function `rows() -> list[Row]`. Registering one is a line here; the module
is imported only when its bench runs, so that a missing extra stops nothing else.
"""

BENCHES: dict[str, str] = {
    "clcg": "analysis.benches.clcg",
    "claims": "analysis.benches.claims",
    "loop": "analysis.benches.loop",
    "irt": "analysis.benches.irt",
    "human": "analysis.benches.human",
    "planner": "analysis.benches.planner",
    "release": "analysis.benches.release",
    "stats": "analysis.benches.stats",
    "trace": "analysis.benches.trace",
}
