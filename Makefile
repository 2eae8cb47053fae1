# Each target makes .venv by itself and reuses it. Needs python3 (3.11 or newer) and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN := PATH="$(CURDIR)/$(BIN):$$PATH"
DEMO := build/demo

.PHONY: help demo lab test release kit nbval bench lint clean

help:  ## this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: $(VENV)/ready sandbox  ## grade a sample class in build/demo and print the table
	@rm -rf $(DEMO) && mkdir -p $(DEMO)
	@cp -r nbgrader_config.py source $(DEMO) && cp -r examples/submitted $(DEMO)/submitted
	@$(RUN) $(BIN)/autograder release multi_head_attention --no-audit --course-dir $(DEMO)
	@$(RUN) $(BIN)/autograder grade multi_head_attention --course-dir $(DEMO) --json $(DEMO)/results.json || test $$? -eq 3
	@$(RUN) $(BIN)/autograder feedback multi_head_attention --course-dir $(DEMO) || test $$? -eq 3
	@echo "In $(DEMO): gradebook.db, results.json, autograded/, and a page for every student in feedback/"

lab: $(VENV)/ready  ## open the lessons in JupyterLab
	@mkdir -p $(VENV)/share/jupyter/lab/settings
	@cp course/jupyterlab-overrides.json $(VENV)/share/jupyter/lab/settings/overrides.json
	@cd course && PATH="$(CURDIR)/$(BIN):$$PATH" $(CURDIR)/$(BIN)/jupyter lab $$(test "$$(id -u)" -ne 0 || echo --allow-root) README.md

test: $(VENV)/ready-for-tests sandbox browser lint nbval  ## everything that CI runs
	$(RUN) $(BIN)/python -m pytest

release: $(VENV)/ready sandbox  ## make the student versions from source/
	$(RUN) $(BIN)/autograder release multi_head_attention
	$(RUN) $(BIN)/autograder release exercises

kit: $(VENV)/ready  ## one zip with all that a student gets
	$(RUN) $(BIN)/autograder kit build/mha-course.zip

nbval: $(VENV)/ready-for-tests  ## run the solutions and the lessons, compare the numbers that matter
	$(RUN) $(BIN)/python -m pytest --nbval-lax --nbval-current-env --nbval-cell-timeout=120 -q source course

bench: $(VENV)/ready-for-tests sandbox  ## side by side with stock nbgrader
	$(RUN) $(BIN)/python benchmarks/against_nbgrader.py

lint: $(VENV)/ready-for-tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

clean:  ## remove what the targets made
	rm -rf $(VENV) build

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; name it with: make PYTHON=python3.x" if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "python3 cannot make environments; run once: apt-get install python3-venv" >&2; exit 1; }

$(VENV)/ready: requirements.txt pyproject.toml course/pyproject.toml | $(VENV)/bin/python
	@echo "Setting up $(VENV) (a few minutes the first time) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/ready-for-tests: $(VENV)/ready
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $@

# What the isolation and the browser tests need of the system: installed where we may, else told in one line.
.PHONY: sandbox browser
sandbox:
	@command -v bwrap >/dev/null || $(call system,bubblewrap)

browser:
	@command -v chromium >/dev/null || $(call system,chromium)

define system
{ test "$$(id -u)" = 0 && command -v apt-get >/dev/null && { apt-get update -qq; apt-get install -y -qq $(1) >/dev/null; }; } \
	|| { echo "Needed once: sudo apt-get install $(1)" >&2; exit 1; }
endef
