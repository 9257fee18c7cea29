# The two commands of the README are `make demo` and `make test`; each does all its own set-up.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
MANAGE := $(BIN)/python manage.py
STAMP := $(VENV)/.locked

.PHONY: setup demo serve check test test-fast bench fmt lock services clean

setup: $(STAMP)

$(STAMP): requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Parallax needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	touch $@

demo: setup
	$(MANAGE) demo

serve: setup
	$(MANAGE) serve

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/mypy -n 2 annotation analysis config tools tests manage.py
	$(BIN)/djlint --lint --check templates
	$(MANAGE) makemigrations --check --dry-run
	SITE_URL=https://parallax.example ALLOWED_HOSTS=parallax.example $(MANAGE) check --deploy --fail-level WARNING

# The whole suite on SQLite, browser journeys included, and then the same suite on PostgreSQL.
test: setup services
	$(BIN)/python -m tools.suite

test-fast: setup
	$(BIN)/python -m pytest -n auto -m "not slow and not browser and not concurrency"

services:
	bash tools/services.sh

bench: setup
	$(MANAGE) bench all

fmt: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/djlint --reformat templates

# Pins what pyproject.toml asks for. Needs uv; nothing else does.
lock:
	uv pip compile pyproject.toml --extra dev --extra trace --extra celery --generate-hashes --python-version 3.11 --upgrade -o requirements.lock

clean:
	rm -rf $(VENV) var
