-- Model versions.
-- grain: one row per model version
with

stored as (
    select * from raw.model_versions
),

final as (
    select * from stored
    qualify row_number() over (partition by model_version_id order by recorded_at desc, provider, model) = 1
)

select * from final
