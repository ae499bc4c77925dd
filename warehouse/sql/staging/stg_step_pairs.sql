-- NLI verdicts on pairs of steps, newest valid row of each.
-- grain: one row per pair of steps and judge
-- parts: configuration_id
with

stored as (
    select * from raw.step_pairs
),

final as (
    select * from stored
    qualify row_number() over (partition by generation_id, scorer, kind, step_index order by is_error(status), recorded_at desc, status, label, p_contradiction) = 1
)

select * from final
