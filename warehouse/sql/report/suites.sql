-- Suites that the report can show, newest evaluation first.
-- grain: one row per suite
-- columns:
--   n_items [count]: items asked
--   n_datasets [count]: datasets asked
--   n_configurations [count]: configurations evaluated
--   newest_at [UTC]: start of the newest evaluation
with

units as (
    select * from staging.stg_units
),

suites as (
    select * from staging.stg_suites
),

counted as (
    select
        suite_id,
        count(distinct item_id) as n_items,
        count(distinct dataset) as n_datasets,
        count(distinct configuration_id) as n_configurations
    from units
    group by suite_id
),

final as (
    select
        suites.suite_id,
        suites.run_name,
        suites.runs,
        suites.operators,
        suites.seed,
        suites.reference_tokens,
        suites.started_at as newest_at,
        counted.n_items,
        counted.n_datasets,
        counted.n_configurations
    from suites
    -- one to one: a suite of which nothing was planned has nothing to show
    inner join counted using (suite_id)
    order by suites.started_at desc, suites.recorded_at desc, suites.suite_id
)

select * from final
