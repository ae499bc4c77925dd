-- Requests, tokens, money and time.
-- grain: one row per suite, configuration, dataset ('all' pooled) and dimension
with

final as (
    select suites.run_name, coalesce(configurations.configuration, shown.configuration_id) as configuration, shown.*
    from marts.costs as shown
    left join staging.stg_suites as suites using (suite_id)
    left join staging.stg_configurations as configurations using (configuration_id)
)

select * from final
