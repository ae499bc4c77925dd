-- Numerators and denominators of each component summed over the items of a cluster: what the bootstrap weighs.
-- grain: one row per protocol, suite, configuration, dataset, cluster and dimension
-- columns:
--   observed_numerator [sum]: numerator of the observed component
--   observed_denominator [sum]: its denominator
--   baseline_numerator [sum]: numerator of the baseline (chance, null, rerun)
--   baseline_denominator [sum]: its denominator
--   equations_numerator [sum]: false equations
--   equations_denominator [sum]: decided equations
with

components as (
    select * from dimensions.components
),

final as (
    select
        protocol,
        suite_id,
        configuration_id,
        dataset,
        cluster,
        dimension,
        coalesce(sum(numerator) filter (where component = 'observed'), 0)::double as observed_numerator,
        coalesce(sum(denominator) filter (where component = 'observed'), 0)::double as observed_denominator,
        coalesce(sum(numerator) filter (where component = 'baseline'), 0)::double as baseline_numerator,
        coalesce(sum(denominator) filter (where component = 'baseline'), 0)::double as baseline_denominator,
        coalesce(sum(numerator) filter (where component = 'equations'), 0)::double as equations_numerator,
        coalesce(sum(denominator) filter (where component = 'equations'), 0)::double as equations_denominator
    from components
    group by all
)

select * from final
