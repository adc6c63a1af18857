# Two commands matter: `make demo` and `make test`. `make help` lists the rest.
#
# Needs git, make, Python 3.11 or newer and a package index that pip (or uv) knows by its ordinary configuration.
# Everything lands in .venv; nothing outside this folder is changed, except that `make test` installs what the tests need by the
# machine's own package client (root needed; it says so when it cannot) and keeps large downloads in ~/.cache/workspace-manager.

VENV := .venv
BIN := $(VENV)/bin
SHELL := /bin/sh
.DEFAULT_GOAL := help

# The first Python that is new enough; PYTHON=/path/to/python chooses another.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)

# Arguments of the demo: make demo DEMO_ARGS="--port 8100 --data var/demo"
DEMO_ARGS ?= --port 8000
# Arguments of pytest: make unit PYTEST_ARGS="-x -k deprovision"
PYTEST_ARGS ?=

# Where Python itself can tell which lines run (3.12 and newer), counting them costs next to nothing. Elsewhere it makes the tests take
# nearly twice as long: they are counted only where asked for (make unit COVERAGE=yes).
COVERAGE ?= $(shell $(BIN)/python -c 'import sys; print("yes" if hasattr(sys, "monitoring") else "")' 2>/dev/null)
COUNT_LINES = $(if $(COVERAGE),--cov --cov-report=html:test-results/coverage --cov-report=)

# The tests start dozens of processes: each would compile the manager anew where the environment says not to keep what was compiled.
unexport PYTHONDONTWRITEBYTECODE

# What runs where, by the markers of pyproject.toml; CONTRIBUTING.md has the table.
EVERYDAY := not real and not browser and not thorough and not everything
THOROUGH := thorough and not real and not browser and not everything
REAL := (real or browser) and not everything
REAL_RESULT := test-results/real-parts.json
STATIC := lint types imports tree migrations requirements

# What `make test` runs, one after the other but for those joined by a plus, and what `make everything` runs besides; how many minutes
# each may take stands in tools/budget.py.
TEST_SUITES := static+bare-wheel unit thorough+real
REST_SUITES := rest matrix races clocks

##@ The two commands

.PHONY: demo
demo: $(VENV)/.demo-ready ## Start the whole life of a person on this machine, offline (DEMO_ARGS="--port 8000")
	@$(BIN)/python tools/compile_messages.py
	@exec $(BIN)/workspace-manager demo $(DEMO_ARGS)

.PHONY: test
test: set-up system-parts ## Every kind of check and every real part, in twenty minutes (REQUIRE_REAL=1: a missing part fails)
	@MAKE="$(MAKE)" $(BIN)/python -m tools.every_suite test $(TEST_SUITES)

.PHONY: everything
everything: set-up system-parts ## `make test`, and what is too much for it: hours (docs/development/tests.md says what runs where)
	@MAKE="$(MAKE)" $(BIN)/python -m tools.every_suite everything $(TEST_SUITES) $(REST_SUITES)

##@ Parts of `make test`

.PHONY: check
check: set-up static unit ## The everyday part alone: style, types, import contracts, tests on stand-ins

.PHONY: static
static: $(STATIC) ## What runs no test: style, types, import contracts, shape of the tree, migrations, pins

.PHONY: thorough
thorough: set-up ## On stand-ins, what a few minutes do not allow: every recorded exchange, canaries, a small storm, the end of access
	$(BIN)/python -m pytest -m "$(THOROUGH)" --causes-to test-results/causes/thorough.json -n auto --dist loadgroup --no-loadscope-reorder $(PYTEST_ARGS)

.PHONY: bare-wheel
bare-wheel: set-up ## The manager's wheel installed alone, without the sandbox: lists, migrates, serves and works
	$(BIN)/python -m tools.bare_wheel

.PHONY: real
real: set-up ## The tests against real parts (Keycloak, MariaDB, podman, ...; WORKSPACE_PARTS=DIR: further ones); ends with one line per part
	@rm -f $(REAL_RESULT)
	$(BIN)/python -m pytest -m "$(REAL)" --every-real-part --real-parts-result $(REAL_RESULT) --causes-to test-results/causes/real.json \
		--durations=15 -n 3 --dist loadgroup --no-loadscope-reorder $(PYTEST_ARGS)

.PHONY: rest
rest: set-up ## What no part of `make test` runs: whole rows of parameters, whole rows of faults, on stand-ins and on real parts
	WORKSPACE_TEST_MATRIX=1 $(BIN)/python -m pytest -m everything --causes-to test-results/causes/rest.json --durations=15 -n 2 --dist loadgroup --no-loadscope-reorder $(PYTEST_ARGS)

.PHONY: verified-against
verified-against: ## Write docs/reference/verified-against.md from what the last `make real` kept (REAL_RESULT="a.json b.json")
	@$(BIN)/python tools/verified_against.py $(REAL_RESULT)

.PHONY: member-tables
member-tables: ## Write docs/reference/members.md from the tables of members that the systems declare
	@$(BIN)/python tools/member_tables.py

.PHONY: unit
unit: set-up ## The everyday tests, on all cores, at a moment that the tree draws (WORKSPACE_TEST_MOMENT=now, or 2028-02-29T00:01 WORKSPACE_TEST_ZONE=Asia/Kolkata)
	WORKSPACE_TEST_MOMENT="$${WORKSPACE_TEST_MOMENT:-tree}" $(BIN)/python -m pytest -m "$(EVERYDAY)" --causes-to test-results/causes/unit.json -n auto --dist loadfile $(COUNT_LINES) $(PYTEST_ARGS)
	@$(if $(COVERAGE),echo "lines that the everyday tests run: $$($(BIN)/coverage report --format=total) % (each: test-results/coverage/index.html)")

.PHONY: clocks
clocks: set-up ## The everyday tests at twelve moments and zones (COUNT=n, SEED=n); ends with a table
	$(BIN)/python -m tools.clocks $(if $(COUNT),--count $(COUNT)) $(if $(SEED),--seed $(SEED)) -- -m "$(EVERYDAY)" -n auto --dist loadfile $(PYTEST_ARGS)

.PHONY: conformance
conformance: set-up ## The checks every connector has to pass, on the stand-ins (PYTEST_ARGS="-m real": on the real parts)
	$(BIN)/python -m pytest tests/conformance -m "not real" -n auto --dist loadgroup $(PYTEST_ARGS)

.PHONY: access
access: set-up ## Who may what: every route asked by every role, sign-in, forgery, hosts, headers; ends with its figures
	$(BIN)/python -m pytest tests/access -n auto --dist loadfile $(PYTEST_ARGS)

.PHONY: races
races: set-up ## Two people racing: a thousand seeded interleavings of each race (the everyday run takes a sample; RACES=n for another number)
	RACES=$(or $(RACES),1000) $(BIN)/python -m pytest tests/people_in_motion/test_races.py -n auto --dist load --timeout 3600 $(PYTEST_ARGS)

.PHONY: attack
attack: set-up ## Attack a running demo from outside and say what held (ATTACK_ARGS=FILE: another, by what `demo --json` printed)
	$(BIN)/python -m tests.attack $(ATTACK_ARGS)

.PHONY: recordings
recordings: set-up ## Recorded exchanges with real systems, fed to the clients and replayed on the stand-ins (RECORDINGS=DIR: others)
	$(BIN)/python -m pytest tests/recorded $(if $(RECORDINGS),--recordings $(RECORDINGS)) -n auto --dist loadfile $(PYTEST_ARGS)

.PHONY: matrix
matrix: set-up ## Kill every story at every point and in every pair of points; prints how many (MATRIX_SEED=N for what is drawn)
	WORKSPACE_TEST_MATRIX=1 WORKSPACE_TEST_SEED=$(or $(MATRIX_SEED),5) $(BIN)/python -m pytest tests/crash -m "real or not real" -n auto $(PYTEST_ARGS)

.PHONY: canaries
canaries: set-up ## After a life with failures, search every secret everywhere it must not be; prints places and secrets
	$(BIN)/python -m pytest tests/secret_leaks $(PYTEST_ARGS)

.PHONY: storm
storm: set-up ## Many people leave on stand-ins that fail at random, while others come in (STORM_ARGS="--people 300 --seed 1")
	$(BIN)/workspace-manager storm $(STORM_ARGS)

.PHONY: lint
lint: set-up ## Style: ruff's rules and its format
	$(BIN)/ruff check
	$(BIN)/ruff format --check

.PHONY: types
types: set-up ## Types: mypy, strict
	$(BIN)/mypy

.PHONY: imports
imports: set-up ## Imports run one way (.importlinter)
	$(BIN)/lint-imports

.PHONY: tree
tree: set-up ## The tree keeps its shape (tools/check_tree.py)
	$(BIN)/python tools/check_tree.py

.PHONY: migrations
migrations: set-up ## Every change of the tables has its migration
	WORKSPACE_DATABASE_URL=sqlite://:memory: $(BIN)/python manage.py makemigrations --check --dry-run

.PHONY: requirements
requirements: set-up ## The pinned files hold what pyproject.toml asks for
	$(BIN)/python tools/check_requirements.py

.PHONY: system-parts
system-parts: set-up ## Install what the tests need besides Python packages (needs root; says so if it cannot)
	@$(BIN)/python tools/system_parts.py

##@ Set-up

.PHONY: set-up
set-up: $(VENV)/.dev-ready ## The private .venv with everything for development
	@$(BIN)/python tools/compile_messages.py

$(VENV)/.demo-ready: requirements/demo.txt pyproject.toml sandbox/pyproject.toml tools/set_up.py
	$(call python-found)
	@$(PYTHON) tools/set_up.py demo
	@touch $@

# Holds all of the demo's packages too, in the same versions.
$(VENV)/.dev-ready: requirements/dev.txt pyproject.toml sandbox/pyproject.toml tools/set_up.py
	$(call python-found)
	@$(PYTHON) tools/set_up.py dev
	@touch $(VENV)/.demo-ready $@

define python-found
@$(if $(PYTHON),:,echo "Python 3.11 or newer is needed and was not found. Install it (Debian: apt-get install python3 python3-venv) or name it: make $(MAKECMDGOALS) PYTHON=/path/to/python" >&2; exit 1)
endef

.PHONY: lock
lock: set-up ## Write requirements/*.txt anew from pyproject.toml and requirements/*.in (UPGRADE=1: newest versions)
	@$(BIN)/python tools/lock.py $(if $(UPGRADE),--upgrade)

##@ Besides

.PHONY: hooks
hooks: set-up ## Have git look at style, shape and pins before each commit (.pre-commit-config.yaml)
	$(BIN)/pre-commit install

.PHONY: format
format: set-up ## Let ruff mend style and format
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

.PHONY: messages
messages: set-up ## Collect texts to translate into web/locale/de (needs gettext), and compile them
	@$(BIN)/python tools/collect_messages.py
	@$(BIN)/python tools/compile_messages.py

.PHONY: house
house: set-up ## Draw which room imports which into docs/explanation/house.md
	$(BIN)/python tools/house.py --write

.PHONY: screenshots
screenshots: set-up ## Pictures of every page in its states, into screenshots/
	$(BIN)/python tools/screenshots.py $(SCREENSHOTS_ARGS)

.PHONY: pictures
pictures: set-up ## Make the pictures of the documentation anew, in docs/images
	$(BIN)/python tools/screenshots.py --docs

.PHONY: bench
bench: set-up ## Measure: what a removal costs, how many end a second with 1, 2 and 4 workers (BENCH_ARGS="...")
	$(BIN)/python -m benchmarks $(BENCH_ARGS)

.PHONY: clean
clean: ## Remove .venv, caches and what the checks left (not ~/.cache/workspace-manager)
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis test-results dist build
	find src sandbox tests tools -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: help
help: ## This list
	@awk 'BEGIN {FS = ":.*## "} /^##@/ {printf "\n%s\n", substr($$0, 5)} /^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
