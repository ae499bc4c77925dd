-- Extracted answers of every scorer, newest valid row of each.
-- grain: one row per generation and extractor
-- parts: configuration_id
with

stored as (
    select * from raw.answers
),

final as (
    select * from stored
    qualify row_number() over (partition by generation_id, scorer order by is_error(status), recorded_at desc, status, canonical, value) = 1
)

select * from final
