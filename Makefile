# Short commands for developers. Without make (Windows), use run.py or type the commands below.
.PHONY: run test coverage lint lock setup format messages endorse audit mutants pictures

PYTHON ?= python3
BIN := .venv/bin
export DENO_DIR := $(CURDIR)/.venv/deno
export DENO_NO_UPDATE_CHECK := 1

run:
	$(PYTHON) run.py

setup:
	@$(PYTHON) run.py setup

test:
	$(PYTHON) run.py test

# The engine's tests. They fail unless they reach every line and branch of how the Dubov System pairs and explains, and of matching.
coverage: setup
	$(BIN)/python -m evenboard_engine.tests.branches

lint: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python manage.py makemigrations --check --dry-run
	HTTPS=on DEBUG=off $(BIN)/python -W error manage.py check --deploy --fail-level WARNING
	$(BIN)/djangofmt --quiet --check templates
	$(BIN)/djangofmt --quiet check templates
	$(BIN)/deno lint
	$(BIN)/deno fmt --check
	$(BIN)/deno check --quiet static/js

format: setup
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/djangofmt check --fix templates
	$(BIN)/djangofmt templates
	$(BIN)/deno lint --fix
	$(BIN)/deno fmt

# Write every text that is marked for translation into the catalogue of each language in locale/.
# `make messages LANGUAGE=de` begins the catalogue of German. Needs GNU gettext (xgettext, msgmerge).
messages: setup
	$(BIN)/python manage.py makemessages $(if $(LANGUAGE),--locale $(LANGUAGE),--all)

# Make the pictures of the manual again, where a page has changed.
pictures: setup
	PICTURES=make $(BIN)/python -m pytest -q -n 0 tests/browser/test_axe.py tests/browser/test_arbiters_round.py \
		tests/browser/test_import_list.py

# One lock for Windows, macOS and Linux. `make lock UPGRADE=--upgrade` takes the newest versions that the .in files allow.
LOCK = $(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --no-emit-index-url \
	--no-emit-find-links --custom-compile-command "make lock" $(UPGRADE)

lock: setup
	$(LOCK) requirements.in --output-file requirements.txt
	$(LOCK) requirements-dev.in --output-file requirements-dev.txt

# Look for known weaknesses in the locked packages. Asks the network, so no part of CI.
audit: setup
	$(BIN)/uv tool run --from 'pip-audit~=2.9' pip-audit --disable-pip --require-hashes --requirement requirements-dev.txt

# Which changes of the engine no test notices (docs/mutants.md): `make mutants ONLY='evenboard_engine.matching.*'`.
MUTMUT = $(BIN)/uv tool run --from 'mutmut==3.8.1' --with pytest --with hypothesis --with coverage mutmut
mutants: setup
	$(MUTMUT) run $(if $(ONLY),'$(ONLY)')
	$(MUTMUT) results | sed '/not checked/d'

# Play 50,000 random tournaments and check every round. After a stop it continues (docs/endorsement.md).
endorse: setup
	$(BIN)/python -m bench.endorse $(ENDORSE)
