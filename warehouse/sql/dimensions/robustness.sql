-- Robustness: does a correct answer survive a rewording? paper: correct perturbed runs / applied perturbed runs of items whose primary run is
-- correct, averaged over those items. strict: that retention, every run serving as primary in turn, relative to retention on a mere rerun.
-- grain: one row per suite, configuration, item, protocol and component
-- parts: configuration_id
-- columns:
--   component [text]: observed (perturbed runs), baseline (reruns)
--   numerator [share]: paper correct share; strict correct run x perturbed (or other) run pairs that are both correct
--   denominator [count]: paper 1; strict pairs whose first run is correct
with

runs as (
    select
        suite_id,
        configuration_id,
        item_id,
        dataset,
        cluster,
        stratum,
        count(is_correct) as n_runs,
        count(*) filter (where is_correct) as n_correct,
        bool_or(is_correct) filter (where run_index = 0) as primary_correct,
        min(reason) filter (where is_correct is null) as error_reason
    from staging.stg_unit_answers
    where operator = 'original'
    group by all
),

perturbed as (
    select
        suite_id,
        configuration_id,
        item_id,
        count(is_correct) as n_perturbed,
        count(*) filter (where is_correct) as n_perturbed_correct,
        count(*) filter (where is_error(status)) as n_errors,
        min(reason) filter (where is_error(status)) as error_reason,
        min(reason) filter (where status = 'not_applicable') as gate_reason
    from staging.stg_unit_perturbations
    group by all
),

items as (
    select
        runs.* exclude (error_reason),
        coalesce(perturbed.n_perturbed, 0) as n_perturbed,
        coalesce(perturbed.n_perturbed_correct, 0) as n_perturbed_correct,
        coalesce(perturbed.n_errors, 0) as n_errors,
        coalesce(perturbed.error_reason, runs.error_reason) as error_reason,
        coalesce(perturbed.gate_reason, 'no_operator') as gate_reason
    from runs
    left join perturbed using (suite_id, configuration_id, item_id)
),

paper as (
    select
        *,
        case
            when primary_correct is null then error_reason
            when not primary_correct then 'primary_incorrect'
            when n_perturbed = 0 and n_errors > 0 then error_reason
            when n_perturbed = 0 then gate_reason
        end as reason,
        case
            when primary_correct is null or (primary_correct and n_perturbed = 0 and n_errors > 0) then 'error'
            when not primary_correct or n_perturbed = 0 then 'not_applicable'
            else 'scored'
        end as status
    from items
),

strict as (
    select
        *,
        case
            when n_runs = 0 then error_reason
            when n_correct = 0 then 'no_run_correct'
            when n_perturbed = 0 and n_errors > 0 then error_reason
            when n_perturbed = 0 then gate_reason
            when n_runs < 2 then 'single_run'
        end as reason,
        case
            when n_runs = 0 or (n_correct > 0 and n_perturbed = 0 and n_errors > 0) then 'error'
            when n_correct = 0 or n_perturbed = 0 or n_runs < 2 then 'not_applicable'
            else 'scored'
        end as status
    from items
),

observed as (
    select *, 'paper' as protocol, 'observed' as component, n_perturbed_correct / n_perturbed as numerator, 1.0 as denominator, 1 as n from paper
    union all by name
    select *, 'strict' as protocol, 'observed' as component, n_correct * n_perturbed_correct as numerator, n_correct * n_perturbed as denominator, 1 as n from strict
    union all by name
    select *, 'strict' as protocol, 'baseline' as component, n_correct * (n_correct - 1) as numerator, n_correct * (n_runs - 1) as denominator, 0 as n from strict
),

final as (
    select
        suite_id,
        configuration_id,
        item_id,
        dataset,
        cluster,
        stratum,
        protocol,
        component,
        case when status = 'scored' then numerator::double end as numerator,
        case when status = 'scored' then denominator::double end as denominator,
        n,
        n * (status = 'scored')::bigint as n_scored,
        n * (status = 'not_applicable')::bigint as n_not_applicable,
        status,
        reason
    from observed
)

select * from final
