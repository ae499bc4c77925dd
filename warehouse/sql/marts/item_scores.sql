-- What each item scored in each dimension, or why it has no value.
-- grain: one row per protocol, suite, configuration, item and dimension
-- parts: configuration_id
-- columns:
--   value [score]: the item's contribution: observed numerator / denominator (strict coherence: contradiction rate, before correction)
with

components as (
    select * from dimensions.components where component = 'observed'
),

final as (
    select
        protocol,
        suite_id,
        configuration_id,
        dataset,
        item_id,
        cluster,
        dimension,
        ratio(numerator, denominator) as value,
        numerator,
        denominator,
        n,
        n_scored,
        n_not_applicable,
        status,
        reason
    from components
)

select * from final
