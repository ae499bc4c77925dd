-- Q_w of every scheme in every bootstrap replicate; replicate 0 is the point value. A dimension with weight 0 is not needed; strict robustness is
-- clipped to [0, 1] here and nowhere else.
-- grain: one row per protocol, weight set, scheme, suite, configuration and replicate
-- parts: configuration_id
-- columns:
--   value [score]: Q_w; NULL where a weighted dimension is NULL
with

replicates as (
    select
        replicates.protocol,
        replicates.suite_id,
        replicates.configuration_id,
        replicates.dimension,
        replicates.replicate,
        case when estimators.clip_in_quality then unit_interval(replicates.value) else replicates.value end as value
    from marts.replicates as replicates
    left join seeds.estimators as estimators using (dimension, protocol)
    where replicates.dataset = 'all' and replicates.replicate >= 0
),

schemes as (
    select *, count(*) over (partition by weight_set, scheme) as n_weighted
    from staging.stg_schemes
    where weight > 0
),

final as (
    select
        replicates.protocol,
        schemes.weight_set,
        schemes.scheme,
        replicates.suite_id,
        replicates.configuration_id,
        replicates.replicate,
        case when count(replicates.value) = any_value(schemes.n_weighted) then round(sum(schemes.weight * replicates.value), 12) end as value
    from replicates
    -- many to many: every scheme weighs the dimension
    inner join schemes using (dimension)
    group by all
)

select * from final
