"""The same 1,000-item x 3-run job through Sextant, Inspect AI and lm-eval, one after the other against one server; medians.

    python tests/benchmarks/engine_others.py --inspect VENV/bin/python --lm-eval VENV/bin/python [--rounds 5]

Both venvs are yours to make: `pip install inspect-ai==0.3.285 openai`, `pip install "lm-eval[api]==0.4.13"`. Starts a 50 ms server and a
Prefect server, and stops them. Every tool asks 3,000 times with 64 in flight at temperature 0.7, scores exact match of a number and writes its
own log; Sextant also journals and stores Parquet (that far with --no-publish), checks it, builds the warehouse with 1,000 bootstrap replicates and
writes the HTML report.
Wall and CPU are those of the whole process; peak is the resident memory of its largest process (wait4).
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from flows.server import prefect_server
from tests.benchmarks.quick_server import serve

ITEMS, RUNS, FLIGHT, LATENCY_S = 1000, 3, 64, 0.05
BOUGHT = "Sextant, --no-publish"
INSPECT = """from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.scorer import match
from inspect_ai.solver import generate
@task
def job():
    samples = [Sample(id=i, input=f"What is {i} + 2?", target="7") for i in range(1000)]
    return Task(dataset=samples, solver=generate(), scorer=match(numeric=True), epochs=3)
"""
LM_EVAL = """task: quickjob
dataset_path: json
dataset_kwargs: {data_files: {test: ITEMS}}
output_type: generate_until
test_split: test
doc_to_text: "{{question}}"
doc_to_target: "{{answer}}"
repeats: 3
generation_kwargs: {max_gen_toks: 64, temperature: 0.7, do_sample: true, until: ["</s>"]}
filter_list: [{name: first, filter: [{function: regex, regex_pattern: "answer is (\\\\d+)"}, {function: take_first}]}]
metric_list: [{metric: exact_match, aggregation: mean, higher_is_better: true}]
"""
MODEL = 'name: quick\nprovider: openai\nmodel: quick\nversion: "1"\nbase_url: URL\nlimits: {concurrency: 64, shard: 1500}\n'
RUN = """name: quick
datasets: [{name: mine, path: items.jsonl, answer_type: number}]
configurations: [{name: quick, model: model.yaml, sampling: {max_tokens: 64, temperature: 0.7}}]
suite: {runs: 3, operators: [], dimensions: [correctness]}
"""


@dataclass(frozen=True)
class Spent:
    """One tool, once: seconds and MiB."""

    wall: float
    cpu: float
    peak: float


def files(folder: Path, url: str) -> None:
    """The job in each tool's own words."""
    (folder / "job.py").write_text(INSPECT)
    (folder / "lm").mkdir()
    (folder / "lm" / "quickjob.yaml").write_text(LM_EVAL.replace("ITEMS", str(folder / "items.jsonl")))
    (folder / "items.jsonl").write_text("".join(json.dumps({"question": f"What is {i} + 2?", "answer": "7"}) + "\n" for i in range(ITEMS)))
    (folder / "model.yaml").write_text(MODEL.replace("URL", url))
    (folder / "run.yaml").write_text(RUN)


def commands(asked: argparse.Namespace, folder: Path, url: str, nth: int) -> dict[str, list[str]]:
    """Command line of each tool for round `nth`, each with a folder of its own to write to."""
    settings = f"model=quick,base_url={url}/chat/completions,num_concurrent={FLIGHT},tokenized_requests=False"
    lm = ["--model", "local-chat-completions", "--model_args", settings, "--tasks", "quickjob", "--include_path", str(folder / "lm"), "--apply_chat_template"]
    sextant = [sys.executable, __file__, "--phases", str(folder / f"phases{nth}.json"), str(folder / "run.yaml"), str(folder / f"store{nth}")]
    bought = [sys.executable, "-m", "flows.cli", "evaluate", str(folder / "run.yaml"), "--store", str(folder / f"bought{nth}"), "-q", "--no-publish"]
    found = {"Sextant": sextant, BOUGHT: bought}
    if asked.lm_eval:
        found["lm-eval"] = [str(asked.lm_eval), "-m", "lm_eval", *lm, "--output_path", str(folder / f"lm{nth}"), "--log_samples"]
    if asked.inspect:
        knobs = ["--max-connections", str(FLIGHT), "--temperature", "0.7", "--max-tokens", "64", "--display", "none", "--log-dir", str(folder / f"log{nth}")]
        program = [str(asked.inspect), "-m", "inspect_ai", "eval", "job.py", "-M", "responses_api=false", "--model", "openai/quick"]
        found["Inspect AI"] = program + knobs
    return found


def spent(command: list[str], folder: Path, environment: Mapping[str, str], served: Synchronized[int]) -> Spent:
    """Run one tool to its end; it must have asked every question."""
    before, clock = served.value, time.perf_counter()
    with (folder / "out.txt").open("wb") as out:
        process = subprocess.Popen(command, cwd=folder, env={**os.environ, **environment}, stdout=out, stderr=out)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - clock
    if process.returncode or served.value - before != ITEMS * RUNS:
        last = (folder / "out.txt").read_text(errors="replace")[-2000:]
        raise SystemExit(f"{command[:4]}: code {process.returncode}, {served.value - before} requests\n{last}")
    return Spent(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def phases(target: Path, run_file: str, store: str) -> None:
    """`sextant evaluate` in this process, writing when each part of it ended and how much memory it had needed by then."""
    began, marks = time.perf_counter(), list[tuple[str, float, float]]()

    def mark(name: str) -> None:
        peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
        marks.append((name, time.perf_counter() - began, int(peak.split()[1]) / 1024))

    from flows.places import store_for
    from flows.server import configure

    configure(store_for(None, store).root / "prefect")
    import flows.cli
    import flows.evaluate
    import flows.publish

    run_stage, publish = flows.evaluate.run_stage, flows.publish.publish
    mark("imports")

    async def stage_marked(stage: Any, *rest: Any) -> int:
        if not any(name == "flow start" for name, *_ in marks):
            mark("flow start")
        done = await run_stage(stage, *rest)
        mark(stage.table)
        return done

    async def publish_marked(*arguments: Any) -> str:
        mark("scoring")
        report = await publish(*arguments)
        mark("publish")
        return report

    flows.evaluate.run_stage, flows.publish.publish = stage_marked, publish_marked  # type: ignore[assignment]
    sys.argv = ["sextant", "evaluate", run_file, "--store", store, "-q"]
    try:
        flows.cli.main()
    finally:
        mark("end")
        target.write_text(json.dumps(marks))


def report(found: Mapping[str, list[Spent]], marks: list[list[Any]], start_s: float, orchestrated: float) -> None:
    """The figures as Markdown."""
    medians = {name: Spent(*(statistics.median(getattr(one, key) for one in runs) for key in ("wall", "cpu", "peak"))) for name, runs in found.items()}
    whole, bought = medians["Sextant"], medians[BOUGHT]
    print("| tool | wall s | CPU s | peak MiB | walls of each round | Sextant's wall / its, --no-publish's | Sextant's peak / its, --no-publish's |")
    print("|---|---|---|---|---|---|---|")
    for name, one in medians.items():
        walls = " ".join(f"{run.wall:.1f}" for run in found[name])
        ratios = f"{whole.wall / one.wall:.2f}, {bought.wall / one.wall:.2f} | {whole.peak / one.peak:.2f}, {bought.peak / one.peak:.2f}"
        print(f"| {name} | {one.wall:.1f} | {one.cpu:.1f} | {one.peak:.0f} | {walls} | {ratios} |")
    print("\nSextant's last round, seconds since its start and peak MiB by then:\n\n| part ended | s | MiB |\n|---|---|---|")
    for name, seconds, peak in marks:
        print(f"| {name} | {seconds:.2f} | {peak:.0f} |")
    print(f"\nPrefect server: {start_s:.1f} s to start (not counted above), {orchestrated:.1f} s of its own CPU per evaluation")


def server_cpu() -> float:
    """CPU seconds of the Prefect server that this process started."""
    for process in Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split():
        if b"uvicorn" in Path(f"/proc/{process}/cmdline").read_bytes():
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    raise SystemExit("the Prefect server is not there")


def main() -> None:
    """Run the rounds and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inspect", type=Path)
    parser.add_argument("--lm-eval", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--phases", nargs=3, metavar=("JSON", "RUN", "STORE"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.phases:
        phases(Path(asked.phases[0]), *asked.phases[1:])
        return
    ours, theirs = multiprocessing.Pipe()
    served: Synchronized[int] = multiprocessing.get_context("spawn").Value("q", 0)
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs, LATENCY_S, served), daemon=True)
    server.start()
    try:
        with tempfile.TemporaryDirectory() as folder:
            rounds(asked, Path(folder), ours.recv(), served)
    finally:
        server.kill()


def rounds(asked: argparse.Namespace, folder: Path, url: str, served: Synchronized[int]) -> None:
    """All tools, `--rounds` times, interleaved."""
    files(folder, url)
    os.environ.pop("PREFECT_API_URL", None)
    found: dict[str, list[Spent]] = {}
    orchestrated, clock = [], time.perf_counter()
    with prefect_server(folder / "prefect") as api:
        start_s = time.perf_counter() - clock
        environment = {"PREFECT_API_URL": api, "OPENAI_API_KEY": "x", "OPENAI_BASE_URL": url, "HF_DATASETS_OFFLINE": "1", "INSPECT_LOG_LEVEL": "warning"}
        for nth in range(asked.rounds):
            for name, command in commands(asked, folder, url, nth).items():
                before = server_cpu()
                found.setdefault(name, []).append(spent(command, folder, environment, served))
                if name == "Sextant":
                    orchestrated.append(server_cpu() - before)
    marks = json.loads((folder / f"phases{asked.rounds - 1}.json").read_text())
    report(found, marks, start_s, statistics.median(orchestrated))


if __name__ == "__main__":
    main()
