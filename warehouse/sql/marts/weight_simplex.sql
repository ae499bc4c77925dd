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
        list(scores.dimension order by scores.dimension) as dimensions,
        list(case when estimators.clip_in_quality then unit_interval(scores.value) else scores.value end order by scores.dimension) as profile
    from marts.dimension_scores as scores
    left join seeds.estimators as estimators using (dimension, protocol)
    where scores.dataset = 'all'
    group by all
    having bool_and(scores.status = 'scored')
),

-- a draw's weights in the order of the dimensions, of those alone that the configuration has
draws as (
    select profiles.dimensions, draws.draw, list(draws.weight order by draws.dimension) as weights
    from (select distinct dimensions from scores) as profiles
    -- one to many
    inner join marts.simplex_draws as draws on list_contains(profiles.dimensions, draws.dimension)
    group by all
),

weighed as (
    select
        scores.protocol,
        scores.suite_id,
        scores.configuration_id,
        scores.configuration,
        draws.draw,
        round(list_inner_product(scores.profile, draws.weights), 12) as value
    from scores
    -- many to many: every draw
    inner join draws using (dimensions)
),

best as (
    select protocol, suite_id, draw, max(value) as value
    from weighed
    group by all
),

leaders as (
    select weighed.*, count(*) over (partition by protocol, suite_id, draw) as n_tied
    from weighed
    -- many to one
    semi join best using (protocol, suite_id, draw, value)
),

shares as (
    select protocol, suite_id, configuration_id, sum(1.0 / n_tied) as n_best
    from leaders
    group by all
),

n_draws as (
    select count(distinct draw) as n_draws from marts.simplex_draws
),

final as (
    select
        scores.protocol,
        scores.suite_id,
        scores.configuration_id,
        scores.configuration,
        coalesce(shares.n_best, 0) / n_draws.n_draws as share_best,
        n_draws.n_draws
    from scores
    cross join n_draws
    -- one to one or none
    left join shares using (protocol, suite_id, configuration_id)
)

select * from final
