# `make demo` and `make test` need Python 3.11 and make, and nothing else. The demo and a user need requirements.lock;
# the tests need what is in requirements-dev.lock as well, which is much larger. No package is in both, so that make can
# install them beside each other.
PYTHON ?= python3.11
VENV   := .venv
BIN    := $(VENV)/bin
PIPPED := $(VENV)/.ready-pip
READY  := $(VENV)/.ready
TESTS  := $(VENV)/.ready-dev
DEMO   := .tieout/demo
KEPT    = --runs $(DEMO)/runs --store $(DEMO)/store
show    = echo '> tieout $(1)' && $(BIN)/tieout $(1) && echo
PIP    := $(BIN)/python -m pip
# What pip is at, one line for each package; its errors whole. A pipe hides how pip ended, so that it is said in it.
told    = awk '/^(Collecting|Processing)/ {gsub(".*/|-(py|cp)[0-9].*", "", $$2); print "  " $$2; fflush()} /^ *ERROR|^FAILED/ {print; bad = 1} END {exit bad}'
# What to install, and the pip that does it. The lock files are complete: there is nothing to resolve.
install = ($(2) --disable-pip-version-check install --no-deps --no-compile --progress-bar off $(1) 2>&1 || echo FAILED) | $(told)
lint    = $(BIN)/ruff format --check . && $(BIN)/ruff check .
# A checker of types wants one folder: where the links in tieout/ are plain files, as on Windows, it is shown a copy.
types   = [ -d tieout/data ] || { tree=$(VENV)/tree && rm -rf $$tree && mkdir $$tree && cp -r tieout $$tree && cd $$tree/tieout \
  && for part in data ontology kg agent eval; do rm $$part && cp -r ../../../$$part . || exit; done && cd ..; } \
  && $(abspath $(BIN))/mypy --config-file $(CURDIR)/pyproject.toml
LOCK    = uv pip compile --quiet --python 3.11 --universal --generate-hashes --no-annotate --no-header --group build pyproject.toml

# What is compiled is kept, also where the environment says otherwise: the tests start tieout hundreds of times.
# A package's files are compiled when they are first imported: most never are.
export PYTHONDONTWRITEBYTECODE =

.PHONY: help setup demo test check attack faults bench whole pythons container cluster pictures docs format lock browser clean
.DEFAULT_GOAL := help

help:            ## list these targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: $(READY)  ## make the virtual environment that a user needs (130 MB)

$(PIPPED):
	@echo "making $(VENV) with the pip of requirements.lock: the one that comes with Python 3.11 takes twice as long"
	@test -x $(BIN)/python || $(PYTHON) -m venv --without-pip $(VENV)
	@awk '/^[a-z]/ {pip = /^pip==/} pip' requirements.lock > $@.lock
	@if $(PYTHON) -m pip --python $(BIN)/python --version >/dev/null 2>&1; then \
	  $(call install,--require-hashes -r $@.lock,$(PYTHON) -m pip --python $(BIN)/python); \
	else $(BIN)/python -m ensurepip >/dev/null || { echo "$(PYTHON) has no pip: install its pip or its venv package"; exit 1; }; \
	  $(call install,--require-hashes -r $@.lock,$(PIP)); fi
	@touch $@

$(READY): requirements.lock pyproject.toml | $(PIPPED)
	@echo "setting up tieout: $$(grep -c == requirements.lock) packages, 130 MB, about a quarter of a minute"
	@$(call install,--require-hashes -r requirements.lock,$(PIP))
	@echo "  tieout itself, as it stands in this folder"
	@$(call install,--no-build-isolation -e .,$(PIP))
	@touch $@

# Every second package of the lock, from the first or from the second on: the halves are installed beside each other.
$(TESTS)-%: requirements-dev.lock | $(PIPPED)
	@awk -v half=$* '/^[a-z]/ {number++} number % 2 == half' $< > $@.lock
	@echo "setting up half of what the tests need: $$(grep -c == $@.lock) packages, half a GB, about a quarter of a minute"
	@$(call install,--require-hashes -r $@.lock,$(PIP))
	@touch $@

.PHONY: ready
ready:           # for the tests: all that is needed is installed at the same time
	@$(MAKE) --no-print-directory -j3 $(READY) $(TESTS)-0 $(TESTS)-1

demo: $(READY)   ## ask a report, open its cells; build an ontology, evaluate on the sample
	@mkdir -p $(DEMO)
	@echo '# Questions to an annual report.'
	@echo '# Under each answer: where every figure is printed.'
	@$(call show,ask data/sample/report.htm "what was free cash flow in 2024?" "and in 2023?" "how much did R&D grow in 2024?" \
	  --store $(DEMO)/reports --html $(DEMO)/answers.html)
	@echo 'Open $(DEMO)/answers.html: the answers, beside the report'
	@echo 'with their cells lit.'
	@echo
	@echo '# How good is it? The invented pages below are meant to be hard: each has a'
	@echo '# trap. Of real pages more is right, as docs/evaluation.md says. Look above all'
	@echo '# at "wrong and unflagged": what is wrong while nothing warns of it.'
	@echo '# What reports talk about is derived from one part of the pages, and measured'
	@echo '# on the other.'
	@$(call show,ontology build data/sample/train.json -o $(DEMO)/ontology.ttl)
	@$(call show,eval run data/sample/ask.json --phase select --backend offline --ontology $(DEMO)/ontology.ttl --run demo $(KEPT))
	@$(call show,eval report demo --runs $(DEMO)/runs -o $(DEMO)/report.html)
	@echo 'Open $(DEMO)/report.html: every question of the evaluation, its'
	@echo 'answer, and the cells it is from.'
	@echo 'Ask on: $(BIN)/tieout chat data/sample/report.htm'

check: ready     ## format, lint and types
	$(lint)
	$(types)

# The types are checked beside the tests, and told of behind them.
test: ready browser  ## every check and every test
	$(lint)
	@($(types)) > $(VENV)/types.txt 2>&1 & types=$$!; \
	  echo '$(BIN)/python -m pytest'; $(BIN)/python -m pytest; failed=$$?; \
	  echo '$(BIN)/mypy'; wait $$types || failed=1; cat $(VENV)/types.txt; exit $$failed

# An attack that hangs is ended; the limits of each are in its file. What needs root says so where it does not run.
# The server is attacked with nothing beside it, as there seconds count.
ATTACKS = tests/attack/attack_files.py tests/attack/attack_kills.py tests/attack/attack_disk.py
QUICK   = tests/test_apart.py tests/test_bounds.py tests/test_damage.py tests/test_full_disk.py tests/test_stale.py \
          tests/test_expert_attacks.py tests/test_serve_pressure.py tests/test_settings.py
MINUTES ?= 30
attack: ready    ## hostile files, broken disks, cuts of power, scripts, queries, a server under pressure: a quarter of an hour
	timeout $$(($(MINUTES) * 20)) $(BIN)/python -m pytest -n 0 -s tests/attack/attack_server.py
	timeout $$(($(MINUTES) * 20)) $(BIN)/python -m pytest -n 2 --dist load -m thorough tests
	timeout $$(($(MINUTES) * 40)) $(BIN)/python -m pytest -n 2 --dist load $(QUICK) $(ATTACKS)

faults: ready    ## 60 faults planted in the rules of the offline reading: which do the tests find?
	$(BIN)/python -m tieout.eval.faults

bench: ready     ## speed, in ratios of one run
	$(BIN)/python -m pytest tests/bench -n 0 --benchmark-enable --benchmark-only

SHARED ?= ../shared/data
OVER    = $(SHARED)/questions/financebench_numeric.jsonl --reports $(SHARED)/reports/pdf --needs eval/needs/financebench.jsonl
WORDED  = $(SHARED)/questions/financebench_words.jsonl --reports $(SHARED)/reports/pdf --needs eval/needs/financebench_words.jsonl
whole: ready  ## questions over whole reports in SHARED: is what they need in the view, do tools get the answers
	$(BIN)/tieout eval view $(OVER) --store .tieout/whole/store --budget 3100
	$(BIN)/tieout eval view $(WORDED) --store .tieout/whole/store --budget 3100
	$(BIN)/python -m tieout.eval.scripted $(OVER) --store .tieout/whole/store --budget 3100
	$(BIN)/python -m tieout.eval.scripted $(WORDED) --store .tieout/whole/store --budget 3100

pythons: $(READY)  ## the wheel in a clean environment of every Python of 3.11 to 3.14 that is here: ask, index, serve, evaluate
	@rm -rf .tieout/dist
	$(BIN)/python -m hatchling build -t wheel -d .tieout/dist
	.ci/try_pythons .tieout/dist/*.whl

container: $(READY)  ## what the Dockerfile says, built, served and asked; without Docker its steps one by one (Linux, root, Python 3.13)
	$(BIN)/python .ci/try_container.py

cluster: $(READY)  ## the same reports here and on a cluster of two network namespaces (Linux, root, iproute2): is it the same lake
	$(PIP) --disable-pip-version-check install --quiet -e '.[cluster]'
	.ci/try_cluster

pictures: ready browser  ## the pictures of docs/pictures, made by the real program in headless Chromium
	$(BIN)/python docs/pictures/make.py

docs: $(READY)   ## the site of docs/, in .tieout/site, its links checked
	@test -x $(BIN)/mkdocs || $(PIP) --disable-pip-version-check install --quiet 'mkdocs-material>=9.5'
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build

format: ready    ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lock:            ## pin every dependency again, with hashes and without any index (needs uv)
	$(LOCK) --extra check --extra pdf --extra finance -o requirements.lock
	$(LOCK) --extra dev -c requirements.lock -o all.lock
	awk '/^[a-z]/ {new = NR > FNR && !($$1 in known); if (NR == FNR) known[$$1]} new' requirements.lock all.lock \
	  > requirements-dev.lock && rm all.lock

apt = DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $(1) fonts-dejavu-core >/dev/null
browser:         # Chromium, for the tests that look at the report; the tests say so when it is missing
	@for each in chromium-headless-shell chromium google-chrome chromium-browser; do command -v $$each >/dev/null && exit; done; \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "installing Chromium for the report tests"; \
	    apt-get update -qq >/dev/null && ($(call apt,chromium-headless-shell) 2>/dev/null || $(call apt,chromium)) \
	      || echo "could not install Chromium: the report tests will be skipped"; \
	  else echo "no Chromium, and not root: the report tests will be skipped"; fi

clean:           ## remove what the targets above made
	rm -rf $(VENV) .tieout runs build dist *.egg-info .mypy_cache .ruff_cache .hypothesis .benchmarks
