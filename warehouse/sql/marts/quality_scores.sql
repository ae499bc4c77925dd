-- Q_w with standard error and 95 % interval from the shared replicates. A NULL dimension makes it NULL and says which; an incomplete one makes it
-- incomplete.
-- grain: one row per protocol, weight set, scheme, suite and configuration
-- parts: configuration_id
with

replicates as (
    select * from marts.quality_replicates
),

points as (
    select * from replicates where replicate = 0
),

spread as (
    select
        protocol,
        weight_set,
        scheme,
        suite_id,
        configuration_id,
        stddev_samp(value) as deviation,
        list_sort(list(value) filter (where value is not null)) as sorted
    from replicates
    where replicate > 0
    group by all
),

dimensions as (
    select
        scores.protocol,
        schemes.weight_set,
        schemes.scheme,
        scores.suite_id,
        scores.configuration_id,
        any_value(scores.model_version_id) as model_version_id,
        any_value(scores.configuration) as configuration,
        min(scores.n_clusters) as n_clusters,
        min(scores.coverage) as coverage,
        bool_and(scores.ci_low is not null) as has_interval,
        min(scores.dimension || ': ' || scores.reason) filter (where scores.status = 'unscored') as unscored,
        min(scores.dimension || ': ' || scores.reason) filter (where scores.status = 'incomplete') as incomplete
    from marts.dimension_scores as scores
    -- many to many: every scheme weighs the dimension
    inner join staging.stg_schemes as schemes using (dimension)
    where scores.dataset = 'all' and schemes.weight > 0
    group by all
),

measured as (
    select
        points.*,
        spread.deviation,
        spread.sorted,
        spread.deviation < 1e-9 as is_constant,
        coalesce(tails.tail, 0.025) as tail,
        dimensions.* exclude (protocol, weight_set, scheme, suite_id, configuration_id)
    from points
    -- one to one
    inner join spread using (protocol, weight_set, scheme, suite_id, configuration_id)
    -- one to one
    inner join dimensions using (protocol, weight_set, scheme, suite_id, configuration_id)
    -- many to one or none
    left join seeds.interval_tails as tails using (n_clusters)
),

intervals as (
    select
        *,
        has_interval and value is not null as is_shown,
        case when is_constant then wilson_low(unit_interval(value), n_clusters) else sorted_quantile(sorted, tail) end as low,
        case when is_constant then wilson_high(unit_interval(value), n_clusters) else sorted_quantile(sorted, 1 - tail) end as high
    from measured
),

final as (
    select
        protocol,
        weight_set,
        scheme,
        suite_id,
        configuration_id,
        model_version_id,
        configuration,
        'all' as dataset,
        value,
        n_clusters,
        coverage,
        case when is_shown then case when is_constant then (high - low) / (2 * 1.9599639845400545) else deviation end end as standard_error,
        case when is_shown then low end as ci_low,
        case when is_shown then high end as ci_high,
        case when value is null then 'unscored' when incomplete is not null then 'incomplete' else 'scored' end as status,
        case
            when value is null then coalesce(unscored, 'dimension_missing')
            when incomplete is not null then incomplete
            when not has_interval then 'too_few'
        end as reason
    from intervals
)

select * from final
