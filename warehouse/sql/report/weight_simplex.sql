-- Share of all weightings in which each configuration is best.
-- grain: one row per protocol, suite and configuration
with

final as (
    select suites.run_name, shown.*
    from marts.weight_simplex as shown
    left join staging.stg_suites as suites using (suite_id)
)

select * from final
