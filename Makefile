# Every target sets up what it needs from a clean clone: python3 and make are enough.
# uv is used when it is on the machine, else venv + pip.
VENV := .venv
PYTHON ?= python3
BIN := $(VENV)/bin
UV := $(shell command -v uv 2>/dev/null)

.PHONY: demo test test-long check perf format clean

demo: $(VENV)/.ready
	@$(BIN)/python -m examples.make_example >&2
	@$(BIN)/assay compare examples/data/words.run examples/data/parts.run examples/data/counts.run --qrels examples/data/qrels.txt -m ndcg@10 -m mrr@10 -m recall@10

test: $(VENV)/.ready
	$(BIN)/python -m pytest -m "not long" -n 2 -q

test-long: $(VENV)/.ready
	$(BIN)/python -m pytest -m long -n 2 -q tests

check: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

perf: $(VENV)/.ready-perf
	$(BIN)/python -m performance

format: $(VENV)/.ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(VENV)/bin/python:
ifdef UV
	$(UV) venv --quiet --python $(PYTHON) $(VENV)
else
	$(PYTHON) -m venv $(VENV)
endif

$(VENV)/.ready: $(VENV)/bin/python pyproject.toml
	@echo "Setting up $(VENV) ..." >&2
ifdef UV
	$(UV) pip install --quiet --python $(BIN)/python -e '.[dev]'
else
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
endif
	@touch $@

$(VENV)/.ready-perf: $(VENV)/.ready
ifdef UV
	$(UV) pip install --quiet --python $(BIN)/python -e '.[dev,perf]'
else
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,perf]'
endif
	@touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist
