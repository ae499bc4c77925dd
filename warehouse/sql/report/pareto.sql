-- Configurations that no other one beats on both quality and price.
-- grain: one row per protocol, weight set, scheme, suite and scored configuration
with

final as (
    select suites.run_name, coalesce(configurations.configuration, shown.configuration_id) as configuration, shown.*
    from marts.pareto as shown
    left join staging.stg_suites as suites using (suite_id)
    left join staging.stg_configurations as configurations using (configuration_id)
)

select * from final
