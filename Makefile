# make run    the app on http://$(ADDRESS):$(PORT)
# make serve  the same by WORKERS=4 processes behind HAProxy, see deploy/README.md
# make test   what a developer runs all day: lint, units, every page, the main ways in a browser
# make test-ci    the same, the other ways, uncompiled kernels and the wheel: what .ci/run runs
# make test-all   the same, every page with every algorithm on all kinds of data, and servers
# make bench  how fast all is, as ratios: no test asserts a time
# make docs   the guide, the gallery and the reference as web pages in build/docs
# make texts  every text of the code in the catalogues, untranslated where it is new
# make components  a CycloneDX list (SBOM) of what is locked, lastviz.cdx.json
# make lock   the newest releases that requirements.txt allows, for make run

PYTHON  ?= python3
ADDRESS ?= localhost
PORT    ?= 8501
WORKERS ?= 2
BASE_PATH ?=
VENV    ?= .venv
BIN     := $(VENV)/bin

# uv takes seconds where pip takes a minute; it does not know by itself where pip is told to look.
PIP     := $(BIN)/python -m pip --disable-pip-version-check
INDEX    = $${UV_DEFAULT_INDEX:-$${PIP_INDEX_URL:-$$($(PIP) config get global.index-url 2>/dev/null)}}
UV       = UV_DEFAULT_INDEX="$(INDEX)" $$(command -v uv || echo $(BIN)/uv) pip
GET_UV   = { command -v uv || test -x $(BIN)/uv || $(PIP) install --quiet uv; } >/dev/null
INSTALL  = { $(GET_UV) && $(UV) install --quiet --python $(BIN)/python $(WHAT); } 2>/dev/null \
	|| $(PIP) install --quiet $(WHAT)

.PHONY: run serve test test-ci test-all setup setup-test setup-all foreign texts lock components browser proxy database help lint format e2e bench shots docs
.DEFAULT_GOAL := help

help:
	@sed -n 's/^# //p' Makefile

$(VENV)/created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "lastviz needs Python 3.11 or later; try: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/installed:      WHAT = -r requirements.lock
$(VENV)/installed-test: WHAT = --editable ".[test]"
$(VENV)/installed-all:  WHAT = --editable ".[test,studies,docs]"
$(VENV)/installed-docs: WHAT = --editable ".[docs]"
$(VENV)/installed-components: WHAT = "cyclonedx-bom>=7.1,<8"
$(VENV)/installed-foreign: WHAT = "xgboost>=3,<4" "lightgbm>=4.6,<5" "catboost>=1.2,<2"

$(VENV)/installed: requirements.lock | $(VENV)/created
	@$(INSTALL)
	@touch $@

$(VENV)/installed-%: pyproject.toml $(VENV)/installed
	@$(INSTALL)
	@touch $@

setup: $(VENV)/installed

setup-test: $(VENV)/installed-test

setup-all: $(VENV)/installed-all

foreign: setup-all
	@$(MAKE) --silent $(VENV)/installed-foreign 2>/dev/null || \
		echo "XGBoost, LightGBM and CatBoost cannot be installed here: their test is skipped."

texts: setup-test
	@$(BIN)/python -m tests.texts

lock: | $(VENV)/created
	@$(GET_UV)
	@$(UV) compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
		--no-annotate --custom-compile-command "make lock" requirements.txt -o requirements.lock

components: $(VENV)/installed-components
	@$(BIN)/python -m deploy.components

run: setup
	@$(BIN)/python -m lastviz --address $(ADDRESS) --port $(PORT) --base-path "$(BASE_PATH)"

serve: setup
	@$(BIN)/python -m lastviz.serve --workers $(WORKERS) --address $(ADDRESS) --port $(PORT) \
		--base-path "$(BASE_PATH)"

browser:
	@command -v chromium-headless-shell >/dev/null || \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		{ apt-get update -qq && apt-get install -y -qq chromium-headless-shell; } >/dev/null 2>&1 || true; \
	fi
	@{ command -v chromium || command -v chromium-browser || command -v google-chrome; } >/dev/null || \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && apt-get install -y -qq chromium >/dev/null; \
	else \
		echo "The browser tests need Chromium; install it with: sudo apt-get install chromium"; exit 1; \
	fi
	@test -n "$$(fc-list :lang=zh 2>/dev/null)" || \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		{ apt-get update -qq && apt-get install -y -qq fontconfig fonts-wqy-microhei; } >/dev/null 2>&1 || true; \
	else \
		echo "Without a font of Chinese letters the browser tests see narrow boxes; install one with: sudo apt-get install fonts-wqy-microhei"; \
	fi

proxy:
	@{ command -v haproxy && command -v caddy; } >/dev/null || \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && apt-get install -y -qq haproxy caddy >/dev/null; \
	else \
		echo "The tests of several workers and of TLS need HAProxy and Caddy; install them with: sudo apt-get install haproxy caddy"; exit 1; \
	fi

database:
	@test -n "$$(ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null)" || command -v initdb >/dev/null || \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && apt-get install -y -qq postgresql >/dev/null; \
	else \
		echo "The tests of the store need PostgreSQL; install it with: sudo apt-get install postgresql"; exit 1; \
	fi

test: setup-test browser
	@$(BIN)/python tests/stages.py

test-ci: setup-test browser
	@$(BIN)/python tests/stages.py --ci

test-all: setup-all foreign browser proxy database
	@$(BIN)/python tests/stages.py --all

lint: setup-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: setup-test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

e2e: setup-test browser
	$(BIN)/python -m pytest -m e2e tests/e2e

bench: setup-test browser
	$(BIN)/python -m benchmarks.speed
	$(BIN)/python -m benchmarks.at_once
	$(BIN)/python -m benchmarks.kernels
	$(BIN)/python -m benchmarks.c45_level
	$(BIN)/python -m benchmarks.j48_agreement
	$(BIN)/python -m benchmarks.missing
	$(BIN)/python -m benchmarks.sodt_speed
	$(BIN)/python -m benchmarks.oblique_level
	$(BIN)/python -m benchmarks.tao
	$(BIN)/python -m benchmarks.unsigned_search
	$(BIN)/python -m benchmarks.svm_level
	$(BIN)/python -m benchmarks.svm_defaults
	$(BIN)/python -m benchmarks.svm_speed
	$(BIN)/python -m benchmarks.hybrid_level
	$(BIN)/python -m benchmarks.split_lab
	$(BIN)/python -m benchmarks.growth_speed
	$(BIN)/python -m benchmarks.latency
	$(BIN)/python -m benchmarks.course_links
	$(BIN)/python -m benchmarks.answers
	$(BIN)/python -m benchmarks.class_of_fifty
	$(BIN)/python -m benchmarks.yardstick
	$(BIN)/python -m benchmarks.traffic
	$(BIN)/python -m benchmarks.frames
	$(BIN)/python -m benchmarks.first_minute
	$(BIN)/python -m benchmarks.rules_open
	$(BIN)/python -m benchmarks.studies_speed

shots: setup-test browser
	$(BIN)/python -m docs.shots
	$(BIN)/python -m docs.film

docs: $(VENV)/installed-docs
	@rm -rf docs/api/made
	$(BIN)/python -m sphinx -W --keep-going -q -b html -d build/doctrees docs build/docs
	@echo "The site is in build/docs/index.html"
