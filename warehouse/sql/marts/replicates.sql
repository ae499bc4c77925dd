-- Scores of every dimension in every bootstrap replicate: the one table behind all intervals, ranks and inversions. Functionals are recomputed in
-- each replicate from summed numerators and denominators. Replicate 0 is the point value, negative ones are split halves. Values are rounded to
-- 1e-12, so that summation order never breaks a tie.
-- grain: one row per protocol, suite, configuration, dataset ('all' pooled), dimension and replicate
-- parts: configuration_id
-- columns:
--   observed [share]: the observed component
--   baseline [share]: chance, null or rerun component; NULL where the form has none
--   equations [rate]: false equation rate; NULL where no equation was decided
--   false_alarm [rate]: the judge's false alarm rate
--   detection [rate]: the judge's detection rate
--   reason [text]: why the estimator has no value although something was observed
with

-- one vector of weights per replicate and one vector of sums per score, both in the order of the clusters: their inner product is the weighted sum
weights as (
    select suite_id, dataset, replicate, list(weight order by cluster) as weights
    from marts.bootstrap_weights
    group by all
),

vectors as (
    select
        protocol,
        suite_id,
        configuration_id,
        dataset,
        dimension,
        component,
        list(numerator order by cluster) as numerators,
        list(denominator order by cluster) as denominators
    from marts.cluster_sums
    group by all
),

sums as (
    select
        vectors.protocol,
        vectors.suite_id,
        vectors.configuration_id,
        vectors.dataset,
        vectors.dimension,
        vectors.component,
        weights.replicate,
        list_inner_product(vectors.numerators, weights.weights) as numerator,
        list_inner_product(vectors.denominators, weights.weights) as denominator
    from vectors
    -- many to many: every replicate
    inner join weights using (suite_id, dataset)
),

-- the paper pools items over datasets
pooled as (
    select * from sums
    union all by name
    select
        protocol,
        suite_id,
        configuration_id,
        'all' as dataset,
        dimension,
        component,
        replicate,
        sum(numerator) as numerator,
        sum(denominator) as denominator
    from sums
    where protocol = 'paper'
    group by all
),

components as (
    select
        protocol,
        suite_id,
        configuration_id,
        dataset,
        dimension,
        replicate,
        max(ratio(numerator, denominator)) filter (where component = 'observed') as observed,
        max(ratio(numerator, denominator)) filter (where component = 'baseline') as baseline,
        max(ratio(numerator, denominator)) filter (where component = 'equations') as equations
    from pooled
    group by all
),

estimated as (
    select
        components.*,
        judge.false_alarm,
        judge.detection,
        coalesce(estimators.form, 'ratio') as form,
        -- why the point value cannot be given although something was observed
        case
            when observed is null then null
            when form = 'chance_corrected' and baseline is null then estimators.no_baseline_reason
            when form = 'chance_corrected' and baseline > estimators.baseline_limit then estimators.limit_reason
            when form = 'retention' and coalesce(baseline, 0) = 0 then estimators.no_baseline_reason
            when form = 'judged' and (judge.false_alarm is null or judge.detection is null) then 'judge_uncalibrated'
            when form = 'judged' and judge.detection - judge.false_alarm < 0.2 then 'judge_uninformative'
        end as finding
    from components
    -- many to one or none
    left join seeds.estimators as estimators using (dimension, protocol)
    left join marts.judge_replicates as judge on components.suite_id = judge.suite_id and greatest(components.replicate, 0) = judge.replicate
),

admitted as (
    select
        *,
        first_value(finding) over (
            partition by protocol, suite_id, configuration_id, dataset, dimension
            order by replicate <> 0
        ) as reason
    from estimated
),

per_dataset as (
    select
        * exclude (form, finding),
        case when reason is null then round(estimate(form, observed, baseline, equations, false_alarm, detection), 12) end as value
    from admitted
),

-- strict: the equal-weight mean of the datasets, NULL if one is NULL
averaged as (
    select
        protocol,
        suite_id,
        configuration_id,
        'all' as dataset,
        dimension,
        replicate,
        avg(observed) as observed,
        avg(baseline) as baseline,
        avg(equations) as equations,
        avg(false_alarm) as false_alarm,
        avg(detection) as detection,
        case when count(value) = count(*) then round(avg(value), 12) end as value
    from per_dataset
    where protocol = 'strict'
    group by all
),

final as (
    select * from per_dataset
    union all by name
    select * from averaged
)

select * from final
