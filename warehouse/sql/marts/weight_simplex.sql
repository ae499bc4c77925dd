-- How much of all possible weightings makes each configuration the best: a scheme is an opinion, this is the share of opinions. Ties are shared.
-- grain: one row per protocol, suite and configuration with all dimensions scored
-- columns:
--   share_best [share]: share of the weight simplex in which its Q_w is greatest
--   n_draws [count]: draws looked at
with

scores as (
    select
        scores.protocol,
        scores.suite_id,
        scores.configuration_id,
        scores.configuration,
        scores.dimension,
        case when estimators.clip_in_quality then unit_interval(scores.value) else scores.value end as value
    from marts.dimension_scores as scores
    left join seeds.estimators as estimators using (dimension, protocol)
    where scores.dataset = 'all'
    qualify bool_and(scores.status = 'scored') over (partition by scores.protocol, scores.suite_id, scores.configuration_id)
),

weighed as (
    select protocol, suite_id, configuration_id, configuration, draw, round(sum(weight * value), 12) as value
    from scores
    -- many to many: every draw
    inner join marts.simplex_draws using (dimension)
    group by all
),

placed as (
    select
        *,
        rank() over (partition by protocol, suite_id, draw order by value desc) as place,
        count(*) over (partition by protocol, suite_id, draw, value) as n_tied
    from weighed
),

final as (
    select
        protocol,
        suite_id,
        configuration_id,
        configuration,
        sum(case when place = 1 then 1.0 / n_tied else 0 end) / count(*) as share_best,
        count(*) as n_draws
    from placed
    group by all
)

select * from final
