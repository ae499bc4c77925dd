-- What became of every unit: counts per dimension, status and reason. Nothing disappears.
-- grain: one row per protocol, suite, configuration, dataset, dimension, status and reason
-- parts: configuration_id
-- columns:
--   n_items [count]: items with this status and reason
--   share [share]: of the items of the configuration, dataset and dimension
with

scores as (
    select * from marts.item_scores
),

counted as (
    select protocol, suite_id, configuration_id, dataset, dimension, status, reason, count(*) as n_items
    from scores
    group by all
),

final as (
    select
        *,
        n_items / sum(n_items) over (partition by protocol, suite_id, configuration_id, dataset, dimension) as share
    from counted
)

select * from final
