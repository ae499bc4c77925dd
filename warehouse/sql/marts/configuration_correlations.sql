-- Do two dimensions go together item by item, within one configuration?
-- grain: one row per protocol, suite, configuration and pair of dimensions
-- parts: configuration_id
-- columns:
--   dimension_a [name]: first dimension, in the order of METRICS
--   dimension_b [name]: second dimension
--   n_items [count]: items with a value in both
--   r [correlation]: Pearson r over those items; NULL for a constant column
with

scores as (
    select
        scores.protocol,
        scores.suite_id,
        scores.configuration_id,
        scores.item_id,
        scores.dimension,
        scores.value,
        (coalesce(places.place, 99), scores.dimension) as place
    from marts.item_scores as scores
    -- many to one or none
    left join seeds.dimension_order as places using (dimension)
    where scores.value is not null
),

final as (
    select
        first.protocol,
        first.suite_id,
        first.configuration_id,
        first.dimension as dimension_a,
        second.dimension as dimension_b,
        count(*) as n_items,
        correlation(
            count(*), sum(first.value), sum(second.value), sum(first.value * first.value), sum(second.value * second.value), sum(first.value * second.value)
        ) as r
    from scores as first
    -- one to many: every later dimension of the same item
    inner join scores as second
        on first.protocol = second.protocol
        and first.suite_id = second.suite_id
        and first.configuration_id = second.configuration_id
        and first.item_id = second.item_id
        and first.place < second.place
    group by all
)

select * from final
