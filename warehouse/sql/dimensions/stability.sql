-- Stability: does the model reason alike again? Mean pairwise BERTScore F1 of an item's traces. strict takes out what unrelated traces of the same
-- configuration and dataset score: (within - null) / (1 - null), null from the 200 smallest draws; fewer than 30 pairs give no null.
-- grain: one row per suite, configuration, item, protocol and component
-- parts: configuration_id
-- columns:
--   component [text]: observed (within the item), baseline (null pairs; its numerator carries the first-order influence of a two-sample statistic)
--   numerator [BERTScore]: mean F1 of the item's pairs; baseline: summed F1 of its null pairs, halved
--   denominator [count]: 1 where there is a value; baseline: null pairs it takes part in, halved
with

units as (
    select * from staging.stg_units where operator = 'original'
),

active as (
    select suite_id, scorer from staging.stg_active_scorers where stage = 'trace_pairs'
),

wanted as (
    select
        first.suite_id,
        first.configuration_id,
        first.item_id,
        first.dataset,
        first.cluster,
        first.stratum,
        least(first.generation_id, second.generation_id) as generation_id_a,
        greatest(first.generation_id, second.generation_id) as generation_id_b,
        is_error(first.generation_status) or is_error(second.generation_status) as is_failed,
        coalesce(first.generation_reason, second.generation_reason) as failure
    from units as first
    -- one to many: each unordered pair of an item's runs once
    inner join units as second
        on first.suite_id = second.suite_id
        and first.configuration_id = second.configuration_id
        and first.item_id = second.item_id
        and first.run_index < second.run_index
),

pairs as (
    select
        wanted.*,
        case
            when is_failed then coalesce(failure, 'provider_error')
            when stored.status is null then 'not_scored'
            when stored.f1 is null then coalesce(stored.reason, stored.status)
        end as reason,
        is_failed or stored.status is null or is_error(stored.status) as is_missing,
        stored.f1
    from wanted
    left join active using (suite_id)
    left join staging.stg_trace_pairs as stored
        on wanted.generation_id_a = stored.generation_id_a
        and wanted.generation_id_b = stored.generation_id_b
        and active.scorer = stored.scorer
        and stored.kind = 'within'
),

items as (
    select
        units.suite_id,
        units.configuration_id,
        units.item_id,
        units.dataset,
        units.cluster,
        units.stratum,
        max(scores.f1) as f1,
        max(scores.reason) as reason,
        coalesce(bool_or(scores.is_missing), false) as is_missing,
        count(distinct units.run_index) as n_runs
    from units
    left join (
        select
            suite_id,
            configuration_id,
            item_id,
            -- in a fixed order, so that a rebuild gives the same last digit
            avg(f1 order by f1) filter (where not is_failed) as f1,
            coalesce(min(reason) filter (where is_missing), min(reason)) as reason,
            bool_or(is_missing) as is_missing
        from pairs
        group by all
    ) as scores using (suite_id, configuration_id, item_id)
    group by all
),

observed as (
    select
        * exclude (f1, is_missing, n_runs, reason),
        'observed' as component,
        f1 as numerator,
        case when f1 is not null then 1.0 end as denominator,
        1 as n,
        case when f1 is not null then 'scored' when is_missing then 'error' else 'not_applicable' end as status,
        case when f1 is null then case when n_runs < 2 then 'single_run' else reason end end as reason
    from items
),

null_pairs as (
    select
        first.suite_id,
        first.configuration_id,
        first.dataset,
        stored.generation_id_a,
        stored.generation_id_b,
        stored.f1
    from staging.stg_trace_pairs as stored
    inner join units as first on stored.generation_id_a = first.generation_id
    inner join units as second
        on stored.generation_id_b = second.generation_id
        and first.suite_id = second.suite_id
        and first.configuration_id = second.configuration_id
        and first.dataset = second.dataset
    inner join active on first.suite_id = active.suite_id and stored.scorer = active.scorer
    where stored.kind = 'null' and stored.f1 is not null and first.item_id <> second.item_id
    qualify row_number() over (
        partition by first.suite_id, first.configuration_id, first.dataset
        order by stored.draw nulls last, stored.generation_id_a, stored.generation_id_b
    ) <= 200
),

halves as (
    select *, avg(f1) over of_dataset as mean_f1, count(*) over of_dataset as n_null, unnest([generation_id_a, generation_id_b]) as generation_id
    from null_pairs
    window of_dataset as (partition by suite_id, configuration_id, dataset)
),

baseline as (
    select
        units.suite_id,
        units.configuration_id,
        units.item_id,
        units.dataset,
        units.cluster,
        units.stratum,
        'baseline' as component,
        sum(2 * halves.f1 - halves.mean_f1) / 2 as numerator,
        count(*) / 2 as denominator,
        0 as n,
        'scored' as status
    from halves
    inner join units using (suite_id, configuration_id, generation_id)
    where halves.n_null >= 30
    group by units.suite_id, units.configuration_id, units.item_id, units.dataset, units.cluster, units.stratum
),

components as (
    select *, unnest(['paper', 'strict']) as protocol from observed
    union all by name
    select *, 'strict' as protocol from baseline
),

final as (
    select
        *,
        n * (status = 'scored')::bigint as n_scored,
        n * (status = 'not_applicable')::bigint as n_not_applicable
    from components
)

select * from final
