-- Would another sample of items order the configurations alike? Scores of random halves of the items correlated over configuration x dataset observations,
-- 100 seeded splits, stepped up by Spearman and Brown, averaged.
-- grain: one row per protocol, suite and dimension
-- columns:
--   n [count]: configuration x dataset observations with both halves
--   n_splits [count]: splits with a defined correlation
--   reliability [correlation]: mean Spearman-Brown coefficient over splits
--   half_correlation [correlation]: mean correlation of the halves
with

halves as (
    select
        protocol,
        suite_id,
        configuration_id,
        dataset,
        dimension,
        (1 - replicate) // 2 as split,
        max(value) filter (where replicate % 2 = 0) as a,
        max(value) filter (where replicate % 2 <> 0) as b
    from marts.replicates
    -- observations of the panel
    semi join marts.panel using (protocol, suite_id, configuration_id, dataset, dimension)
    where replicate < 0 and dataset <> 'all'
    group by all
    having a is not null and b is not null
),

centred as (
    select *, a - avg(a) over of_split as da, b - avg(b) over of_split as db
    from halves
    window of_split as (partition by protocol, suite_id, dimension, split)
),

splits as (
    select
        protocol,
        suite_id,
        dimension,
        split,
        count(*) as n,
        case when count(*) >= 4 then correlation(count(*), sum(da), sum(db), sum(da * da), sum(db * db), sum(da * db)) end as r
    from centred
    group by all
),

measured as (
    select
        protocol,
        suite_id,
        dimension,
        max(n) as n,
        count(r) as n_splits,
        avg(r) as half_correlation,
        avg(case when r > -0.999999 then 2 * r / (1 + r) end) as reliability
    from splits
    group by all
),

final as (
    select
        dimensions.protocol,
        dimensions.suite_id,
        dimensions.dimension,
        coalesce(measured.n, 0) as n,
        coalesce(measured.n_splits, 0) as n_splits,
        measured.half_correlation,
        measured.reliability,
        case
            when measured.reliability is not null then null
            when coalesce(measured.n, 0) < 4 then 'n_below_4'
            else 'constant_column'
        end as reason
    from (select distinct protocol, suite_id, dimension from marts.unit_counts) as dimensions
    left join measured using (protocol, suite_id, dimension)
)

select * from final
