-- Configurations that are compared pair by pair: of each suite the twenty evaluated last. A suite that hundreds of nights share has hundreds of
-- configurations and their pairs would outgrow everything else; scores and ranks have no such limit.
-- grain: one row per suite and compared configuration
-- columns:
--   last_wanted_at [UTC]: when its newest unit was asked for
with

wanted as (
    select suite_id, configuration_id, max(wanted_at) as last_wanted_at
    from staging.stg_units
    group by all
),

final as (
    select suite_id, configuration_id, last_wanted_at from wanted
    qualify row_number() over (partition by suite_id order by last_wanted_at desc, configuration_id) <= 20
)

select * from final
