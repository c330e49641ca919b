# `make demo` and `make test` need Python 3.11 and make, and nothing else.
PYTHON ?= python3.11
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
CHROMIUM_PACKAGES := chromium fonts-dejavu-core
DEMO   := .tieout/demo
KEPT    = --runs $(DEMO)/runs --store $(DEMO)/store
show    = echo '> tieout $(1)' && $(BIN)/tieout $(1) && echo

.PHONY: help setup demo test check bench format lock browser clean
.DEFAULT_GOAL := help

help:            ## list these targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: $(READY)  ## make the virtual environment from the lock

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

demo: $(READY)   ## build an ontology, evaluate on the sample, ask a report, write the report of the run
	@mkdir -p $(DEMO)
	@$(call show,ontology build data/sample/train.json -o $(DEMO)/ontology.ttl)
	@$(call show,eval run data/sample/ask.json --backend offline --ontology $(DEMO)/ontology.ttl --run demo $(KEPT))
	@$(call show,ask data/sample/ask.json Single_NORVALE/2013/page_35.pdf-1 --ontology $(DEMO)/ontology.ttl \
	  "what was the operating income in 2013?" "and in 2012?" "what was the change?")
	@$(call show,eval report demo --runs $(DEMO)/runs -o $(DEMO)/report.html)

check: $(READY)  ## format, lint and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

test: $(READY) check browser  ## every check and every test
	$(BIN)/python -m pytest

bench: $(READY)  ## speed, in ratios of one run
	$(BIN)/python -m pytest tests/bench -n 0 --benchmark-enable --benchmark-only

format: $(READY) ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lock:            ## pin every dependency again, with hashes and without any index (needs uv)
	uv pip compile --quiet --python 3.11 --universal --generate-hashes --extra dev --no-annotate --no-header \
	  pyproject.toml -o requirements.lock

browser:         # Chromium, for the tests that look at the report; the tests say so when it is missing
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null || \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "installing Chromium for the report tests"; \
	    apt-get update -qq >/dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $(CHROMIUM_PACKAGES) >/dev/null \
	      || echo "could not install Chromium: the report tests will be skipped"; \
	  else echo "no Chromium, and not root: the report tests will be skipped"; fi

clean:           ## remove what the targets above made
	rm -rf $(VENV) .tieout runs build dist *.egg-info .mypy_cache .ruff_cache .hypothesis .benchmarks
