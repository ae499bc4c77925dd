-- Configurations that one number calls equal and that are not: Q_w within the margin (its whole interval inside) while a dimension differs for sure.
-- The dimension shown is the one with the largest supported difference.
-- grain: one row per protocol, weight set, scheme, suite and pair of configurations
-- columns:
--   configuration_id_a [digest]: first configuration
--   configuration_id_b [digest]: second configuration
--   quality_difference [score]: Q_w of the first minus the second
--   quality_ci_low [score]: lower end of its 95 % interval
--   quality_ci_high [score]: upper end of its 95 % interval
--   dimension_difference [score]: score of the first minus the second in that dimension
--   n_dimensions [count]: dimensions that differ for sure
with

preferences as (
    select * from marts.pairwise_preferences
    where configuration_id_a < configuration_id_b and abs(difference) < margin() and ci_low > -margin() and ci_high < margin()
),

-- second minus first there, first minus second here
profiles as (
    select
        protocol,
        suite_id,
        configuration_id_b as configuration_id_a,
        configuration_id_a as configuration_id_b,
        dimension,
        difference,
        ci_low,
        ci_high,
        count(*) over of_pair as n_dimensions
    from marts.dimension_differences
    where dataset = 'all' and (ci_low > 0 or ci_high < 0)
    window of_pair as (partition by protocol, suite_id, configuration_id_a, configuration_id_b)
    qualify row_number() over (of_pair order by abs(difference) desc, dimension) = 1
),

final as (
    select
        preferences.protocol,
        preferences.weight_set,
        preferences.scheme,
        preferences.suite_id,
        preferences.configuration_id_a,
        preferences.configuration_id_b,
        preferences.difference as quality_difference,
        preferences.ci_low as quality_ci_low,
        preferences.ci_high as quality_ci_high,
        profiles.dimension,
        profiles.difference as dimension_difference,
        profiles.ci_low,
        profiles.ci_high,
        profiles.n_dimensions
    from preferences
    -- one to one or none
    inner join profiles using (protocol, suite_id, configuration_id_a, configuration_id_b)
)

select * from final
