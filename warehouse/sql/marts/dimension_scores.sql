-- The six scores with everything needed to judge them: units, coverage, applicability, standard error, 95 % interval, bounds for missing units.
-- Interval: percentile bootstrap over clusters, its tails widened for small samples by Student's t; Wilson where replicates do not vary, and never
-- narrower than Wilson where fewer than ten clusters enter the value; NULL with reason `too_few` where fewer than ten clusters were asked.
-- grain: one row per protocol, suite, configuration, dataset ('all' pooled) and dimension
-- parts: configuration_id
with

replicates as (
    select * from marts.replicates
),

points as (
    select * from replicates where replicate = 0
),

spread as (
    select
        protocol,
        suite_id,
        configuration_id,
        dataset,
        dimension,
        stddev_samp(value) as deviation,
        list_sort(list(value) filter (where value is not null)) as sorted
    from replicates
    where replicate > 0
    group by all
),

measured as (
    select
        points.* exclude (replicate, reason),
        counts.* exclude (protocol, suite_id, configuration_id, dataset, dimension),
        coalesce(estimators.form, 'ratio') as form,
        estimators.flag_at_temperature_zero,
        estimators.ceiling_dimension,
        spread.sorted,
        spread.deviation,
        counts.n_scored / nullif(counts.n - counts.n_not_applicable, 0)::double as coverage,
        1 - counts.n_not_applicable / nullif(counts.n, 0)::double as applicability,
        case when points.value is null then coalesce(points.reason, counts.unit_reason, 'nothing_observed') end as no_value_reason,
        coalesce(tails.tail, 0.025) as tail,
        wilson_low(points.observed, counts.n_contributing) as observed_low,
        wilson_high(points.observed, counts.n_contributing) as observed_high
    from points
    inner join marts.unit_counts as counts using (protocol, suite_id, configuration_id, dataset, dimension)
    inner join spread using (protocol, suite_id, configuration_id, dataset, dimension)
    left join seeds.estimators as estimators using (dimension, protocol)
    left join seeds.interval_tails as tails on counts.n_contributing = tails.n_clusters
),

bounded as (
    select
        *,
        estimate(form, observed_low, baseline, equations, false_alarm, detection) as wilson_a,
        estimate(form, observed_high, baseline, equations, false_alarm, detection) as wilson_b,
        estimate(form, observed * coverage, baseline, equations, false_alarm, detection) as missing_a,
        estimate(form, observed * coverage + 1 - coverage, baseline, equations, false_alarm, detection) as missing_b,
        estimate(form, 0, baseline, equations, false_alarm, detection) as end_a,
        estimate(form, 1, baseline, equations, false_alarm, detection) as end_b,
        value is not null and n_clusters >= 10 and 2 * len(sorted) > replicate_count() as has_interval,
        coalesce(deviation, 0) < 1e-9 as is_constant
    from measured
),

intervals as (
    select
        *,
        case
            when not has_interval then null
            when is_constant then least(wilson_a, wilson_b, value)
            when n_contributing < 10 then least(wilson_a, wilson_b, sorted_quantile(sorted, tail))
            else sorted_quantile(sorted, tail)
        end as ci_low,
        case
            when not has_interval then null
            when is_constant then greatest(wilson_a, wilson_b, value)
            when n_contributing < 10 then greatest(wilson_a, wilson_b, sorted_quantile(sorted, 1 - tail))
            else sorted_quantile(sorted, 1 - tail)
        end as ci_high
    from bounded
),

-- what the missing units and the design allow; strict pools datasets by their mean, and so their bounds
bounds as (
    select
        protocol,
        suite_id,
        configuration_id,
        dataset,
        dimension,
        least(missing_a, missing_b) as value_worst,
        greatest(missing_a, missing_b) as value_best,
        least(end_a, end_b) as floor,
        greatest(end_a, end_b) as ceiling
    from bounded
    where protocol <> 'strict' or dataset <> 'all'
    union all by name
    select
        protocol,
        suite_id,
        configuration_id,
        'all' as dataset,
        dimension,
        avg(least(missing_a, missing_b)) as value_worst,
        avg(greatest(missing_a, missing_b)) as value_best,
        avg(least(end_a, end_b)) as floor,
        avg(greatest(end_a, end_b)) as ceiling
    from bounded
    where protocol = 'strict' and dataset <> 'all'
    group by all
),

null_datasets as (
    select protocol, suite_id, configuration_id, dimension, min(dataset || ': ' || no_value_reason) as reason
    from measured
    where dataset <> 'all' and value is null and protocol = 'strict'
    group by all
),

final as (
    select
        intervals.protocol,
        intervals.suite_id,
        intervals.configuration_id,
        configurations.model_version_id,
        coalesce(configurations.configuration, intervals.configuration_id) as configuration,
        intervals.dataset,
        intervals.dimension,
        intervals.value,
        intervals.n,
        intervals.n_scored,
        intervals.n_not_applicable,
        intervals.n_clusters,
        intervals.coverage,
        intervals.applicability,
        case
            when has_interval and is_constant then (ci_high - ci_low) / (2 * 1.9599639845400545)
            when has_interval then round(deviation * sqrt(n_contributing / nullif(n_contributing - 1, 0)::double), 12)
        end as standard_error,
        intervals.ci_low,
        intervals.ci_high,
        case when intervals.value is null then 'unscored' when coverage < 0.98 then 'incomplete' else 'scored' end as status,
        case
            when intervals.value is null then
                case when intervals.dataset = 'all' then coalesce(null_datasets.reason, no_value_reason) else no_value_reason end
            when coverage < 0.98 then 'coverage_below_98_percent'
            when not has_interval then 'too_few'
        end as reason,
        case when intervals.value is not null then bounds.value_worst end as value_worst,
        case when intervals.value is not null then bounds.value_best end as value_best,
        bounds.floor,
        coalesce(ceilings.value, bounds.ceiling) as ceiling,
        intervals.observed,
        intervals.baseline,
        intervals.equations,
        case when form = 'judged' then intervals.false_alarm end as false_alarm,
        case when form = 'judged' then intervals.detection end as detection,
        case when flag_at_temperature_zero and configurations.temperature = 0 then 'temperature_zero' end as flag
    from intervals
    left join staging.stg_configurations as configurations using (configuration_id)
    inner join bounds using (protocol, suite_id, configuration_id, dataset, dimension)
    left join null_datasets using (protocol, suite_id, configuration_id, dimension)
    left join points as ceilings
        on intervals.ceiling_dimension = ceilings.dimension
        and intervals.protocol = ceilings.protocol
        and intervals.suite_id = ceilings.suite_id
        and intervals.configuration_id = ceilings.configuration_id
        and intervals.dataset = ceilings.dataset
)

select * from final
