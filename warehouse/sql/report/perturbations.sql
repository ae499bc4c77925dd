-- What each rewording operator could be used for, and how answers survive it.
-- grain: one row per suite, configuration, dataset ('all' pooled) and operator
with

final as (
    select suites.run_name, coalesce(configurations.configuration, shown.configuration_id) as configuration, shown.*
    from marts.perturbation_gates as shown
    left join staging.stg_suites as suites using (suite_id)
    left join staging.stg_configurations as configurations using (configuration_id)
)

select * from final
