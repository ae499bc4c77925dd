-- Rank of each ranked configuration in every replicate, counted. Ties count one half.
-- grain: one row per protocol, weight set, scheme, suite, configuration and rank
-- columns:
--   rank [rank]: 1 is best; halves are ties
--   probability [probability]: share of replicates with this rank
with

ranked as (
    select
        protocol,
        weight_set,
        scheme,
        suite_id,
        configuration_id,
        count(*) over (partition by protocol, weight_set, scheme, suite_id) as n_ranked
    from marts.quality_scores
    where status = 'scored'
),

replicates as (
    select * from marts.quality_replicates where replicate > 0 and value is not null
),

places as (
    select
        replicates.*,
        rank() over (partition by protocol, weight_set, scheme, suite_id, replicate order by value desc) as best_place,
        count(*) over (partition by protocol, weight_set, scheme, suite_id, replicate, value) as n_tied
    from replicates
    inner join ranked using (protocol, weight_set, scheme, suite_id, configuration_id)
    -- a replicate in which one of the ranked has no value ranks nobody: the others would win it by default
    qualify count(*) over (partition by protocol, weight_set, scheme, suite_id, replicate) = ranked.n_ranked
),

counted as (
    select
        protocol,
        weight_set,
        scheme,
        suite_id,
        configuration_id,
        best_place + (n_tied - 1) / 2 as rank,
        count(*) as n_replicates,
        sum(case when best_place = 1 then 1 / n_tied else 0 end) as n_best
    from places
    group by all
),

final as (
    select
        *,
        n_replicates / sum(n_replicates) over (partition by protocol, weight_set, scheme, suite_id, configuration_id) as probability
    from counted
)

select * from final
