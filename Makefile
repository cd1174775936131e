# make demo | serve-demo | test | coverage | lint | docs | bench: each makes its own .venv first.
# Needs only python3 and make.

PYTHON ?= python3
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
TESTS := $(BIN)/python -m pytest --numprocesses auto --dist worksteal

.PHONY: help demo serve-demo docs release-check test coverage lint format hooks oldest bench clean

help:
	@echo "make demo           see it work on real data that ships with the package"
	@echo "make serve-demo     see the service learn from a stream, on a live page"
	@echo "make test           run all tests"
	@echo "make coverage       run all tests, and see which lines and branches they reach"
	@echo "make lint           ruff, mypy, import-linter, codespell"
	@echo "make format         let ruff rewrite the sources"
	@echo "make hooks          let git check each commit (pre-commit)"
	@echo "make oldest         install the oldest packages that are allowed, as in: make oldest test"
	@echo "make docs           build the site, offline, and check every link: site/index.html"
	@echo "make release-check  build, install and try what a release would be"
	@echo "make bench          measure speed, as ratios to baselines in the same run"
	@echo "make clean          remove .venv and caches"

demo: .venv/.demo
	$(BIN)/braided demo --html demo.html

serve-demo: .venv/.serve-demo
	$(BIN)/python -m braided.live.demo

test: .venv/.dev
	$(TESTS)

coverage: .venv/.dev
	$(TESTS) --cov --cov-report=term

lint: .venv/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell

docs: .venv/.docs
	BRAIDED_QUIET=1 $(BIN)/python -m tools.site

release-check: .venv/.dev
	$(BIN)/python -m tools.release_check

format: .venv/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

hooks: .venv/.dev
	$(BIN)/pre-commit install

bench: .venv/.dev
	$(BIN)/python -m benchmarks

clean:
	rm -rf demo.html .venv .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	rm -rf .coverage .coverage.* htmlcov build site
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# One environment; each goal adds what it needs to it.
.venv/.made:
	$(PYTHON) -m venv .venv
	touch $@

.venv/.serve-demo: .venv/.made pyproject.toml
	$(INSTALL) --editable ".[live]"
	touch $@

.venv/.demo: .venv/.made pyproject.toml
	$(INSTALL) --editable ".[report]"
	touch $@

.venv/.docs: .venv/.made pyproject.toml
	$(INSTALL) --editable ".[docs,io,live,report]"
	touch $@

# What pyproject.toml promises must hold at the lower end, too; tools for development stay new.
oldest: .venv/.made
	$(BIN)/python tools/oldest.py > .venv/oldest.txt
	$(INSTALL) --constraint .venv/oldest.txt --editable ".[dev]"
	touch .venv/.dev

.venv/.dev: .venv/.made pyproject.toml src/braided/__init__.py
	$(INSTALL) --editable ".[dev]"
	touch $@
