# The two commands: `make demo` and `make test`. Each does all of its own set-up.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
BIN := .venv/bin
# One more than two cores: at any time some test waits for a child or a server.
JOBS ?= 3

.PHONY: help setup demo demo-live test soak check bench bench-peers web clean

help: ## show this
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-11s %s\n", $$1, $$2}'

setup: .venv/.installed

.venv/.installed: pyproject.toml constraints.txt scripts/setup
	@scripts/setup

demo: setup ## the main job on the embedded default: no key, no server
	@$(BIN)/hermes demo

# Pulls a model of a gigabyte into your home, once; the environment has what runs it.
demo-live: setup ## a task by a model on this machine: no key, some minutes
	@$(BIN)/python -m hermes.cli.demo.live

# A published skill runs on real pandas and matplotlib, in the sandbox; these are its packages.
.venv/.wheels: .venv/.installed
	@$(BIN)/pip download --quiet --disable-pip-version-check --only-binary :all: \
	  -c constraints.txt -d .venv/wheels pandas matplotlib
	@touch $@

test: setup .venv/.wheels ## every behaviour, at most 10 minutes on 2 cores
	@$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup -m "not soak"

soak: setup ## the full counts: chaos, load, engines; at most 80 minutes
	@$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup -m soak -rs

check: setup ## format, lint, strict types, import rules
	@$(BIN)/ruff format --check src tests
	@$(BIN)/ruff check src tests
	@$(BIN)/mypy
	@$(BIN)/lint-imports --config .importlinter

bench: setup ## what it costs, beside the peer's figures
	@$(BIN)/hermes bench latency

# The peers bring hundreds of packages; they live apart, and no code of theirs is ever imported here.
# Of bfcl-eval only the data is read, so it comes without what its code needs.
.venv-peers/.installed: constraints-peers.txt | .venv/.installed
	@rm -rf .venv-peers && $(BIN)/python -m venv .venv-peers
	@for peer in chromadb mem0ai "--no-deps bfcl-eval"; do \
	  .venv-peers/bin/pip install --quiet --disable-pip-version-check -c constraints-peers.txt $$peer || \
	    echo "bench-peers: $$peer cannot be installed; the table says so" >&2; \
	done
	@touch $@

bench-peers: setup .venv-peers/.installed ## the same memories in chromadb and mem0, as ratios
	@$(BIN)/hermes bench peers

web: setup ## the dashboard (comes with a later version)
	@echo "There is no dashboard in this version yet; 'make demo' shows what there is." >&2; exit 1

clean: ## remove the environment and caches
	rm -rf .venv .venv-peers .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
