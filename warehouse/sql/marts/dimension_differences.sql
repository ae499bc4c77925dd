-- Differences of two configurations (of marts.compared_configurations) in every dimension, paired: both read the same bootstrap weights.
-- grain: one row per protocol, suite, ordered pair of configurations, dataset ('all' pooled) and dimension
-- columns:
--   configuration_id_a [digest]: first configuration, the baseline
--   configuration_id_b [digest]: second configuration, the candidate
--   value_a [score]: score of the first
--   value_b [score]: score of the second
--   difference [score]: second minus first
--   ci90_low [score]: lower end of the 90 % interval
--   ci90_high [score]: upper end of the 90 % interval
--   p_bootstrap [probability]: two-sided bootstrap p of no difference
--   minimal_detectable [score]: difference that this evidence would find with 80 % power at 5 %
with

replicates as (
    select replicates.*
    from marts.replicates as replicates
    semi join marts.compared_configurations using (suite_id, configuration_id)
    where replicates.replicate >= 0 and replicates.value is not null
),

differences as (
    select
        first.protocol,
        first.suite_id,
        first.configuration_id as configuration_id_a,
        second.configuration_id as configuration_id_b,
        first.dataset,
        first.dimension,
        first.replicate,
        first.value as value_a,
        second.value as value_b,
        second.value - first.value as difference
    from replicates as first
    -- many to many: each later-named configuration in the same replicate
    inner join replicates as second
        on first.protocol = second.protocol
        and first.suite_id = second.suite_id
        and first.dataset = second.dataset
        and first.dimension = second.dimension
        and first.replicate = second.replicate
        and first.configuration_id < second.configuration_id
),

lists as (
    select
        protocol,
        suite_id,
        configuration_id_a,
        configuration_id_b,
        dataset,
        dimension,
        any_value(value_a) filter (where replicate = 0) as value_a,
        any_value(value_b) filter (where replicate = 0) as value_b,
        any_value(difference) filter (where replicate = 0) as difference,
        stddev_samp(difference) filter (where replicate > 0) as deviation,
        list_sort(list(round(difference, 12)) filter (where replicate > 0)) as sorted,
        count(*) filter (where replicate > 0 and difference > -1e-12) as n_up,
        count(*) filter (where replicate > 0 and difference < 1e-12) as n_down
    from differences
    group by all
),

counts as (
    select protocol, suite_id, dataset, dimension, configuration_id, n_clusters, n_contributing from marts.unit_counts
),

halves as (
    select
        lists.* exclude (deviation, sorted, n_up, n_down),
        least(first.n_clusters, second.n_clusters) as n_clusters,
        coalesce(tails.tail, 0.025) as tail,
        case when least(first.n_clusters, second.n_clusters) >= 10 and 2 * len(sorted) > replicate_count() then sorted end as sorted,
        case when sorted is not null then deviation end as standard_error,
        case when sorted is not null then least(1.0, 2 * (1 + least(n_up, n_down)) / (1.0 + len(sorted))) end as p_bootstrap
    from lists
    inner join counts as first
        on lists.protocol = first.protocol and lists.suite_id = first.suite_id and lists.dataset = first.dataset
        and lists.dimension = first.dimension and lists.configuration_id_a = first.configuration_id
    inner join counts as second
        on lists.protocol = second.protocol and lists.suite_id = second.suite_id and lists.dataset = second.dataset
        and lists.dimension = second.dimension and lists.configuration_id_b = second.configuration_id
    left join seeds.interval_tails as tails on least(first.n_contributing, second.n_contributing) = tails.n_clusters
    where lists.difference is not null
),

upper as (
    select
        * exclude (sorted, tail),
        sorted_quantile(sorted, tail) as ci_low,
        sorted_quantile(sorted, 1 - tail) as ci_high,
        sorted_quantile(sorted, 2 * tail) as ci90_low,
        sorted_quantile(sorted, 1 - 2 * tail) as ci90_high,
        2.8015852 * standard_error as minimal_detectable
    from halves
),

final as (
    select * from upper
    union all by name
    select
        * replace (
            configuration_id_b as configuration_id_a,
            configuration_id_a as configuration_id_b,
            value_b as value_a,
            value_a as value_b,
            -difference as difference,
            -ci_high as ci_low,
            -ci_low as ci_high,
            -ci90_high as ci90_low,
            -ci90_low as ci90_high
        )
    from upper
)

select * from final
