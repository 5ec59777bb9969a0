# Every target does its own set-up first, and can be repeated.

HOST ?= 127.0.0.1
PORT ?= 8000
ARGS ?=
IMAGES ?= examples
MODEL ?= receipts

# Tests start hundreds of processes, each of which would compile everything anew.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
LOCK := pip-compile --quiet --extra train --extra invent --extra dev --build-deps-for editable --generate-hashes \
	--strip-extras --no-annotate --no-emit-index-url --no-emit-find-links --no-emit-options \
	--unsafe-package torch --unsafe-package sentence-transformers

.PHONY: help setup serve test check audit pin-images format bench smoke-train example lock

help:  ## List the targets
	@grep -E '^[a-z-]+: .*##' Makefile | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 12

setup:  ## Install everything into .venv
	@.ci/setup

serve: setup  ## Start the service (HOST, PORT, ARGS)
	@exec $(BIN)/fieldwright serve --host $(HOST) --port $(PORT) $(ARGS)

# Files go to one process more than there are cores, for many tests wait; up to four: beyond, servers
# crowd one another out.
test: setup  ## Run all tests (ARGS)
	@$(BIN)/python -m pytest --numprocesses $$(($$(nproc) + 1)) --maxprocesses 4 --dist loadfile \
		--no-loadscope-reorder $(ARGS)

check: setup  ## Format, lint, types, import directions, images
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy --num-workers $$(nproc)
	cd client && ../$(BIN)/mypy --strict fieldwright_client
	.ci/types
	$(BIN)/lint-imports --no-logo
	$(BIN)/hadolint docker/Dockerfile.api docker/Dockerfile.worker
	$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec docker-compose.yml

audit: setup  ## Bill of materials, licences, known vulnerabilities (build/)
	@.ci/audit

pin-images:  ## Pin the base images of docker-compose.yml by digest, in .env (needs docker)
	@docker/pin-images

format: setup  ## Format and sort imports
	$(BIN)/ruff check --fix --select I .
	$(BIN)/ruff format .

bench: setup  ## Measure speed and memory on pictures of receipts (IMAGES, MODEL, ARGS)
	@$(BIN)/python -m benchmarks.receipts $(IMAGES) --model $(MODEL) $(ARGS)

smoke-train: setup  ## Train on a dozen invented receipts, and score what came out
	@home=$$(mktemp -d) && trap 'rm -rf "$$home"' EXIT && export FIELDWRIGHT_HOME="$$home" && \
		$(BIN)/python -c "from pathlib import Path; from tests.datasets import write_dataset; \
		write_dataset(Path('$$home/invented'))" && \
		$(BIN)/fieldwright train "$$home/invented" --name smoke --epochs 2 --transcription own --no-final && \
		$(BIN)/fieldwright evaluate "$$home/invented" --model smoke --split validation

example: setup  ## Make the README's answer and picture again, with the bundled model
	@$(BIN)/python examples/refresh.py

# torch is installed beside the lock, and its build for CPU keeps CUDA's packages out of it.
# sentence-transformers is a dependency of the package of MiniLM's weights, which we only read.
lock: setup  ## Pin the newest allowed versions into requirements.lock
	@$(BIN)/python -m pip install --quiet pip-tools
	CUSTOM_COMPILE_COMMAND="make lock" PIP_FIND_LINKS="https://download.pytorch.org/whl/cpu/torch/" \
		$(BIN)/$(LOCK) --upgrade --output-file requirements.lock pyproject.toml
	sed -i '/^# WARNING: The following/,$$d' requirements.lock
	VIRTUAL_ENV=.venv $(BIN)/uv pip install --quiet --no-deps --require-hashes -r requirements.lock
	$(BIN)/python docker/subset.py close
