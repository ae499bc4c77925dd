-- Whether two dimensions are different things.
-- grain: one row per protocol, suite and pair of dimensions
with

final as (
    select suites.run_name, shown.*
    from marts.discriminant_validity as shown
    left join staging.stg_suites as suites using (suite_id)
)

select * from final
