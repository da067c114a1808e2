# make demo and make test need only Python 3.11+ and make; everything else goes into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV := $(shell command -v uv 2>/dev/null)

# Tests and examples start the program many times: what one process has compiled is there for the others. Most of what
# is installed is never imported, so pip compiles nothing in advance.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo serve test test-all check lint types examples docs format bench mutants pictures schemas cli-docs clean
.DEFAULT_GOAL := demo

$(VENV)/.base: pyproject.toml
ifdef UV
	$(UV) venv --quiet --python $(PYTHON) --allow-existing $(VENV)
	$(UV) pip install --quiet --python $(BIN)/python -e ".[png,web]"
else
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check -e ".[png,web]"
endif
	@touch $@

$(VENV)/.dev: $(VENV)/.base
ifdef UV
	$(UV) pip install --quiet --python $(BIN)/python -e ".[dev]"
else
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check -e ".[dev]"
endif
	@touch $@

$(VENV)/.bench: $(VENV)/.dev
ifdef UV
	$(UV) pip install --quiet --python $(BIN)/python -e ".[bench]"
else
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check -e ".[bench]"
endif
	@touch $@

demo: $(VENV)/.base
	@$(BIN)/simulator demo

# Laws over generated boards are tried on a sample of them: all of them take more than an hour.
test: $(VENV)/.dev
	@$(BIN)/python -m pytest -n auto --dist worksteal --sample

test-all: $(VENV)/.dev
	@$(BIN)/python -m pytest -n auto --dist worksteal

# The live table of the scenarios included, in the browser.
serve: $(VENV)/.base
	@$(BIN)/simulator serve --browser

check: lint types examples docs

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache

types: $(VENV)/.dev
	$(BIN)/mypy

# What a page says follows from what it said before: each is tried by one process.
examples: $(VENV)/.dev
	$(BIN)/python -m pytest -q -p no:cacheprovider -n auto --dist loadfile docs README.md CONTRIBUTING.md simulator

# As a site in out/site; a dead link or a page without a place in the navigation is an error.
docs: $(VENV)/.dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

schemas: $(VENV)/.base
	$(BIN)/python -m simulator.formats.schema

cli-docs: $(VENV)/.base
	$(BIN)/python -m simulator.cli.manual

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks

mutants: $(VENV)/.dev
	@for part in engine combined_arms grid_runner dot_trooper mecha skirmish; do $(BIN)/python tests/mutation/run.py $$part || exit 1; done

pictures: $(VENV)/.base
	$(BIN)/python docs/pictures/make.py

clean:
	rm -rf $(VENV) out build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
