-- The pairs of dimensions a suite has (15 for six), whether or not anything could be correlated.
-- grain: one row per protocol, suite and pair of dimensions
-- columns:
--   dimension_a [name]: first dimension
--   dimension_b [name]: second dimension
--   is_definitional [boolean]: one is computed from the other, so that they correlate by definition (correctness with robustness and efficiency)
with

dimensions as (
    select distinct counts.protocol, counts.suite_id, counts.dimension, coalesce(places.place, 99) as place
    from marts.unit_counts as counts
    left join seeds.dimension_order as places using (dimension)
),

final as (
    select
        first.protocol,
        first.suite_id,
        first.dimension as dimension_a,
        second.dimension as dimension_b,
        first.dimension = 'correctness' and second.dimension in ('robustness', 'efficiency') as is_definitional
    from dimensions as first
    inner join dimensions as second
        on first.protocol = second.protocol
        and first.suite_id = second.suite_id
        and (first.place, first.dimension) < (second.place, second.dimension)
)

select * from final
