-- Consistency: does the model give the same answer again? Pairwise agreement of the canonical answers of an item's runs; a run without an answer
-- agrees with nothing, an error is left out. strict subtracts chance: the agreement of runs of different items of the same dataset and answer type.
-- grain: one row per suite, configuration, item, protocol and component
-- parts: configuration_id
-- columns:
--   component [text]: observed (agreement), baseline (chance; its numerator carries the first-order influence of a two-sample statistic)
--   numerator [share]: agreeing pairs / pairs
--   denominator [count]: 1 where there is a value
with

runs as (
    select * from staging.stg_unit_answers where operator = 'original'
),

items as (
    select
        suite_id,
        configuration_id,
        item_id,
        dataset,
        cluster,
        stratum,
        answer_type,
        count(*) as n_runs,
        count(is_correct) as n_valid,
        min(reason) filter (where is_correct is null) as error_reason
    from runs
    group by all
),

votes as (
    select suite_id, configuration_id, dataset, answer_type, item_id, answer, count(*) as n_votes
    from runs
    where answer is not null
    group by all
),

agreeing as (
    select suite_id, configuration_id, item_id, sum(n_votes * (n_votes - 1) / 2) as n_agreeing
    from votes
    group by all
),

-- runs of other items with the same answer, summed over an item's runs
elsewhere as (
    select
        suite_id,
        configuration_id,
        item_id,
        sum(n_votes * (n_votes_everywhere - n_votes)) as n_agreeing
    from (
        select *, sum(n_votes) over (partition by suite_id, configuration_id, dataset, answer_type, answer) as n_votes_everywhere
        from votes
    )
    group by all
),

rates as (
    select
        items.*,
        case when n_valid >= 2 then coalesce(agreeing.n_agreeing, 0) / (n_valid * (n_valid - 1) / 2) end as agreement,
        ratio(coalesce(elsewhere.n_agreeing, 0)::double, n_valid * (sum(n_valid) over same_kind - n_valid)) as chance
    from items
    left join agreeing using (suite_id, configuration_id, item_id)
    left join elsewhere using (suite_id, configuration_id, item_id)
    window same_kind as (partition by suite_id, configuration_id, dataset, answer_type)
),

told as (
    select
        * exclude (n_runs, n_valid, answer_type, error_reason),
        avg(chance) over (partition by suite_id, configuration_id, dataset, answer_type) as mean_chance,
        case when agreement is not null then 'scored' when n_runs < 2 then 'not_applicable' else 'error' end as status,
        case when agreement is null then case when n_runs < 2 then 'single_run' else error_reason end end as reason
    from rates
),

observed as (
    select
        * exclude (agreement, chance, mean_chance),
        'observed' as component,
        agreement as numerator,
        case when agreement is not null then 1.0 end as denominator,
        1 as n,
        (status = 'scored')::bigint as n_scored,
        (status = 'not_applicable')::bigint as n_not_applicable
    from told
),

baseline as (
    select
        * exclude (agreement, chance, mean_chance),
        'baseline' as component,
        2 * chance - mean_chance as numerator,
        case when chance is not null then 1.0 end as denominator,
        0 as n,
        0 as n_scored,
        0 as n_not_applicable
    from told
),

final as (
    select *, unnest(['paper', 'strict']) as protocol from observed
    union all by name
    select *, 'strict' as protocol from baseline
)

select * from final
