-- What became of every unit.
-- grain: one row per protocol, suite, configuration, dataset, dimension, status and reason
with

final as (
    select suites.run_name, shown.*
    from marts.coverage as shown
    left join staging.stg_suites as suites using (suite_id)
)

select * from final
