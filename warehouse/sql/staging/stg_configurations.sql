-- Configurations: what is evaluated, ranked and compared.
-- grain: one row per configuration
with

stored as (
    select * from raw.configurations
),

final as (
    select * from stored
    qualify row_number() over (partition by configuration_id order by recorded_at desc, configuration, model_version_id) = 1
)

select * from final
