-- Why generations have no answer.
-- grain: one row per suite, configuration, dataset, status and reason
with

final as (
    select suites.run_name, coalesce(configurations.configuration, shown.configuration_id) as configuration, shown.*
    from marts.unscored_reasons as shown
    left join staging.stg_suites as suites using (suite_id)
    left join staging.stg_configurations as configurations using (configuration_id)
)

select * from final
