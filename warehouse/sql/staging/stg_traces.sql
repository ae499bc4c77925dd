-- Traces without their steps, newest valid row of each.
-- grain: one row per generation and splitter
-- parts: configuration_id
with

stored as (
    select * exclude (steps) from raw.traces
),

final as (
    select * from stored
    qualify row_number() over (partition by generation_id, scorer order by is_error(status), recorded_at desc, status, n_steps) = 1
)

select * from final
