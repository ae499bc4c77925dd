-- Q_w with standard error and 95 % interval from the shared replicates. A NULL dimension makes it NULL and says which; an incomplete one makes it
-- incomplete.
-- grain: one row per protocol, weight set, scheme, suite and configuration
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

final as (
    select
        points.protocol,
        points.weight_set,
        points.scheme,
        points.suite_id,
        points.configuration_id,
        dimensions.model_version_id,
        dimensions.configuration,
        'all' as dataset,
        points.value,
        dimensions.n_clusters,
        dimensions.coverage,
        case when dimensions.has_interval then spread.deviation end as standard_error,
        case when dimensions.has_interval and points.value is not null then sorted_quantile(spread.sorted, coalesce(tails.tail, 0.025)) end as ci_low,
        case when dimensions.has_interval and points.value is not null then sorted_quantile(spread.sorted, 1 - coalesce(tails.tail, 0.025)) end as ci_high,
        case when points.value is null then 'unscored' when dimensions.incomplete is not null then 'incomplete' else 'scored' end as status,
        case
            when points.value is null then coalesce(dimensions.unscored, 'dimension_missing')
            when dimensions.incomplete is not null then dimensions.incomplete
            when not dimensions.has_interval then 'too_few'
        end as reason
    from points
    inner join spread using (protocol, weight_set, scheme, suite_id, configuration_id)
    inner join dimensions using (protocol, weight_set, scheme, suite_id, configuration_id)
    left join seeds.interval_tails as tails using (n_clusters)
)

select * from final
