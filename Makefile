# Thin names for developers; where there is no make (Windows), use run.py and the lines below it.
.PHONY: run test coverage lint lock setup format endorse

PYTHON ?= python3
BIN := .venv/bin

run:
	$(PYTHON) run.py

setup:
	@$(PYTHON) run.py setup

test:
	$(PYTHON) run.py test

# The engine's tests; they fail below 100 % of the lines and branches of the two ways of pairing.
coverage: setup
	$(BIN)/python -m pytest tests/engine --numprocesses auto --maxprocesses 4 --dist worksteal --durations 15 \
		--cov pairing.engine.dubov --cov pairing.engine.matching --cov-branch --cov-report term-missing --cov-fail-under 100

lint: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python manage.py makemigrations --check --dry-run
	HTTPS=on DEBUG=off $(BIN)/python -W error manage.py check --deploy --fail-level WARNING

format: setup
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

# One lock for Windows, macOS and Linux. `make lock UPGRADE=--upgrade` takes the newest versions that the .in allow.
LOCK = $(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --no-emit-index-url \
	--no-emit-find-links --custom-compile-command "make lock" $(UPGRADE)

lock: setup
	$(LOCK) requirements.in --output-file requirements.txt
	$(LOCK) requirements-dev.in --output-file requirements-dev.txt

# 50,000 random tournaments, every round checked; can be stopped, and goes on where it was (docs/endorsement.md).
endorse: setup
	$(BIN)/python -m bench.endorse $(ENDORSE)
