-- What each rewording operator could be used for, and how answers survive it. The worst operator is the one with the least retention.
-- grain: one row per suite, configuration, dataset ('all' pooled) and operator
-- parts: configuration_id
-- columns:
--   n_items [count]: items of the suite
--   n_applied [count]: items with a rewording that passed the gate
--   n_rejected [count]: items whose rewording the gate refused
--   n_unavailable [count]: items the operator has no rule for
--   perturbation_coverage [share]: n_applied / n_items
--   main_reason [text]: most frequent reason of the others
--   n_pairs [count]: correct unperturbed run x perturbed run pairs behind the retention
--   retention [share]: P(perturbed run correct | an unperturbed run correct), every run serving as primary in turn
--   is_worst [boolean]: least retention of the operators of this configuration and dataset
with

perturbations as (
    select *, unnest([dataset, 'all']) as counted_in from staging.stg_unit_perturbations
),

runs as (
    select suite_id, configuration_id, item_id, count(*) filter (where is_correct) as n_correct
    from staging.stg_unit_answers
    where operator = 'original'
    group by all
),

counted as (
    select
        perturbations.suite_id,
        perturbations.configuration_id,
        perturbations.counted_in as dataset,
        perturbations.operator,
        count(*) as n_items,
        count(*) filter (where perturbations.status <> 'not_applicable' or perturbations.reason = 'not_asked') as n_applied,
        count(*) filter (where starts_with(perturbations.reason, 'rejected')) as n_rejected,
        count(*) filter (where starts_with(perturbations.reason, 'unavailable')) as n_unavailable,
        mode(perturbations.reason order by perturbations.reason) filter (where perturbations.status = 'not_applicable') as main_reason,
        sum(runs.n_correct) filter (where perturbations.is_correct is not null) as n_pairs,
        sum(runs.n_correct) filter (where perturbations.is_correct) as n_retained
    from perturbations
    -- many to one
    left join runs using (suite_id, configuration_id, item_id)
    group by all
),

rates as (
    select
        * exclude (n_pairs, n_retained),
        n_applied / n_items as perturbation_coverage,
        coalesce(n_pairs, 0)::bigint as n_pairs,
        ratio(coalesce(n_retained, 0)::double, n_pairs) as retention
    from counted
),

final as (
    select *, retention = min(retention) over (partition by suite_id, configuration_id, dataset) as is_worst
    from rates
)

select * from final
