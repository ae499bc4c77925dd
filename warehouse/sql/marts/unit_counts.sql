-- How many units were asked and scored, and the most frequent reason of those without a value.
-- grain: one row per protocol, suite, configuration, dataset ('all' pooled) and dimension
-- parts: configuration_id
-- columns:
--   n_clusters [count]: clusters asked
--   n_contributing [count]: clusters that enter the value
--   unit_reason [text]: most frequent reason of units without a value
with

scores as (
    select * from marts.item_scores
),

labelled as (
    select dataset as counted_in, * from scores
    union all
    select 'all' as counted_in, * from scores
),

final as (
    select
        protocol,
        suite_id,
        configuration_id,
        counted_in as dataset,
        dimension,
        sum(n)::bigint as n,
        sum(n_scored)::bigint as n_scored,
        sum(n_not_applicable)::bigint as n_not_applicable,
        count(distinct dataset || chr(31) || cluster) as n_clusters,
        count(distinct dataset || chr(31) || cluster) filter (where denominator > 0) as n_contributing,
        mode(reason order by reason) filter (where reason is not null) as unit_reason
    from labelled
    group by all
)

select * from final
