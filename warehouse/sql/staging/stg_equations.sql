-- Equations checked in each step, newest row of each.
-- grain: one row per step and equation checker
-- parts: configuration_id
with

stored as (
    select * from raw.equations
),

final as (
    select * from stored
    qualify row_number() over (partition by generation_id, scorer, step_index order by recorded_at desc, n_equations, n_false, n_true) = 1
)

select * from final
