-- Every wanted generation with its text, answer, steps and what the suite's judge and equation checker found in them.
-- grain: one row per suite, configuration, item, operator and run
-- columns:
--   pairs [list]: judged steps as (step, label, p_contradiction, truncated)
--   equation_steps [list]: steps with equations as (step, n_true, n_false, n_undecidable, false ones)
--   answer_status [text]: status of the extracted answer
--   messages [text]: JSON: the exact user messages; at the first run of an operator only
with

units as (
    select * from staging.stg_unit_answers
),

active as (
    select
        suite_id,
        max(scorer) filter (where stage = 'answers') as extractor,
        max(scorer) filter (where stage = 'traces') as splitter,
        max(scorer) filter (where stage = 'step_pairs') as judge,
        max(scorer) filter (where stage = 'equations') as checker
    from staging.stg_active_scorers
    group by suite_id
),

answers as (
    select generation_id, scorer, extracted, value from staging.stg_answers
),

prompts as (
    select units.suite_id, units.configuration_id, units.generation_id, prompts.messages
    from staging.stg_units as units
    -- many to one or none
    left join staging.stg_prompts as prompts using (prompt_id)
    where units.run_index = 0
),

kept as (
    select * from staging.stg_generations
),

texts as (
    select raw.generation_id, raw.text, raw.thinking
    from raw.generations as raw
    -- many to one: the row that counts
    inner join kept
        on raw.generation_id = kept.generation_id and raw.recorded_at = kept.recorded_at and raw.status = kept.status
    qualify row_number() over (partition by raw.generation_id order by raw.text) = 1
),

steps as (
    select raw.generation_id, raw.scorer, raw.steps
    from raw.traces as raw
    -- many to one: the row that counts
    inner join staging.stg_traces as kept
        on raw.generation_id = kept.generation_id and raw.scorer = kept.scorer and raw.recorded_at = kept.recorded_at and raw.status = kept.status
    qualify row_number() over (partition by raw.generation_id, raw.scorer order by raw.n_steps) = 1
),

pairs as (
    select
        generation_id,
        scorer,
        list((step_index, label, round(p_contradiction, 3), truncated_pair) order by step_index) as pairs
    from staging.stg_step_pairs
    where kind = 'adjacent' and label is not null
    group by all
),

equations as (
    select
        generation_id,
        scorer,
        list((step_index, n_true, n_false, n_undecidable, false_equations) order by step_index) as equation_steps
    from staging.stg_equations
    where n_equations > 0
    group by all
),

final as (
    select
        units.suite_id,
        units.configuration_id,
        units.item_id,
        units.dataset,
        units.operator,
        units.run_index,
        units.generation_id,
        units.status as answer_status,
        units.reason,
        units.is_correct,
        units.strategy,
        units.ambiguous,
        answers.extracted,
        answers.value,
        texts.text,
        texts.thinking,
        prompts.messages,
        steps.steps,
        pairs.pairs,
        equations.equation_steps,
        kept.finish_reason,
        kept.served_model,
        kept.http_status,
        kept.attempts,
        kept.output_tokens,
        kept.thinking_tokens,
        kept.usage_source,
        kept.cost_usd,
        kept.latency_ms
    from units
    -- all joins many to one or none
    left join active using (suite_id)
    left join prompts on units.suite_id = prompts.suite_id and units.configuration_id = prompts.configuration_id and units.generation_id = prompts.generation_id
    left join answers on units.generation_id = answers.generation_id and active.extractor = answers.scorer
    left join kept on units.generation_id = kept.generation_id
    left join texts on units.generation_id = texts.generation_id
    left join steps on units.generation_id = steps.generation_id and active.splitter = steps.scorer
    left join pairs on units.generation_id = pairs.generation_id and active.judge = pairs.scorer
    left join equations on units.generation_id = equations.generation_id and active.checker = equations.scorer
)

select * from final
