# On a fresh machine with Python ≥ 3.11, pip and make, `make test` sets everything up by itself.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.PHONY: test check bench format clean

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip
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

bench: $(VENV)/.bench  ## measure against scikit-learn and scikit-learn-intelex, rewrite docs/benchmarks.md
	$(BIN)/python -m benchmarks

format: $(VENV)/.installed  ## put the code in its usual form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
