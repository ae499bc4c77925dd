-- What each suite cost: the answers of its configurations, which every dimension reads, and the replies of the model that reworded its items, which
-- only robustness reads. A reply is counted once per suite that has its item, kept or refused, and by configuration of the rewriter.
-- grain: one row per suite, configuration, dataset ('all' pooled) and dimension
-- columns:
--   dimension [text]: 'all' for the answers, 'robustness' for the rewordings of llm_paraphrase
with

answers as (
    select *, 'all' as dimension from marts.answer_costs
),

suites as (
    select suite_id from staging.stg_suites
    where list_contains(operators, 'llm_paraphrase')
),

items as (
    select suite_id, item_id, unnest([dataset, 'all']) as dataset from staging.stg_suite_items
),

replies as (
    select * from staging.stg_generations
    where operator = 'rewriting'
),

rewordings as (
    select
        items.suite_id,
        replies.configuration_id,
        items.dataset,
        'robustness' as dimension,
        count(*) as n_generations,
        count(*) filter (where not is_error(replies.status)) as n_answered,
        sum(replies.attempts)::bigint as n_requests,
        count(replies.cost_usd) as n_priced,
        sum(replies.input_tokens)::bigint as input_tokens,
        sum(replies.output_tokens)::bigint as output_tokens,
        sum(replies.billed_input_tokens)::bigint as billed_input_tokens,
        sum(replies.billed_output_tokens)::bigint as billed_output_tokens,
        sum(replies.cost_usd) as usd,
        avg(replies.latency_ms) as mean_latency_ms
    from suites
    -- one to many
    inner join items using (suite_id)
    -- one to many: a reply per rewriter
    inner join replies using (item_id)
    group by all
),

final as (
    select * from answers
    union all by name
    select * from rewordings
)

select * from final
