# Each target does its own set-up, so that any of them works in a fresh clone.

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
READY := .venv/.ready
SERVE_READY := .venv/.ready-to-serve
BROWSER_READY := .venv/.browser
BENCH_READY := .venv-bench/.ready
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.DEFAULT_GOAL := help

.PHONY: help
help: ## Print the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: setup
setup: $(READY) ## Make .venv with everything that running and developing needs

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "Provender needs Python 3.11 or later on the PATH (or: make setup PYTHON=...)"; exit 1; }
	$(PYTHON) -m venv .venv

$(READY): requirements/dev.txt requirements/build.txt pyproject.toml src/provender/__init__.py | .venv/bin/python
	$(INSTALL) --require-hashes -r requirements/dev.txt
	$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@ $(SERVE_READY)

# Without what only developing needs, and compiled when it is first used, so that the first start is a quick one.
$(SERVE_READY): requirements/docs.txt requirements/build.txt pyproject.toml src/provender/__init__.py | .venv/bin/python
	$(INSTALL) --no-compile --require-hashes -r requirements/docs.txt -r requirements/build.txt
	$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

.PHONY: docs
docs: $(SERVE_READY) ## Build the documents as a site, which the service shows at /docs/
	$(BIN)/python scripts/build_docs.py

# A fault in a document is no reason not to serve.
.PHONY: serve
serve: $(SERVE_READY) ## Run the service on http://127.0.0.1:8000 with embedded storage in ./provender-data
	-@$(MAKE) --no-print-directory docs
	$(BIN)/provender serve

# Servers are started a thousand times, so what was compiled is kept, also by who has forbidden it elsewhere.
test browser: export PYTHONDONTWRITEBYTECODE =

.PHONY: test
test: $(READY) docs ## Run the whole test suite on SQLite and on PostgreSQL (a real server from a wheel)
	$(BIN)/python -m pytest -m "not alone" --numprocesses logical --maxprocesses 4 --dist worksteal
	$(BIN)/python -m pytest -m alone $$(grep -rlF --include='*.py' pytest.mark.alone tests)

# Chromium itself is the system's: apt install chromium. More options go into BROWSER, as in BROWSER="-k sign_in".
.PHONY: browser
browser: browser-setup ## Run the tests of the console in Chromium (SCREENSHOTS=FOLDER keeps pictures)
	PROVENDER_REQUIRE=browser $(BIN)/python -m pytest tests/browser $(if $(SCREENSHOTS),--screenshots $(SCREENSHOTS)) $(BROWSER)

# With it, `make test` runs them too.
.PHONY: browser-setup
browser-setup: $(BROWSER_READY)

$(BROWSER_READY): $(READY) requirements/browser.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/browser.txt
	@touch $@

# More options go into FUZZ, as in FUZZ="--seed 1 --examples 100".
.PHONY: fuzz
fuzz: $(READY) ## Made-up requests for every route of the OpenAPI document (EXAMPLES=2000 for each; more options in FUZZ)
	$(BIN)/python -m tests.fuzzing --examples $(or $(EXAMPLES),2000) $(FUZZ)

# The seed that it prints draws the same writes and moments again: make torture SEED=... More options go into TORTURE.
.PHONY: torture
torture: $(READY) ## Kill the server and the database under load, and count what was lost (ROUNDS=50, SEED=...); then make fuzz
	$(BIN)/python -m tests.torture --rounds $(or $(ROUNDS),50) $(if $(SEED),--seed $(SEED)) $(TORTURE)
	@$(MAKE) --no-print-directory fuzz

.PHONY: lint
lint: $(READY) ## ruff, mypy --strict (also of examples), import-linter, and pip-audit where its advisory service can be reached
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python scripts/check_examples.py
	$(BIN)/lint-imports --verbose
	$(BIN)/python scripts/audit.py

.PHONY: format
format: $(READY) ## Let ruff mend what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(BENCH_READY): requirements/bench.txt
	@test -n "$(PYTHON)" || { echo "Provender needs Python 3.11 or later on the PATH (or: make bench PYTHON=...)"; exit 1; }
	test -x .venv-bench/bin/python || $(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/bench.txt
	@touch $@

# wrk is asked for before anything is installed or built. More options go into BENCH, as in BENCH="--only search".
.PHONY: bench
bench: ## Measure Provender against its goals and other services; needs wrk (make bench QUICK=1: two minutes)
	@command -v wrk >/dev/null || { echo "make bench needs wrk, the load generator: apt install wrk, or brew install wrk."; exit 1; }
	@$(MAKE) --no-print-directory $(READY) $(BENCH_READY)
	$(BIN)/python -m benchmarks.bench $(if $(filter-out 0,$(QUICK)),--quick) $(BENCH)

# More options go into LOAD, as in LOAD="--only two". With DURATION=30 and CONNECTIONS=50 it is over in minutes.
.PHONY: load
load: $(READY) ## Load Provender with a realistic mix over 500 connections for five minutes, and judge it
	$(BIN)/python -m benchmarks.load $(if $(DURATION),--duration $(DURATION)) \
		$(if $(CONNECTIONS),--connections $(CONNECTIONS)) $(LOAD)

# The client is a distribution of its own, with a pyproject.toml in its folder.
.PHONY: wheels
wheels: $(READY) docs ## Build the wheels of the server, with its documents, and of the client
	$(BIN)/hatchling build --target wheel --directory dist
	cd src/provender_client && ../../$(BIN)/hatchling build --directory ../../dist

# The header of a lock file names `make lock` only: neither a registry's address nor a path belongs into the repository.
LOCK := $(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --no-emit-index-url \
	--no-emit-find-links --custom-compile-command "make lock" pyproject.toml

.PHONY: lock
lock: ## Lock the requirements with hashes (make lock UPGRADE=--upgrade for newer releases)
	@test -x $(BIN)/uv || { $(PYTHON) -m venv .venv && $(BIN)/python -m pip install --quiet uv; }
	$(LOCK) $(UPGRADE) --output-file requirements/run.txt
	$(LOCK) $(UPGRADE) --extra docs --constraint requirements/run.txt --output-file requirements/docs.txt
	$(LOCK) $(UPGRADE) --extra dev --extra docs --constraint requirements/docs.txt --output-file requirements/dev.txt
	$(LOCK) $(UPGRADE) --extra browser --constraint requirements/dev.txt --output-file requirements/browser.txt
	$(LOCK) $(UPGRADE) --extra otel --constraint requirements/dev.txt --output-file requirements/otel.txt
	printf 'editables\nhatchling\n' | $(LOCK:pyproject.toml=-) $(UPGRADE) --constraint requirements/dev.txt --output-file requirements/build.txt
	$(LOCK) $(UPGRADE) --extra bench --constraint requirements/run.txt --output-file requirements/bench.txt

.PHONY: clean
clean: ## Remove what the other targets made, but not ./provender-data
	rm -rf src/provender/site .venv .venv-bench benchmarks/.cache .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist
