-- Run commands, newest state of each.
-- grain: one row per run command
with

stored as (
    select * from raw.evaluations
),

final as (
    select * from stored
    qualify row_number() over (partition by evaluation_id order by recorded_at desc, status, suite_id, configuration_ids) = 1
)

select * from final
