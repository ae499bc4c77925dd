-- The one scorer fingerprint per stage that the marts of a suite read.
-- grain: one row per suite and stage
with

stored as (
    select * from raw.active_scorers
),

final as (
    select * from stored
    qualify row_number() over (partition by suite_id, stage order by recorded_at desc, scorer) = 1
)

select * from final
