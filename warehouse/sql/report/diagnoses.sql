-- Rules that fired, with their evidence.
-- grain: one row per suite, configuration, dataset ('all' pooled) and rule
with

final as (
    select suites.run_name, shown.*
    from marts.diagnoses as shown
    left join staging.stg_suites as suites using (suite_id)
)

select * from final
