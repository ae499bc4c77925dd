-- Numerators and denominators of each component summed over the items of a cluster: what the bootstrap weighs. Clusters in which nothing was measured
-- are there with zeros, so that every component has a row for every cluster of its suite and dataset.
-- grain: one row per protocol, suite, configuration, dataset, dimension, component and cluster
-- parts: configuration_id
with

components as (
    select * from dimensions.components
),

summed as (
    select
        protocol,
        suite_id,
        configuration_id,
        dataset,
        dimension,
        component,
        cluster,
        sum(numerator order by item_id)::double as numerator,
        sum(denominator order by item_id)::double as denominator
    from components
    group by all
),

clusters as (
    select distinct suite_id, dataset, cluster from staging.stg_suite_items
),

scores as (
    select distinct protocol, suite_id, configuration_id, dataset, dimension, component from components
),

final as (
    select
        scores.protocol,
        scores.suite_id,
        scores.configuration_id,
        scores.dataset,
        scores.dimension,
        scores.component,
        clusters.cluster,
        coalesce(summed.numerator, 0.0) as numerator,
        coalesce(summed.denominator, 0.0) as denominator
    from scores
    -- one to many: every cluster of the dataset
    inner join clusters using (suite_id, dataset)
    -- one to one or none
    left join summed using (protocol, suite_id, configuration_id, dataset, dimension, component, cluster)
)

select * from final
