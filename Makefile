# One task file: people and CI call the same targets.
.DEFAULT_GOAL := help
.PHONY: help play serve site test test-long test-lowest browser pyodide format bench lock clean screenshots

# The first Python of 3.11 or newer; `make play PYTHON=/path/to/python` chooses another.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo $$p && break; done)
# The one for which the lowest versions are.
PYTHON_LOWEST ?= $(shell for p in $(PYTHON) python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' >/dev/null 2>&1 && echo $$p && break; done)
BIN := .venv/bin
# Python for browsers, from npm; src/noughts/site/runtime.py names the same version.
PYODIDE := 314.0.7
# Files in the order of conftest.py, which starts the longest first; each in one process, which shares what it sets up.
PYTEST_OPTIONS := -n auto --dist loadfile --no-loadscope-reorder --durations 10
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

help:
	@echo 'make play         tic-tac-toe in this terminal (sets up .venv on first use)'
	@echo 'make serve        every game in the browser'
	@echo 'make site         the page as a folder for any static host, in dist/site'
	@echo 'make test         lint, types and every test'
	@echo 'make test-long    the checks that take minutes'
	@echo 'make test-lowest  native search and the server with the lowest versions allowed'
	@echo 'make bench        time to the first board, and other ratios'
	@echo 'make screenshots  pictures of the page: every game and tab, on four screens, light and dark'
	@echo 'make format       rewrite the code in the house format'
	@echo 'make lock         renew constraints.txt'
	@echo 'make clean        remove .venv and caches'

play: .venv/noughts.stamp
	@$(BIN)/noughts play

serve: .venv/noughts.stamp
	@$(BIN)/noughts serve

site: .venv/noughts.stamp pyodide
	@$(BIN)/noughts site -o dist/site

test: browser pyodide .venv/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@echo '$(BIN)/mypy (in the background; its report is at the end)'; \
	$(BIN)/mypy > .venv/types.txt 2>&1 & types=$$!; \
	trap 'kill $$types' INT TERM; \
	echo "$(BIN)/pytest $(PYTEST_OPTIONS) -m 'not long'"; \
	$(BIN)/pytest $(PYTEST_OPTIONS) -m 'not long'; tested=$$?; \
	wait $$types; typed=$$?; \
	echo; echo '$(BIN)/mypy'; cat .venv/types.txt; \
	test $$tested -eq 0 && test $$typed -eq 0

test-long: browser pyodide .venv/dev.stamp .venv/cluster.stamp
	$(BIN)/pytest $(PYTEST_OPTIONS)
	$(MAKE) test-lowest

test-lowest: browser pyodide
	@if [ -n '$(PYTHON_LOWEST)' ]; then $(MAKE) .venv/lowest.stamp; else \
		echo 'The lowest versions are those for Python 3.11, which is not on the PATH: they are not tested.'; fi
	test ! -d .venv/lowest || \
		.venv/lowest/bin/pytest $(PYTEST_OPTIONS) -m 'not long' tests/compiled tests/web tests/test_package.py

bench: browser .venv/dev.stamp .venv/peers.stamp
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/search.py
	$(BIN)/python benchmarks/deadline.py
	$(BIN)/python benchmarks/native.py .venv/peers/bin/python
	$(BIN)/python benchmarks/own_games.py .venv/peers/bin/python
	$(BIN)/python benchmarks/kernels.py .venv/peers/bin/python
	PYTHONPATH=. $(BIN)/python benchmarks/perfect.py
	$(BIN)/python benchmarks/solving.py
	$(BIN)/python benchmarks/serve.py
	$(BIN)/python benchmarks/load.py
	$(BIN)/python benchmarks/attacks.py

screenshots: browser .venv/dev.stamp
	$(BIN)/python docs/screenshots.py screenshots $(ONLY)

format: .venv/dev.stamp
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lock: clean
	$(MAKE) .venv/bin/python
	$(PIP) install -e '.[dev,cluster]'
	{ echo '# Versions the tests run with; `make lock` renews them.'; $(PIP) freeze --exclude-editable; } > constraints.txt
	$(MAKE) .venv/dev.stamp

# The page is tested in a real browser: the one that is there, else Debian's Chromium, with a font to write in.
browser:
	@for name in chromium chromium-browser google-chrome; do command -v $$name >/dev/null && exit 0; done; \
	echo 'Installing Chromium for the browser tests (once) ...'; \
	sudo=; if [ "$$(id -u)" != 0 ]; then sudo=$$(command -v sudo); fi; \
	{ $$sudo apt-get update -qq && \
		$$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-liberation >/dev/null; } || { \
		echo 'the browser tests need Chromium: install it, so that `chromium`, `chromium-browser` or `google-chrome` starts it' >&2; \
		exit 1; }

# The static site holds it, and its tests need it.
pyodide: .venv/pyodide-$(PYODIDE).stamp

.venv/pyodide-$(PYODIDE).stamp: | .venv/bin/python
	@command -v npm >/dev/null || { \
		echo 'the static site needs Pyodide, which npm fetches: install Node.js, so that `npm` starts it' >&2; exit 1; }
	@echo 'Fetching Pyodide (once) ...'
	@npm install pyodide@$(PYODIDE) --prefix .venv/pyodide --no-audit --no-fund --silent
	@touch $@

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis dist

.venv/bin/python:
	@test -n '$(PYTHON)' || { echo 'noughts needs Python 3.11 or newer, and none was found on the PATH.' >&2; exit 1; }
	@echo 'Setting up .venv (once) ...'
	@$(PYTHON) -m venv .venv || { rm -rf .venv; \
		echo "$(PYTHON) cannot make a virtual environment; on Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }

# Everything that the README shows, at full strength: the page, and native search.
.venv/noughts.stamp: pyproject.toml constraints.txt | .venv/bin/python
	@$(PIP) install -c constraints.txt -e '.[all]' || { \
		echo 'The extras fast and web cannot be installed here: searches will be slower, and there is no page.' >&2; \
		$(PIP) install -c constraints.txt -e .; }
	@touch $@

.venv/peers.stamp: benchmarks/peers/requirements.txt | .venv/bin/python
	@echo 'Installing the peers to compare with (once) ...'
	@$(PYTHON) -m venv .venv/peers
	@.venv/peers/bin/python -m pip --disable-pip-version-check --quiet install -r $<
	@touch $@

# The lowest versions of what users install, with the tools that the tests use otherwise.
.venv/lowest.stamp: pyproject.toml constraints.txt constraints-lowest.txt | .venv/bin/python
	@echo 'Installing the lowest versions allowed ...'
	@$(PYTHON_LOWEST) -m venv --clear .venv/lowest
	@awk -F== 'NR == FNR { lowest[$$1]; next } !($$1 in lowest)' constraints-lowest.txt constraints.txt > .venv/lowest/tools.txt
	@.venv/lowest/bin/python -m pip --disable-pip-version-check --quiet install \
		-c constraints-lowest.txt -c .venv/lowest/tools.txt -e '.[dev]'
	@touch $@

# Ray is large, and only the long tests need it.
.venv/cluster.stamp: pyproject.toml constraints.txt .venv/dev.stamp
	@echo 'Installing Ray (once) ...'
	@$(PIP) install -c constraints.txt -e '.[cluster]'
	@touch $@

.venv/dev.stamp: pyproject.toml constraints.txt | .venv/bin/python
	@echo 'Installing what the tests need (once) ...'
	@$(PIP) install -c constraints.txt -e '.[dev]'
	@touch $@ .venv/noughts.stamp
