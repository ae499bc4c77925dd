-- Q_w of every evaluated configuration by the time its answers were bought: the series of nights, suites included.
-- grain: one row per protocol, weight set, scheme, suite and configuration
-- columns:
--   night_at [UTC]: start of the configuration's first answer in the suite, else of its newest evaluation
with

scores as (
    select * from marts.quality_scores
),

configurations as (
    select * from report.configurations
),

suites as (
    select * from report.suites
),

final as (
    select
        scores.protocol,
        scores.weight_set,
        scores.scheme,
        scores.suite_id,
        scores.configuration_id,
        scores.configuration,
        configurations.family,
        configurations.resolved_version,
        coalesce(configurations.first_at, suites.newest_at) as night_at,
        scores.value,
        scores.ci_low,
        scores.ci_high,
        scores.status,
        scores.reason
    from scores
    -- many to one
    inner join suites using (suite_id)
    -- many to one or none
    left join configurations using (suite_id, configuration_id)
)

select * from final
