-- Scorer cards: everything that moves a unit score.
-- grain: one row per scorer fingerprint
with

stored as (
    select * from raw.scorers
),

final as (
    select * from stored
    qualify row_number() over (partition by scorer order by recorded_at desc, name, version) = 1
)

select * from final
