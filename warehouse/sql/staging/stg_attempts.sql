-- Requests made, newest row of each.
-- grain: one row per request
-- parts: configuration_id
with

stored as (
    select * from raw.attempts
),

final as (
    select * from stored
    qualify row_number() over (partition by attempt_id order by recorded_at desc, status, attempt) = 1
)

select * from final
