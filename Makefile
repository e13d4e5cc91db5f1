# make demo   a round robin of four bots in two languages, in both games, to the leaderboard
# make test   everything that CI holds: style, types, layers, tests
# make bench  how fast rules, protocol, ratings and store are; arena bench measures the referee
# make soak   10,000 matches in one run, in which nothing may grow
# make env    the environment alone, in .venv
.DEFAULT_GOAL := help
.PHONY: help env demo test bench soak lint clean

PYTHON ?= python3
export UV_PYTHON_DOWNLOADS := never
export UV_PROJECT_ENVIRONMENT := $(CURDIR)/.venv
BIN := .venv/bin
DEMO := .demo/arena.db

help:
	@sed -n 's/^# //p' Makefile

env: .venv/.installed

.venv/bin/uv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "$(PYTHON) is older than 3.11; name another: make PYTHON=python3.12 …"; exit 1; }
	@$(PYTHON) -m venv .venv || \
	  { rm -rf .venv; echo "Python's venv is missing: apt-get install python3-venv"; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv

.venv/.installed: .venv/bin/uv pyproject.toml uv.lock
	@$(BIN)/uv sync --quiet --frozen --inexact --no-dev --extra web
	@touch $@

.venv/.installed-dev: .venv/.installed
	@$(BIN)/uv sync --quiet --frozen --inexact
	@touch $@

demo: .venv/.installed
	@rm -rf .demo && mkdir .demo
	@bots="greedy random examples/python"; \
	if command -v node >/dev/null; then bots="$$bots examples/javascript"; \
	else echo "node is missing, so examples/javascript is left out (apt-get install nodejs)"; fi; \
	for game in savanna-ten herd; do \
	  $(BIN)/arena run $$game $$bots --deals 12 --seed demo --store $(DEMO) || exit; \
	done; \
	echo "The matches are in $(DEMO): try  $(BIN)/arena matches --store $(DEMO)"

lint: .venv/.installed-dev
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check --quiet
	@$(BIN)/lint-imports
	@$(BIN)/mypy

test: lint
	@$(BIN)/pytest -n auto

bench: .venv/.installed-dev
	@$(BIN)/pytest -n0 benchmarks --benchmark-columns=min,median,iqr --benchmark-sort=fullname

soak: .venv/.installed-dev
	@$(BIN)/python -m benchmarks.soak

clean:
	rm -rf .venv .demo dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
