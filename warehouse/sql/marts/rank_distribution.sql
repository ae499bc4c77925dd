-- Rank of each ranked configuration in every replicate, counted. Ties count one half.
-- grain: one row per protocol, weight set, scheme, suite, configuration and rank
-- columns:
--   rank [rank]: 1 is best; halves are ties
--   probability [probability]: share of replicates with this rank
with

-- numbers stand for names: millions of replicates are sorted
ranked as (
    select
        protocol,
        weight_set,
        scheme,
        suite_id,
        configuration_id,
        dense_rank() over (order by protocol, weight_set, scheme, suite_id)::integer as ranking,
        row_number() over (order by protocol, weight_set, scheme, suite_id, configuration_id)::integer as place,
        count(*) over (partition by protocol, weight_set, scheme, suite_id) as n_ranked
    from marts.quality_scores
    where status = 'scored'
),

replicates as (
    select ranked.ranking, ranked.place, ranked.n_ranked, quality.replicate, quality.value
    from marts.quality_replicates as quality
    inner join ranked using (protocol, weight_set, scheme, suite_id, configuration_id)
    where quality.replicate > 0 and quality.value is not null
),

places as (
    select
        place,
        rank() over in_replicate as best_place,
        count(*) over (in_replicate range between current row and current row) as n_tied
    from replicates
    window in_replicate as (partition by ranking, replicate order by value desc)
    -- a replicate in which one of the ranked has no value ranks nobody: the others would win it by default
    qualify count(*) over (in_replicate rows between unbounded preceding and unbounded following) = n_ranked
),

counted as (
    select
        place,
        best_place + (n_tied - 1) / 2 as rank,
        count(*) as n_replicates,
        sum(case when best_place = 1 then 1 / n_tied else 0 end) as n_best
    from places
    group by all
),

final as (
    select
        ranked.protocol,
        ranked.weight_set,
        ranked.scheme,
        ranked.suite_id,
        ranked.configuration_id,
        counted.rank,
        counted.n_replicates,
        counted.n_best,
        counted.n_replicates / sum(counted.n_replicates) over (partition by counted.place) as probability
    from counted
    -- many to one
    inner join ranked using (place)
)

select * from final
