-- BERTScore of pairs of traces, newest valid row of each.
-- grain: one row per pair of traces and encoder
-- parts: configuration_id
with

stored as (
    select * from raw.trace_pairs
),

final as (
    select * from stored
    qualify row_number() over (partition by generation_id_a, generation_id_b, scorer, kind order by is_error(status), recorded_at desc, status, f1, draw) = 1
)

select * from final
