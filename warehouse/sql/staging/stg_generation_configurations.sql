-- The configuration that each stored or wanted generation belongs to.
-- grain: one row per generation
-- parts: configuration_id
with

stored as (
    select generation_id, configuration_id from raw.generations
),

wanted as (
    select generation_id, configuration_id from raw.evaluation_units
),

final as (
    select * from stored
    union
    select * from wanted
)

select * from final
