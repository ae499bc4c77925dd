-- Correctness on GSM8K and on GSM-Symbolic with matched number sizes in every bootstrap replicate. Only classes of magnitude that both datasets have
-- are read; the symbolic classes are weighted as GSM8K's items are spread over them in the replicate. Replicate 0 is the point value.
-- grain: one row per protocol, suite, configuration and replicate
-- parts: configuration_id
-- columns:
--   value_gsm8k [score]: correctness on GSM8K items of the shared classes
--   value_symbolic [score]: correctness on GSM-Symbolic items of the shared classes, weighted to GSM8K's spread over them
--   difference [score]: value_gsm8k minus value_symbolic, rounded to 1e-12
with

sums as (
    select
        protocol,
        suite_id,
        configuration_id,
        dataset,
        magnitude,
        cluster,
        sum(numerator)::double as numerator,
        sum(denominator)::double as denominator
    from marts.contamination_items
    where is_shared
    group by all
),

weights as (
    select suite_id, dataset, replicate, list(weight order by cluster) as weights
    from marts.bootstrap_weights
    where dataset in ('gsm8k', 'gsm_symbolic') and replicate >= 0
    group by all
),

clusters as (
    select suite_id, dataset, cluster from marts.bootstrap_weights where replicate = 0
),

classes as (
    select distinct protocol, suite_id, configuration_id, dataset, magnitude from sums
),

-- a class's sums in the order of all clusters of its dataset, zeros where a cluster has no item of the class
vectors as (
    select
        classes.*,
        list(coalesce(sums.numerator, 0.0) order by clusters.cluster) as numerators,
        list(coalesce(sums.denominator, 0.0) order by clusters.cluster) as denominators
    from classes
    -- one to many: every cluster of the dataset
    inner join clusters using (suite_id, dataset)
    -- one to one or none
    left join sums using (protocol, suite_id, configuration_id, dataset, magnitude, cluster)
    group by all
),

drawn as (
    select
        vectors.* exclude (numerators, denominators),
        weights.replicate,
        list_inner_product(vectors.numerators, weights.weights) as numerator,
        list_inner_product(vectors.denominators, weights.weights) as denominator
    from vectors
    -- many to many: every replicate
    inner join weights using (suite_id, dataset)
),

by_class as (
    select
        published.protocol,
        published.suite_id,
        published.configuration_id,
        published.replicate,
        published.numerator,
        published.denominator,
        published.denominator * symbolic.numerator / symbolic.denominator as expected
    from drawn as published
    -- one to one: the same class and replicate of the other dataset
    inner join drawn as symbolic using (protocol, suite_id, configuration_id, magnitude, replicate)
    where published.dataset = 'gsm8k' and symbolic.dataset = 'gsm_symbolic' and published.denominator > 0 and symbolic.denominator > 0
),

final as (
    select
        protocol,
        suite_id,
        configuration_id,
        replicate,
        sum(numerator) / sum(denominator) as value_gsm8k,
        sum(expected) / sum(denominator) as value_symbolic,
        round((sum(numerator) - sum(expected)) / sum(denominator), 12) as difference
    from by_class
    group by all
)

select * from final
