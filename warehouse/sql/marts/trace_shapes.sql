-- What the traces look like that coherence and stability read: lengths, single steps (1.0 by the paper's convention), cut pairs, chunked texts.
-- grain: one row per suite, configuration and dataset ('all' pooled)
-- parts: configuration_id
-- columns:
--   n_traces [count]: traces of one step or more
--   n_empty [count]: responses without a trace
--   mean_steps [steps]: mean number of steps
--   single_step_share [share]: traces of a single step
--   n_pairs [count]: neighbouring steps judged
--   raw_contradiction_rate [rate]: contradicting / judged, uncorrected
--   n_equations [count]: equations decided
--   false_equation_rate [rate]: false / decided
with

traces as (
    select *, unnest([dataset, 'all']) as counted_in from staging.stg_unit_traces
),

final as (
    select
        suite_id,
        configuration_id,
        counted_in as dataset,
        count(*) filter (where n_steps > 0) as n_traces,
        count(*) filter (where reason = 'empty_trace') as n_empty,
        avg(n_steps) filter (where n_steps > 0) as mean_steps,
        avg((n_steps = 1)::double) filter (where n_steps > 0) as single_step_share,
        sum(n_pairs)::bigint as n_pairs,
        ratio(sum(n_contradictions)::double, sum(n_pairs)) as raw_contradiction_rate,
        sum(n_true + n_false)::bigint as n_equations,
        ratio(sum(n_false)::double, sum(n_true + n_false)) as false_equation_rate
    from traces
    group by all
)

select * from final
