# Every target sets up what it needs from a clean clone: python3 and make are enough.
# uv is used when it is on the machine, else venv + pip.
VENV := .venv
PEER := .venv-peer
PYTHON ?= python3
BIN := $(VENV)/bin
UV := $(shell command -v uv 2>/dev/null)
ifdef UV
INSTALL := $(UV) pip install --quiet --python $(BIN)/python
else
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
endif

# The seed of the examples that `make test-long` draws: another one each time, printed, and repeated
# by `make test-long SEED=...`.
SEED ?= $(shell od -An -N3 -tu4 /dev/urandom | tr -d ' ')

.PHONY: demo test test-portable test-outside test-service test-long golden simulations test-kill check browser perf fuzz format clean

demo: $(VENV)/.ready
	@$(BIN)/assay demo -o demo.html -o demo.json
	@command -v assay >/dev/null 2>&1 || \
	  echo "Type $(BIN)/assay for assay, or first: . $(BIN)/activate" >&2

# Neighbours stay in one process (worksteal), so that what a file prepares is prepared once; the
# programs that tests start read compiled modules, also where a user's environment stores none.
test: export PYTHONDONTWRITEBYTECODE =
test: $(VENV)/.ready
	$(BIN)/python -m pytest -m "not long and not browser and not server and not service" -n 2 --dist worksteal -q

# What macOS and Windows can run, too; without make: python -m pytest -m portable --timeout-method thread
test-portable: $(VENV)/.ready
	$(BIN)/python -m pytest -m portable --timeout-method thread -q

# Pages in a browser, and searches in databases: what needs programs beside Python.
test-outside: export PYTHONDONTWRITEBYTECODE =
test-outside: $(VENV)/.ready
	$(BIN)/python -m pytest -m "(browser or server) and not long and not service" -n 2 -q tests/browser tests/engines/stores tests/engines/systems tests/server tests/workspace

# The service as real processes, on SQLite and PostgreSQL; a test that is skipped is a failure here.
test-service: export PYTHONDONTWRITEBYTECODE =
test-service: export ASSAY_NO_SKIP = 1
test-service: $(VENV)/.ready
	$(BIN)/python -m pytest -m service -n 2 --dist worksteal -q tests

test-long: $(VENV)/.ready
	$(BIN)/python -m pytest -m "(long or hypothesis) and not service" -n 2 -q tests --hypothesis-profile=random --hypothesis-seed=$(SEED)

# Writes the outputs of a fixed set of commands again, the texts that tests compare
# (tests/snapshots.py), the reference pages, and the outputs that README and docs show; read the diff
# before you commit it.
golden: $(VENV)/.ready
	@find tests -path '*/expected/*.txt' -delete
	@rm -f tests/golden/expected/public-names.json
	ASSAY_GOLDEN=write $(BIN)/python -m pytest -n 2 -q tests/golden -k "not every_file"
	ASSAY_GOLDEN=write $(BIN)/python -m pytest -m snapshot -q tests
	$(BIN)/python -m docs.make_reference
	$(BIN)/python -m docs.make_schema
	ASSAY_GOLDEN=write $(BIN)/python -m pytest -q tests/docs/test_console.py tests/docs/test_tutorial_github.py

# Kills processes 50 times per kind (CI: 8 times) and keeps what became of them.
test-kill: export ASSAY_KILLS = 50
test-kill: $(VENV)/.ready
	@rm -f performance/kills.txt performance/kills-service.txt
	ASSAY_KILLS_LOG=$(CURDIR)/performance/kills.txt $(BIN)/python -m pytest -m "long and not service" -q tests -k kill
	ASSAY_NO_SKIP=1 ASSAY_KILLS_LOG=$(CURDIR)/performance/kills-service.txt $(BIN)/python -m pytest -m service -q tests -k kill

# The tables of docs/verdicts.md and docs/gates.md; about half an hour on two cores.
simulations: $(VENV)/.ready
	@$(BIN)/python -m tests.simulations.decisions $(TRIALS)
	@$(BIN)/python -m tests.simulations.gates $(TRIALS)

check: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Chromium, for the tests that look at pages; without it they are skipped, and say so.
browser:
	@command -v chromium >/dev/null 2>&1 || command -v google-chrome >/dev/null 2>&1 || { \
	  command -v apt-get >/dev/null 2>&1 && apt-get update -qq && apt-get install -y -qq chromium; }

# Beside the peers of `.[perf]`, one that needs torch has an environment of its own, unless
# ASSAY_PEER_PYTHON names one that has it already.
perf: $(VENV)/.ready-perf
	$(BIN)/python -m performance

ifndef ASSAY_PEER_PYTHON
perf: $(PEER)/.ready
perf: export ASSAY_PEER_PYTHON = $(CURDIR)/$(PEER)/bin/python
endif

# 10,000 mutated inputs, one in ten on a pseudo-terminal: no traceback, no control character.
fuzz: $(VENV)/.ready
	nice $(BIN)/python -m performance.fuzz -o performance/fuzz/result.json

format: $(VENV)/.ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(VENV)/bin/python:
ifdef UV
	$(UV) venv --quiet --python $(PYTHON) $(VENV)
else
	$(PYTHON) -m venv $(VENV)
endif

# The last line compiles the checkout as pip compiles a wheel: without it each start would.
$(VENV)/.ready: $(VENV)/bin/python pyproject.toml
	@echo "Setting up $(VENV) ..." >&2
	$(INSTALL) -e '.[dev]'
	@$(BIN)/python -m compileall -q src
	@touch $@

$(VENV)/.ready-perf: $(VENV)/.ready
	$(INSTALL) -e '.[dev,perf]'
	@touch $@

# By pip also where uv is there: pip finds a build of torch without CUDA that lies in a folder of
# wheels (PIP_FIND_LINKS).
$(PEER)/.ready: performance/peers.txt
	@echo "Setting up $(PEER) ..." >&2
	$(PYTHON) -m venv $(PEER)
	$(PEER)/bin/python -m pip install --quiet --disable-pip-version-check -r performance/peers.txt
	@touch $@

clean:
	rm -rf $(VENV) $(PEER) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist
