-- What remembering the published questions could explain: GSM8K beside GSM-Symbolic, for suites that ask both.
-- grain: one row per protocol, suite and configuration
-- columns:
--   configuration [text]: display name
with

final as (
    select
        suites.run_name,
        coalesce(configurations.configuration, contamination.configuration_id) as configuration,
        contamination.*
    from marts.contamination
    -- many to one or none
    left join staging.stg_suites as suites using (suite_id)
    -- many to one or none
    left join staging.stg_configurations as configurations using (configuration_id)
    where contamination.reason is null or contamination.reason not in ('no_gsm8k', 'no_gsm_symbolic')
)

select * from final
