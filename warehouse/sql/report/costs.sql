-- Requests, tokens, money and time.
-- grain: one row per suite, configuration, dataset ('all' pooled) and dimension
with

final as (
    select suites.run_name, shown.*
    from marts.costs as shown
    left join staging.stg_suites as suites using (suite_id)
)

select * from final
