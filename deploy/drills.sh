#!/usr/bin/env bash
# What breaks at night, tried on purpose: disk full, read-only store, kill -9, network gone, clock moved back. Linux, root (mounts a small tmpfs).
# Uses the replay provider and the fault server of tests/, no network. Writes deploy/drills.log. About three minutes.
set -uo pipefail
cd "$(dirname "$0")/.."
VENV=${VENV:-.venv}
PLACE=$(mktemp -d)
DISK=$PLACE/disk
LOG=deploy/drills.log
SERVER=
exec > >(tee "$LOG") 2>&1
stop() { [ -n "$SERVER" ] && kill "$SERVER" 2>/dev/null && sleep 2 && kill -9 "$SERVER" 2>/dev/null; umount "$DISK" 2>/dev/null; rm -rf "$PLACE"; }
trap stop EXIT
say() { echo; echo "== $*"; }
sextant() { "$VENV/bin/python" -m flows.cli "$@"; }
evaluate() { timeout 900 "$VENV/bin/python" -m flows.cli evaluate "$1" --store "$2" --quiet 2>&1 | grep -v "^ \|^$\|─\|│\|┃\|━" | cut -c1-400 | grep "sextant:\|nothing new\|paper protocol" ; echo "exit code ${PIPESTATUS[0]}"; }
counted() { sextant query "select count(*) as generations, count(distinct generation_id) as distinct_ids, sum(attempts) as requests, count(*) filter (where status = 'answered') as answered from raw.generations" --store "$1"; }

# one Prefect server for all drills, on another disk than the store
export PREFECT_HOME=$PLACE/prefect PREFECT_SERVER_ANALYTICS_ENABLED=false DO_NOT_TRACK=1 PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL=CRITICAL
PREFECT_SERVER_DATABASE_CONNECTION_URL=sqlite+aiosqlite:///$PLACE/server.db "$VENV/bin/prefect" server start --host 127.0.0.1 --port 54201 >"$PLACE/server.log" 2>&1 & SERVER=$!
export PREFECT_API_URL=http://127.0.0.1:54201/api
for _ in $(seq 240); do curl -sf "$PREFECT_API_URL/health" >/dev/null && break; sleep 0.5; done

PYTHONPATH=tests/support "$VENV/bin/python" - "$PLACE" <<'PYTHON'
import pathlib, sys, yaml, replay_run
place = pathlib.Path(sys.argv[1])
light = {"suite": {"runs": 1, "operators": [], "dimensions": ["correctness", "efficiency"]}}
run = replay_run.write_run(place / "run", items=30, runs=1, names=("good",), delay_s=0.2)
run.write_text(yaml.safe_dump(yaml.safe_load(run.read_text()) | light))
net = replay_run.write_run(place / "net", items=30, runs=1, names=("good",))
net.write_text(yaml.safe_dump(yaml.safe_load(net.read_text()) | light))
model = {"name": "good", "provider": "openai", "model": "good", "version": "1", "base_url": "http://127.0.0.1:8931/v1", "limits": {"concurrency": 2, "attempts": 3, "read_timeout_s": 5}}
(place / "net" / "good.yaml").write_text(yaml.safe_dump(model))
PYTHON

say "disk full: the store on a 48 MB disk of which 32 kB are left"
mkdir "$DISK"; mount -t tmpfs -o size=48m tmpfs "$DISK" || { echo "cannot mount a tmpfs here"; exit 1; }
whole() { "$VENV/bin/python" -c 'import sys; from pathlib import Path; from warehouse.store import Store; print("damaged files:", len(Store(Path(sys.argv[1])).set_aside_damaged()))' "$DISK/store"; echo "temporary files left: $(find "$DISK/store" -name '*.tmp*' | wc -l)"; }
mkdir "$DISK/store"; dd if=/dev/zero of="$DISK/filler" bs=1k count=49118 2>/dev/null
evaluate "$PLACE/run/run.yaml" "$DISK/store"; whole
echo "3 MB freed: the answers fit, the warehouse does not"; truncate -s -3M "$DISK/filler"
evaluate "$PLACE/run/run.yaml" "$DISK/store"; whole
echo "all space freed:"; rm "$DISK/filler"
evaluate "$PLACE/run/run.yaml" "$DISK/store"; counted "$DISK/store"

say "read-only store"
mount -o remount,ro "$DISK"
sed -i 's/limit: 30/limit: 31/' "$PLACE/run/run.yaml"
evaluate "$PLACE/run/run.yaml" "$DISK/store"; echo "reading still works:"; counted "$DISK/store"
mount -o remount,rw "$DISK"; evaluate "$PLACE/run/run.yaml" "$DISK/store"; counted "$DISK/store"

say "kill -9 in the middle of buying"
"$VENV/bin/python" -m flows.cli evaluate "$PLACE/run/run.yaml" --store "$PLACE/killed" --quiet >/dev/null 2>&1 & RUN=$!
for _ in $(seq 600); do [ "$(cat "$PLACE"/killed/journal/*.jsonl 2>/dev/null | wc -l)" -ge 8 ] && break; sleep 0.1; done
kill -9 $RUN; wait $RUN 2>/dev/null; echo "killed with $(cat "$PLACE"/killed/journal/*.jsonl | wc -l) answers in the journal"
evaluate "$PLACE/run/run.yaml" "$PLACE/killed"; counted "$PLACE/killed"

say "network gone: the model's server is stopped in the middle and comes back"
"$VENV/bin/python" tests/fault_server.py --port 8931 --latency 0.3 >"$PLACE/model.log" 2>&1 & MODEL=$!
"$VENV/bin/python" -m flows.cli evaluate "$PLACE/net/run.yaml" --store "$PLACE/gone" --quiet >"$PLACE/gone.out" 2>&1 & RUN=$!
for _ in $(seq 600); do [ "$(cat "$PLACE"/gone/journal/*.jsonl 2>/dev/null | wc -l)" -ge 5 ] && break; sleep 0.1; done
kill $MODEL; wait $MODEL 2>/dev/null; wait $RUN; code=$?; grep "sextant:" "$PLACE/gone.out" | cut -c1-300; echo "exit code $code"
"$VENV/bin/python" tests/fault_server.py --port 8931 >"$PLACE/model.log" 2>&1 & MODEL=$!
sleep 2; echo "the server is back, the same command again:"; evaluate "$PLACE/net/run.yaml" "$PLACE/gone"; counted "$PLACE/gone"
kill $MODEL; wait $MODEL 2>/dev/null

say "clock moved back: a failure stamped in the future does not hide the answer that came after"
"$VENV/bin/python" - "$PLACE/gone" <<'PYTHON'
import datetime, sys
from pathlib import Path
import polars as pl
from warehouse.store import Store
store = Store(Path(sys.argv[1]))
row = store.newest("generations").filter(pl.col("status") == "answered").collect().row(0, named=True)
later = row["recorded_at"] + datetime.timedelta(days=300)
store.write("generations", [row | {"status": "error", "reason": "server_fault", "text": None, "recorded_at": later}])
print("a failure of one answer's key was stamped", later)
PYTHON
before=$("$VENV/bin/python" -c 'import sys; from pathlib import Path; from warehouse.store import Store; print(Store(Path(sys.argv[1])).scan("attempts").collect().height)' "$PLACE/gone")
evaluate "$PLACE/net/run.yaml" "$PLACE/gone"
after=$("$VENV/bin/python" -c 'import sys; from pathlib import Path; from warehouse.store import Store; print(Store(Path(sys.argv[1])).scan("attempts").collect().height)' "$PLACE/gone")
echo "requests before $before, after $after"
say done
