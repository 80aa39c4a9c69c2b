# On a fresh machine with Python ≥ 3.11, pip and make, each of these sets up by itself what it needs.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.PHONY: demo test check bench mutants format clean

demo: $(VENV)/.lab  ## compare methods on the table that comes along, and tell where the report is
	$(BIN)/aprendiz run

$(VENV)/.pip:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip
	touch $@

$(VENV)/.lab: pyproject.toml | $(VENV)/.pip
	$(BIN)/pip install --quiet --editable ".[lab]"
	touch $@

$(VENV)/.installed: pyproject.toml | $(VENV)/.pip
	$(BIN)/pip install --quiet --editable ".[dev]"
	touch $@

$(VENV)/.bench: $(VENV)/.installed
	$(BIN)/pip install --quiet --editable ".[bench]"
	touch $@

test: $(VENV)/.installed  ## run the tests
	$(BIN)/python -m pytest

check: $(VENV)/.installed  ## style, types, layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.bench  ## measure against scikit-learn, scikit-learn-intelex, celer and skglm, rewrite docs/benchmarks.md
	$(BIN)/python -m benchmarks

mutants: $(VENV)/.installed  ## plant small faults in copies of the source, and see which tests notice
	$(BIN)/python tools/mutants.py

format: $(VENV)/.installed  ## put the code in its usual form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
