-- What the K runs of an item agree on: majority-vote correctness, and consistency split by what the majority says. A majority is more than half of the
-- runs that did not fail.
-- grain: one row per suite, configuration and dataset ('all' pooled)
-- parts: configuration_id
-- columns:
--   n_items [count]: items with two valid runs or more
--   majority_correctness [share]: items whose majority answer is right
--   share_right [share]: items whose majority is right
--   share_stubborn [share]: items whose majority is wrong: a stubborn error
--   share_no_majority [share]: items without a majority
--   agreement_right [share]: mean pairwise agreement where the majority is right
--   agreement_stubborn [share]: mean pairwise agreement where the majority is wrong
--   verbatim_agreement [share]: pairwise identity of the normalised whole responses, what the first released code computed
with

runs as (
    select * from staging.stg_unit_answers where operator = 'original' and is_correct is not null
),

votes as (
    select suite_id, configuration_id, dataset, item_id, answer, bool_or(is_correct) as is_right, count(*) as n_votes
    from runs
    where answer is not null
    group by all
),

texts as (
    select suite_id, configuration_id, item_id, sum(n_same * (n_same - 1) / 2) as n_identical
    from (select suite_id, configuration_id, item_id, text_digest, count(*) as n_same from runs group by all)
    group by all
),

asked as (
    select suite_id, configuration_id, dataset, item_id, count(*) as n_runs
    from runs
    group by all
    having count(*) >= 2
),

tops as (
    select suite_id, configuration_id, item_id, max(n_votes) as n_votes, arg_max(is_right, n_votes) as is_right
    from votes
    group by all
),

items as (
    select
        asked.suite_id,
        asked.configuration_id,
        unnest([asked.dataset, 'all']) as dataset,
        case when 2 * coalesce(tops.n_votes, 0) > asked.n_runs then case when tops.is_right then 'right' else 'stubborn' end else 'none' end as majority,
        scores.value as agreement,
        texts.n_identical / (asked.n_runs * (asked.n_runs - 1) / 2) as verbatim
    from asked
    left join tops using (suite_id, configuration_id, item_id)
    left join texts using (suite_id, configuration_id, item_id)
    left join (select * from marts.item_scores where dimension = 'consistency' and protocol = 'paper') as scores
        using (suite_id, configuration_id, item_id)
),

final as (
    select
        suite_id,
        configuration_id,
        dataset,
        count(*) as n_items,
        avg((majority = 'right')::double) as majority_correctness,
        avg((majority = 'right')::double) as share_right,
        avg((majority = 'stubborn')::double) as share_stubborn,
        avg((majority = 'none')::double) as share_no_majority,
        avg(agreement) filter (where majority = 'right') as agreement_right,
        avg(agreement) filter (where majority = 'stubborn') as agreement_stubborn,
        avg(verbatim) as verbatim_agreement
    from items
    group by all
)

select * from final
