#!/usr/bin/env bash
# The network to a model goes away in the middle of a run: as a hole (connections stand, nothing passes) and as a closed door (refused).
# Scaled down against scaled timeouts, then ten real minutes against the product's own. Fault server and proxy of tests/, no network.
# Writes deploy/network_drill.log. About thirteen minutes, nearly all of it waiting.
set -uo pipefail
cd "$(dirname "$0")/.."
VENV=${VENV:-.venv}
PLACE=$(mktemp -d)
LOG=deploy/network_drill.log
exec > >(tee "$LOG") 2>&1
PIDS=()
stop() { for pid in "${PIDS[@]}"; do kill "$pid" 2>/dev/null; done; sleep 2; for pid in "${PIDS[@]}"; do kill -9 "$pid" 2>/dev/null; done; rm -rf "$PLACE"; }
trap stop EXIT
say() { echo "[$(date -u +%H:%M:%S)] $*"; }
export PREFECT_HOME=$PLACE/prefect PREFECT_SERVER_ANALYTICS_ENABLED=false DO_NOT_TRACK=1 PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL=CRITICAL
PREFECT_SERVER_DATABASE_CONNECTION_URL=sqlite+aiosqlite:///$PLACE/server.db "$VENV/bin/prefect" server start --host 127.0.0.1 --port 54202 >"$PLACE/server.log" 2>&1 & PIDS+=($!)
export PREFECT_API_URL=http://127.0.0.1:54202/api
for _ in $(seq 240); do curl -sf "$PREFECT_API_URL/health" >/dev/null && break; sleep 0.5; done
"$VENV/bin/python" tests/fault_server.py --port 8941 --latency 1 >"$PLACE/model.log" 2>&1 & PIDS+=($!)

# drill NAME PORT hole|refused SECONDS LIMITS
drill() {
    local name=$1 port=$2 how=$3 seconds=$4 limits=$5 place=$PLACE/$1 run code again
    mkdir "$place"; echo open >"$place/word"
    "$VENV/bin/python" tests/network_proxy.py "$port" 8941 "$place/word" >"$place/proxy.log" 2>&1 & local proxy=$!
    PYTHONPATH=tests/support "$VENV/bin/python" - "$place" "$port" "$limits" <<'PYTHON'
import json, pathlib, sys, yaml, replay_run
place, port, limits = pathlib.Path(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
run = replay_run.write_run(place / "run", items=40, runs=1, names=("good",))
run.write_text(yaml.safe_dump(yaml.safe_load(run.read_text()) | {"suite": {"runs": 1, "operators": [], "dimensions": ["correctness", "efficiency"]}}))
model = {"name": "good", "provider": "openai", "model": "good", "version": "1", "base_url": f"http://127.0.0.1:{port}/v1", "limits": limits}
(place / "run" / "good.yaml").write_text(yaml.safe_dump(model))
PYTHON
    "$VENV/bin/python" -m flows.cli evaluate "$place/run/run.yaml" --store "$place/store" --quiet >"$place/out" 2>&1 & run=$!
    for _ in $(seq 1200); do [ "$(cat "$place"/store/journal/*.jsonl 2>/dev/null | wc -l)" -ge 5 ] && break; sleep 0.1; done
    echo "$how" >"$place/word"; say "$name: the network is gone ($how) with $(cat "$place"/store/journal/*.jsonl 2>/dev/null | wc -l) answers in the journal; limits $limits"
    local end=$((SECONDS + seconds)); while [ $SECONDS -lt $end ] && kill -0 $run 2>/dev/null; do sleep 0.5; done
    if kill -0 $run 2>/dev/null; then say "$name: the run still waits after $seconds s"; else say "$name: the run stopped after $((SECONDS - end + seconds)) s of it"; fi
    while [ $SECONDS -lt $end ]; do sleep 0.5; done
    echo open >"$place/word"; say "$name: the network is back after $seconds s"
    wait $run; code=$?; say "$name: exit code $code; $(grep "sextant:" "$place/out" | tail -1 | cut -c1-260)"
    if [ $code -ne 0 ]; then
        "$VENV/bin/python" -m flows.cli evaluate "$place/run/run.yaml" --store "$place/store" --quiet >"$place/out" 2>&1; again=$?
        say "$name: the same command again: exit code $again"
    fi
    say "$name: $("$VENV/bin/python" -m flows.cli query "select count(*) as answers, count(distinct generation_id) as distinct_ids, count(*) filter (where status = 'answered') as answered, sum(attempts) as requests from raw.generations where status = 'answered'" --store "$place/store" --format json | tr -d '\n ')"
    kill $proxy; wait $proxy 2>/dev/null
}
OWN='{"concurrency": 4}'
drill ten-minute-hole 8951 hole 600 "$OWN" & A=$!
drill ten-minutes-refused 8952 refused 600 "$OWN" & B=$!
drill short-hole-survived 8953 hole 8 '{"concurrency": 4, "attempts": 8, "read_timeout_s": 2, "total_timeout_s": 4}'
drill short-hole-outlasts-the-attempts 8954 hole 40 '{"concurrency": 4, "attempts": 3, "read_timeout_s": 2, "total_timeout_s": 4}'
drill hole-outlasts-the-deadline 8955 hole 30 '{"concurrency": 4, "attempts": 50, "read_timeout_s": 2, "total_timeout_s": 4, "deadline_s": 20}'
drill short-refusal 8956 refused 20 '{"concurrency": 4, "attempts": 3}'
wait $A $B
say done
