-- Prompts and rewordings with the gate's verdict, newest row of each.
-- grain: one row per item, operator, template and seed
with

stored as (
    select * from raw.prompts
),

final as (
    select * from stored
    qualify row_number() over (partition by prompt_id order by recorded_at desc, status, reason) = 1
)

select * from final
