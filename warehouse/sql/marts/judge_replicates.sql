-- The judge's false alarm and detection rates in each replicate, so that the uncertainty of its calibration is part of the interval.
-- grain: one row per suite and replicate
-- columns:
--   false_alarm [rate]: P(contradiction called | neighbouring gold steps)
--   detection [rate]: P(contradiction called | altered next gold step)
with

rates as (
    select * from staging.stg_judge_rates
),

weights as (
    select keys.cluster, draws.replicate::integer as replicate,
        case when draws.replicate = 0 then 1 else poisson_weight(hash_uniform('calibration' || chr(31) || keys.cluster || chr(31) || draws.replicate)) end as weight
    from (select distinct cluster from rates) as keys
    cross join range(0, replicate_count() + 1) as draws (replicate)
),

final as (
    select
        rates.suite_id,
        weights.replicate,
        ratio(
            (sum(weights.weight * rates.n_contradictions) filter (where rates.role = 'false_alarm'))::double,
            sum(weights.weight * rates.n_pairs) filter (where rates.role = 'false_alarm')
        ) as false_alarm,
        ratio(
            (sum(weights.weight * rates.n_contradictions) filter (where rates.role = 'detection'))::double,
            sum(weights.weight * rates.n_pairs) filter (where rates.role = 'detection')
        ) as detection
    from rates
    -- many to many: every replicate
    inner join weights using (cluster)
    group by rates.suite_id, weights.replicate
)

select * from final
