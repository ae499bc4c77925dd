-- Split-half reliability of each dimension.
-- grain: one row per protocol, suite and dimension
with

final as (
    select suites.run_name, shown.*
    from marts.reliability as shown
    left join staging.stg_suites as suites using (suite_id)
)

select * from final
