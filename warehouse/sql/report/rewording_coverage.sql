-- What became of the rewordings each suite wanted: applied, or why not.
-- grain: one row per suite, configuration, dataset, operator, status and reason
-- columns:
--   status [text]: asked, error or not_applicable
--   n_items [count]: items
--   share [share]: of the items of the configuration, dataset and operator
with

perturbations as (
    select * from staging.stg_unit_perturbations
),

counted as (
    select
        suite_id,
        configuration_id,
        dataset,
        operator,
        case when status = 'not_applicable' or is_error(status) then status else 'asked' end as status,
        case when status = 'not_applicable' or is_error(status) then reason end as reason,
        count(*) as n_items
    from perturbations
    group by all
),

final as (
    select *, n_items / sum(n_items) over (partition by suite_id, configuration_id, dataset, operator) as share
    from counted
)

select * from final
