"""The whole suite: on SQLite, browser journeys and slow tests included, and then on PostgreSQL.

Prints what each run said, and at the end one line that counts both. Tests that need no database are
run once: they are marked by their folder.
"""

import os
import re
import subprocess
import sys
from collections import Counter

POSTGRESQL = "postgres://parallax_test:parallax_test@127.0.0.1:5432/parallax_test"
# What the second run need not repeat, since it tells nothing of the database.
PURE = (
    *(f"tests/analysis/{part}" for part in ("benches", "embeddings", "figures", "pipelines")),
    *(f"tests/analysis/{part}" for part in ("reports", "stats", "management/commands")),
    *(f"tests/analysis/management/test_{part}.py" for part in ("trace_commands", "clcg_command")),
    *(f"tests/annotation/{part}" for part in ("design", "studyfile", "tasktypes")),
    "tests/architecture",
    "tests/docs",
    "tests/fixtures",
    # How pages look and behave; whole sessions and coming back are played on both.
    *(
        f"tests/journeys/test_{part}.py"
        for part in ("accessibility", "every_device", "hostile_texts")
    ),
    "tests/journeys/test_staff.py",
    # Of these the databases give the same rows, which tests/annotation/exports and test_loaders hold.
    "tests/analysis/test_demo_archives.py",
    "tests/analysis/test_recovery.py",
    "tests/annotation/redaction",
)
# The order in which forms are given out hangs on it: the same in every run.
IDENTITY_KEY = "OS7HswMadxDh7JpUAqavFfwvJ3Dc3mRzs5zvU-jNEnWz0Z_OHk_6CknxkFB6V0ux"
# One more than the cores that CI has, since browsers and processes are waited for.
WORKERS = "3"
COUNTED = re.compile(r"(\d+) (passed|failed|errors?|skipped|xfailed|xpassed)")


def run(name: str, arguments: list[str], environment: dict[str, str]) -> tuple[int, Counter[str]]:
    """Run pytest once, let its words through, and return its exit status and its counts."""
    sys.stdout.write(f"\n=== the suite on {name} ===\n")
    sys.stdout.flush()
    command = [sys.executable, "-m", "pytest", "-n", WORKERS, "--dist", "loadgroup"]
    command += ["--durations=25", *arguments]
    process = subprocess.Popen(  # noqa: S603  our own arguments
        command,
        env=os.environ | {"IDENTITY_KEY": IDENTITY_KEY} | environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    last = ""
    for line in process.stdout or ():
        sys.stdout.write(line)
        sys.stdout.flush()
        last = line if COUNTED.search(line) else last
    counts = Counter({word.rstrip("s"): int(n) for n, word in COUNTED.findall(last)})
    return process.wait(), counts


def main() -> int:
    """Run both, and say how it went in one line."""
    chosen = sys.argv[1:]
    url = os.environ.get("TEST_DATABASE_URL", POSTGRESQL)
    runs = [
        run("SQLite", chosen, {"DATABASE_URL": ""}),
        run("PostgreSQL", [*chosen, *(f"--ignore={path}" for path in PURE)], {"DATABASE_URL": url}),
    ]
    total = sum((counts for _, counts in runs), Counter())
    failed = total["failed"] + total["error"]
    sys.stdout.write(f"\n{total['passed']} passed, {failed} failed, {total['skipped']} skipped\n")
    return max(status for status, _ in runs)


if __name__ == "__main__":
    sys.exit(main())
