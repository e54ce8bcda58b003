# Nothing but Python 3.11 or later is needed: each target makes its own .venv.
# PYTHON=python3.13 make test   picks an interpreter.

BIN := .venv/bin
WORKERS ?= 2

.DEFAULT_GOAL := help
.PHONY: help demo test lint types docs lock bench clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-6s %s\n", $$1, $$2 }' Makefile

demo: .venv/.run  ## the whole story on built-in data, in under a minute
	@$(BIN)/aliquot demo

test: lint types  ## everything that CI runs
	@$(BIN)/python -m pytest -q -n $(WORKERS)

lint: .venv/.dev  ## style, format and the walls between the rooms
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet
	@$(BIN)/lint-imports --no-logo

types: .venv/.dev  ## mypy --strict on the package, the tests and the scripts
	@$(BIN)/mypy

docs: .venv/.dev  ## run every example in the README, the docs and the docstrings
	@$(BIN)/python -m pytest -q -n $(WORKERS) tests/docs

lock: .venv/.dev  ## write constraints.txt anew
	@$(BIN)/python scripts/lock.py

bench: .venv/.dev  ## how fast it starts, writes and draws
	@set -e; for file in benchmarks/*.py; do echo "# $$file"; $(BIN)/python $$file; done

clean:  ## remove what the other targets made
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis build dist

.venv/.run: pyproject.toml constraints.txt
	@bash scripts/venv .

.venv/.dev: pyproject.toml constraints.txt
	@bash scripts/venv '.[dev]'
	@touch .venv/.run
