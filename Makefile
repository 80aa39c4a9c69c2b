# On a fresh machine with Python ≥ 3.11, pip and make, each of these sets up by itself what it needs.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# Without bytecode: the first run keeps that of the modules that it imports, which are few of all that are installed.
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check --no-compile
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test check bench mutants drop-in format clean

demo: $(VENV)/.lab  ## compare methods on an included table, and tell where the report is
	@echo "Comparing methods on a table of 569 rows; the first time, they are compiled for this machine …"
	$(BIN)/aprendiz run

$(VENV)/.pip:
	@echo "Creating an environment in $(VENV) (a few seconds) …"
	@$(PYTHON) -m venv $(VENV)
	@$(INSTALL) --upgrade pip  # the pip that comes with Python 3.11 takes half as long again
	@touch $@

$(VENV)/.lab: pyproject.toml | $(VENV)/.pip
	@echo "Installing aprendiz and the packages that it needs (about half a minute) …"
	@$(INSTALL) --editable ".[lab]"
	@touch $@

$(VENV)/.installed: pyproject.toml | $(VENV)/.pip
	@echo "Installing aprendiz and the packages that its developers need (about a minute) …"
	@$(INSTALL) --editable ".[dev]"
	@touch $@

$(VENV)/.bench: $(VENV)/.installed
	@echo "Installing the packages that aprendiz is measured against …"
	@$(INSTALL) --editable ".[bench]"
	@touch $@

test: $(VENV)/.installed  ## run the tests
	$(BIN)/python -m pytest

check: $(VENV)/.installed  ## style, types, layers, and whether the pages of docs/ are true: examples, pictures, benchmarks
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest checks docs

bench: $(VENV)/.bench  ## measure all families against other libraries, store each result, write docs/benchmarks.md
	$(BIN)/python -m benchmarks

mutants: $(VENV)/.installed  ## plant small faults in copies of the source, and see which tests notice
	$(BIN)/python tools/mutants.py

drop-in: $(VENV)/.installed  ## run scikit-learn's own tests on our classes, and tell which fail
	$(BIN)/python tools/drop_in.py --failures

format: $(VENV)/.installed  ## put the code in its usual form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
