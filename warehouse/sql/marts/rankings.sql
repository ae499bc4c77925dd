-- Configurations of a suite in order of Q_w, with how sure the order is. NULL and incomplete ones are listed unranked with the reason; ties share the
-- mean rank.
-- grain: one row per protocol, weight set, scheme, suite and configuration
-- columns:
--   rank [rank]: 1 is best; halves are ties; NULL where unranked
--   n_ranked [count]: configurations ranked
--   expected_rank [rank]: mean rank over replicates
--   rank_low [rank]: 2.5 % quantile of the rank over replicates
--   rank_high [rank]: 97.5 % quantile of the rank over replicates
--   p_best [probability]: share of replicates in which it is best, ties shared
with

scores as (
    select * from marts.quality_scores
),

ranked as (
    select
        protocol,
        weight_set,
        scheme,
        suite_id,
        configuration_id,
        rank() over of_scheme + (count(*) over (partition by protocol, weight_set, scheme, suite_id, value) - 1) / 2 as rank,
        count(*) over (partition by protocol, weight_set, scheme, suite_id) as n_ranked
    from scores
    where status = 'scored'
    window of_scheme as (partition by protocol, weight_set, scheme, suite_id order by value desc)
),

cumulated as (
    select
        *,
        sum(probability) over (
            partition by protocol, weight_set, scheme, suite_id, configuration_id
            order by rank
        ) as up_to
    from marts.rank_distribution
),

sureness as (
    select
        protocol,
        weight_set,
        scheme,
        suite_id,
        configuration_id,
        sum(rank * probability) as expected_rank,
        min(rank) filter (where up_to >= 0.025) as rank_low,
        min(rank) filter (where up_to >= 0.975) as rank_high,
        sum(n_best) / sum(n_replicates) as p_best
    from cumulated
    group by all
),

final as (
    select
        scores.protocol,
        scores.weight_set,
        scores.scheme,
        scores.suite_id,
        scores.configuration_id,
        scores.model_version_id,
        scores.configuration,
        scores.value,
        scores.ci_low,
        scores.ci_high,
        ranked.rank,
        ranked.n_ranked,
        sureness.expected_rank,
        sureness.rank_low,
        sureness.rank_high,
        sureness.p_best,
        case when ranked.rank is null then 'unranked' else 'ranked' end as status,
        case when ranked.rank is null then scores.reason end as reason
    from scores
    left join ranked using (protocol, weight_set, scheme, suite_id, configuration_id)
    left join sureness using (protocol, weight_set, scheme, suite_id, configuration_id)
)

select * from final
