-- Correctness: is the answer right? paper: the primary run; strict: all K runs of the item.
-- grain: one row per suite, configuration, item, protocol and component
-- parts: configuration_id
-- columns:
--   numerator [count]: paper 1 if the primary run is correct; strict share of the item's runs that are correct
--   denominator [count]: 1 where there is a value
with

answers as (
    select * from staging.stg_unit_answers where operator = 'original'
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
        is_correct::double as numerator,
        case when is_correct is not null then 1.0 end as denominator,
        1 as n,
        count(is_correct) over (partition by suite_id, configuration_id, item_id, run_index) as n_scored,
        case when is_correct is null then status else 'scored' end as status,
        case when is_correct is null then reason end as reason
    from answers
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
        'strict' as protocol,
        avg(is_correct::double) as numerator,
        case when count(is_correct) > 0 then 1.0 end as denominator,
        count(*) as n,
        count(is_correct) as n_scored,
        case when count(is_correct) > 0 then 'scored' else 'error' end as status,
        case when count(is_correct) = 0 then min(reason) end as reason
    from answers
    group by all
),

final as (
    select *, 'observed' as component, 0 as n_not_applicable from paper
    union all by name
    select *, 'observed' as component, 0 as n_not_applicable from strict
)

select * from final
