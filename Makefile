# make demo | test | lint | bench: each makes its own .venv first. Needs only python3 and make.

PYTHON ?= python3
BIN := .venv/bin

.PHONY: help demo test lint format bench clean

help:
	@echo "make demo    see it work on real data that ships with the package"
	@echo "make test    run all tests"
	@echo "make lint    ruff and mypy"
	@echo "make format  let ruff rewrite the sources"
	@echo "make bench   measure speed, as ratios to baselines in the same run"
	@echo "make clean   remove .venv and caches"

demo: .venv/.demo
	$(BIN)/braided demo --html demo.html

test: .venv/.dev
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal

lint: .venv/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: .venv/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: .venv/.dev
	$(BIN)/python -m benchmarks

clean:
	rm -rf demo.html .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# One environment; each goal adds what it needs to it.
.venv/.made:
	$(PYTHON) -m venv .venv
	touch $@

.venv/.demo: .venv/.made pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[report]"
	touch $@

.venv/.dev: .venv/.made pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	touch $@
