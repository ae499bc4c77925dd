#!/usr/bin/env bash
# The server of deploy/compose.yaml against a real PostgreSQL from the distribution's packages, without containers:
# own cluster, own port, Prefect server, process worker, deployment, a triggered evaluation, two runs at once, a server restart in between.
# Needs: apt-get install postgresql; the repository's environment in $VENV (default .venv). Writes deploy/postgres_drill.log. About two minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
VENV=${VENV:-.venv}
PG=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
PLACE=$(mktemp -d)
PORT=55432
API_PORT=54200
LOG=deploy/postgres_drill.log
export PREFECT_HOME=$PLACE/prefect PREFECT_API_URL=http://127.0.0.1:$API_PORT/api PREFECT_SERVER_ANALYTICS_ENABLED=false DO_NOT_TRACK=1
export PREFECT_SERVER_DATABASE_CONNECTION_URL=postgresql+asyncpg://prefect:drill@127.0.0.1:$PORT/prefect PREFECT_LOGGING_EXTRA_LOGGERS=sextant
export PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT=false PREFECT_UI_API_URL=$PREFECT_API_URL
export SEXTANT_STORE=$PLACE/store
SERVER= WORKER=
exec > >(tee "$LOG") 2>&1

say() { echo "[$(date -u +%H:%M:%S)] $*"; }
as_postgres() { if [ "$(id -u)" = 0 ]; then su postgres -s /bin/bash -c "$*"; else bash -c "$*"; fi; }
stop() {
    # a worker takes the first TERM as a wish
    for signal in TERM TERM KILL; do for pid in $WORKER $SERVER; do kill -s $signal "$pid" 2>/dev/null || true; done; sleep 2; done
    as_postgres "$PG/pg_ctl -D $PLACE/data -m fast stop" >/dev/null 2>&1 || true
    rm -rf "$PLACE"
}
trap stop EXIT
start_server() {
    setsid "$VENV/bin/prefect" server start --host 127.0.0.1 --port $API_PORT >"$PLACE/server.log" 2>&1 & SERVER=$!
    for _ in $(seq 240); do curl -sf "$PREFECT_API_URL/health" >/dev/null && return; sleep 0.5; done
    tail -20 "$PLACE/server.log"; return 1
}
state_of() { curl -sf "$PREFECT_API_URL/flow_runs/$1" | "$VENV/bin/python" -c 'import json, sys; print(json.load(sys.stdin)["state_type"])'; }
trigger() { # deployment parameters-json -> flow run id
    local id; id=$(curl -sf "$PREFECT_API_URL/deployments/name/$1/$1" | "$VENV/bin/python" -c 'import json, sys; print(json.load(sys.stdin)["id"])')
    curl -sf -H 'content-type: application/json' -d "{\"parameters\": $2}" "$PREFECT_API_URL/deployments/$id/create_flow_run" | "$VENV/bin/python" -c 'import json, sys; print(json.load(sys.stdin)["id"])'
}
await() { for _ in $(seq 600); do case $(state_of "$1") in COMPLETED|FAILED|CRASHED|CANCELLED) state_of "$1"; return;; esac; sleep 0.5; done; echo TIMEOUT; }

say "PostgreSQL: $("$PG/postgres" --version)"
chmod 755 "$PLACE"; mkdir "$PLACE/data"; [ "$(id -u)" = 0 ] && chown postgres "$PLACE/data"
as_postgres "$PG/initdb -D $PLACE/data -U prefect --auth=trust >/dev/null && $PG/pg_ctl -D $PLACE/data -o '-p $PORT -k $PLACE/data -c listen_addresses=127.0.0.1' -l $PLACE/data/log -w start >/dev/null"
as_postgres "$PG/createdb -h 127.0.0.1 -p $PORT -U prefect prefect"
start_server; say "Prefect server up on PostgreSQL"
PYTHONPATH=tests/support "$VENV/bin/python" - "$PLACE/run" <<'PYTHON'
import sys, pathlib, yaml, replay_run
light = {"suite": {"runs": 1, "operators": [], "dimensions": ["correctness", "efficiency"]}}
for name, delay in (("one", 0.0), ("two", 1.0)):
    run = replay_run.write_run(pathlib.Path(sys.argv[1]) / name, items=10, runs=1, names=("good",) if name == "one" else ("good", "poor"), delay_s=delay)
    run.write_text(yaml.safe_dump(yaml.safe_load(run.read_text()) | light))
PYTHON
"$VENV/bin/prefect" --no-prompt work-pool create sextant --type process >/dev/null
"$VENV/bin/prefect" --no-prompt deploy --all --prefect-file deploy/prefect.yaml >/dev/null
say "deployed: $(curl -sf -H 'content-type: application/json' -d '{}' "$PREFECT_API_URL/deployments/filter" | "$VENV/bin/python" -c 'import json, sys; print(*sorted(d["name"] for d in json.load(sys.stdin)))')"
setsid "$VENV/bin/prefect" worker start --pool sextant >"$PLACE/worker.log" 2>&1 & WORKER=$!

first=$(trigger evaluate "{\"run_file\": \"$PLACE/run/one/run.yaml\"}"); say "evaluate: $(await "$first")"
"$VENV/bin/python" -m flows.cli query "select dimension, round(value, 3) as value from marts.dimension_scores where protocol = 'paper' and dataset = 'all' and value is not null"

second=$(trigger evaluate "{\"run_file\": \"$PLACE/run/two/run.yaml\"}"); third=$(trigger backfill "{\"dimension\": \"correctness\", \"run_file\": \"$PLACE/run/two/run.yaml\"}")
say "two runs at once on one store: evaluate and backfill"
for _ in $(seq 200); do [ "$(state_of "$second")" = RUNNING ] && break; sleep 0.2; done
for _ in $(seq 600); do find "$SEXTANT_STORE/journal" -name '*.jsonl' -size +0 2>/dev/null | grep -q . && break; sleep 0.1; done
kill "$SERVER"; wait "$SERVER" 2>/dev/null || true; say "server stopped while runs were under way ($(find "$SEXTANT_STORE/journal" -name '*.jsonl' | wc -l) journals open)"
sleep 5; start_server; say "server up again"
say "evaluate across the restart: $(await "$second"); backfill: $(await "$third")"
grep -hoE "[A-Za-z]+(Error|Exception): .{0,200}" "$PLACE/worker.log" | tail -3 || true
"$VENV/bin/python" -m flows.cli query "select count(*) as generations, count(distinct generation_id) as distinct_ids, sum(attempts) as requests from raw.generations"
say "rows in PostgreSQL: $(as_postgres "$PG/psql -h 127.0.0.1 -p $PORT -U prefect -At -c \"select 'flow runs ' || count(*) from flow_run union all select 'task runs ' || count(*) from task_run union all select 'artifacts ' || count(*) from artifact\" prefect" | tr '\n' ',')"
say "errors in the server's log: $(grep -c Traceback "$PLACE/server.log" || true)"
say done
