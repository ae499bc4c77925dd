-- Q_w of every scheme with interval and reason.
-- grain: one row per protocol, weight set, scheme, suite and configuration
with

final as (
    select suites.run_name, shown.*
    from marts.quality_scores as shown
    left join staging.stg_suites as suites using (suite_id)
)

select * from final
