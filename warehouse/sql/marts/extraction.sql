-- How answers were found, or why not: statuses, strategies and ambiguity of the active extractor over all runs asked.
-- grain: one row per suite, configuration, dataset, status and strategy
-- parts: configuration_id
-- columns:
--   strategy [text]: rule that found the answer; NULL where none was found
--   n_answers [count]: generations
--   n_ambiguous [count]: of those, with several candidates of equal rank
--   n_correct [count]: of those, right
--   share [share]: of the generations of the configuration and dataset
with

counted as (
    select
        suite_id,
        configuration_id,
        dataset,
        status,
        strategy,
        count(*) as n_answers,
        count(*) filter (where ambiguous) as n_ambiguous,
        count(*) filter (where is_correct) as n_correct
    from staging.stg_unit_answers
    group by all
),

final as (
    select *, n_answers / sum(n_answers) over (partition by suite_id, configuration_id, dataset) as share
    from counted
)

select * from final
