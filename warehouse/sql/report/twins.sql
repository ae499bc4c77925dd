-- Configurations that one number calls equal and that are not.
-- grain: one row per protocol, weight set, scheme, suite and pair of configurations
-- columns:
--   configuration_a [text]: display name of the first configuration
--   configuration_b [text]: display name of the second configuration
with

final as (
    select
        suites.run_name,
        coalesce(first.configuration, shown.configuration_id_a) as configuration_a,
        coalesce(second.configuration, shown.configuration_id_b) as configuration_b,
        shown.*
    from marts.profile_twins as shown
    left join staging.stg_suites as suites using (suite_id)
    left join staging.stg_configurations as first on shown.configuration_id_a = first.configuration_id
    left join staging.stg_configurations as second on shown.configuration_id_b = second.configuration_id
)

select * from final
