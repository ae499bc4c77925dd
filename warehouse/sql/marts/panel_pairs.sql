-- Observations that have both dimensions of a pair, with the value of correctness to hold constant. Dimensions stand in the order of METRICS.
-- grain: one row per protocol, suite, configuration, dataset and pair of dimensions
-- columns:
--   dimension_a [name]: first dimension
--   dimension_b [name]: second dimension
--   a [score]: value of the first dimension
--   b [score]: value of the second dimension
--   correctness [score]: value of correctness; NULL where it has none
with

panel as (
    select panel.*, coalesce(places.place, 99) as place
    from marts.panel as panel
    left join seeds.dimension_order as places using (dimension)
),

final as (
    select
        first.protocol,
        first.suite_id,
        first.configuration_id,
        coalesce(first.model_version_id, first.configuration_id) as model_version_id,
        first.dataset,
        first.dimension as dimension_a,
        second.dimension as dimension_b,
        first.value as a,
        second.value as b,
        held.value as correctness
    from panel as first
    -- one to many: every later dimension of the same observation
    inner join panel as second
        on first.protocol = second.protocol
        and first.suite_id = second.suite_id
        and first.configuration_id = second.configuration_id
        and first.dataset = second.dataset
        and (first.place, first.dimension) < (second.place, second.dimension)
    left join panel as held
        on first.protocol = held.protocol
        and first.suite_id = held.suite_id
        and first.configuration_id = held.configuration_id
        and first.dataset = held.dataset
        and held.dimension = 'correctness'
)

select * from final
