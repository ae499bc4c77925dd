-- Judge verdicts on pairs whose right label is known, newest row of each.
-- grain: one row per judge and calibration pair
with

stored as (
    select * from raw.calibrations
),

final as (
    select * from stored
    qualify row_number() over (partition by scorer, pair_set, role, alteration, pair_id order by recorded_at desc, label, p_contradiction) = 1
)

select * from final
