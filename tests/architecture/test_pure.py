"""The statistics run without Django, without the platform, and open nothing while imported."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
IMPORT_ALL = """
import importlib, pkgutil, sys
for name in ("django", "annotation"):
    sys.modules[name] = None
import analysis.stats
names = [m.name for m in pkgutil.iter_modules(analysis.stats.__path__, "analysis.stats.")]
for name in names:
    importlib.import_module(name)
print(len(names))
"""


def in_plain_interpreter(code):
    """Run code in a new interpreter at the root of the repository."""
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_every_module_of_the_statistics_imports_without_django():
    done = in_plain_interpreter(IMPORT_ALL)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 10


def test_the_block_on_django_bites():
    done = in_plain_interpreter("import sys; sys.modules['django'] = None; import django")
    assert done.returncode != 0
    assert "django" in done.stderr
