-- Wanted unperturbed generations with their trace and what the suite's active judge and equation checker found in it.
-- grain: one row per suite, configuration, item and run
-- parts: configuration_id
-- columns:
--   status [text]: scored, not_applicable (no trace to read) or error
--   n_pairs [count]: neighbouring steps that were judged
--   n_contradictions [count]: of those, judged contradicting
--   n_true [count]: equations that hold
--   n_false [count]: equations that do not hold
with

units as (
    select * from staging.stg_units where operator = 'original'
),

active as (
    select
        suite_id,
        max(scorer) filter (where stage = 'traces') as splitter,
        max(scorer) filter (where stage = 'step_pairs') as judge,
        max(scorer) filter (where stage = 'equations') as checker
    from staging.stg_active_scorers
    group by suite_id
),

traces as (
    select * from staging.stg_traces
),

pairs as (
    select
        generation_id,
        scorer,
        count(*) as n_rows,
        count(*) filter (where is_error(status)) as n_errors,
        count(label) as n_pairs,
        count(*) filter (where label = 'contradiction') as n_contradictions
    from staging.stg_step_pairs
    where kind = 'adjacent'
    group by generation_id, scorer
),

equations as (
    select generation_id, scorer, sum(n_true)::bigint as n_true, sum(n_false)::bigint as n_false
    from staging.stg_equations
    group by generation_id, scorer
),

joined as (
    select
        units.suite_id,
        units.configuration_id,
        units.generation_id,
        units.item_id,
        units.run_index,
        units.dataset,
        units.cluster,
        units.stratum,
        case
            when is_error(units.generation_status) then coalesce(units.generation_reason, 'provider_error')
            when traces.status is null then 'not_scored'
            when is_error(traces.status) then coalesce(traces.reason, 'splitter_failed')
            when coalesce(traces.n_steps, 0) = 0 then 'empty_trace'
            when traces.n_steps > 1 and coalesce(pairs.n_errors, 0) > 0 then 'judge_failed'
            when traces.n_steps > 1 and coalesce(pairs.n_rows, 0) < traces.n_steps - 1 then 'not_judged'
        end as reason,
        traces.n_steps,
        coalesce(pairs.n_pairs, 0) as n_pairs,
        coalesce(pairs.n_contradictions, 0) as n_contradictions,
        coalesce(equations.n_true, 0) as n_true,
        coalesce(equations.n_false, 0) as n_false
    from units
    left join active using (suite_id)
    left join traces on units.generation_id = traces.generation_id and active.splitter = traces.scorer
    left join pairs on units.generation_id = pairs.generation_id and active.judge = pairs.scorer
    left join equations on units.generation_id = equations.generation_id and active.checker = equations.scorer
),

final as (
    select
        * exclude (reason),
        case when reason is null then 'scored' when reason = 'empty_trace' then 'not_applicable' else 'error' end as status,
        reason
    from joined
)

select * from final
