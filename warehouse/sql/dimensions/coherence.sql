-- Local logical coherence: does a step contradict the one before? paper: 1 - contradicting steps / (n - 1) of the primary run's trace, 1 for a single
-- step by the paper's convention. strict: traces of two or more steps of all runs; the judge's contradiction rate (corrected for its own errors
-- at the aggregate) and the exact check of the equations written.
-- grain: one row per suite, configuration, item, protocol and component
-- parts: configuration_id
-- columns:
--   component [text]: observed (paper coherence; strict contradiction rate), equations (false equation rate)
--   numerator [count]: paper coherence of the trace; strict contradicting pairs, or false equations
--   denominator [count]: paper 1; strict judged pairs, or decided equations
with

traces as (
    select * from staging.stg_unit_traces
),

paper as (
    select
        suite_id,
        configuration_id,
        item_id,
        dataset,
        cluster,
        stratum,
        'paper' as protocol,
        'observed' as component,
        case when status = 'scored' then case when n_steps = 1 then 1.0 else 1 - ratio(n_contradictions, n_pairs) end end as numerator,
        case when status = 'scored' and (n_steps = 1 or n_pairs > 0) then 1.0 end as denominator,
        1 as n,
        (denominator is not null)::bigint as n_scored,
        (denominator is null and status <> 'error')::bigint as n_not_applicable,
        case when status = 'scored' and denominator is null then 'not_applicable' else status end as status,
        case when status = 'scored' and denominator is null then 'nothing_judged' else reason end as reason
    from traces
    where run_index = 0
),

strict as (
    select
        suite_id,
        configuration_id,
        item_id,
        dataset,
        cluster,
        stratum,
        sum(n_contradictions) filter (where is_read)::double as n_contradictions,
        sum(n_pairs) filter (where is_read)::double as n_pairs,
        sum(n_false) filter (where is_read)::double as n_false,
        sum(n_false + n_true) filter (where is_read)::double as n_equations,
        count(*) as n,
        count(*) filter (where is_read) as n_scored,
        count(*) filter (where not is_read and status <> 'error') as n_not_applicable,
        case
            when count(*) filter (where is_read) > 0 then 'scored'
            when bool_or(status = 'error') then 'error'
            else 'not_applicable'
        end as status,
        case when count(*) filter (where is_read) = 0 then coalesce(min(reason) filter (where status = 'error'), min(reason), 'single_step') end as reason
    from (select *, status = 'scored' and n_steps > 1 and n_pairs > 0 as is_read from traces)
    group by all
),

final as (
    select * from paper
    union all by name
    select
        * exclude (n_contradictions, n_pairs, n_false, n_equations),
        'strict' as protocol,
        'observed' as component,
        n_contradictions as numerator,
        n_pairs as denominator
    from strict
    union all by name
    select
        * exclude (n_contradictions, n_pairs, n_false, n_equations, n, n_scored, n_not_applicable),
        'strict' as protocol,
        'equations' as component,
        n_false as numerator,
        n_equations as denominator,
        0 as n,
        0 as n_scored,
        0 as n_not_applicable
    from strict
)

select * from final
