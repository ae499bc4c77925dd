-- What each suite cost: the answers of its configurations, which every dimension reads, and the replies of the model that reworded its items, which
-- only robustness reads. A reply is counted, kept or refused, once per suite whose own prompts name its rewriter for the item, and by configuration of the
-- rewriter; an item without a rewording so far counts with the rewriters that the suite's other prompts name, one with the user's own text with none.
-- grain: one row per suite, configuration, dataset ('all' pooled) and dimension
-- columns:
--   configuration [name]: its name; rewriters share one, so `model` tells them apart
--   dimension [text]: 'all' for the answers, 'robustness' for the rewordings of llm_paraphrase
with

answers as (
    select *, 'all' as dimension from marts.answer_costs
),

suites as (
    select suite_id, seed from staging.stg_suites
    where list_contains(operators, 'llm_paraphrase')
),

items as (
    select suite_id, item_id, unnest([dataset, 'all']) as dataset from staging.stg_suite_items
),

replies as (
    select *, left(configuration_id, 12) as rewriter from staging.stg_generations
    where operator = 'rewriting'
),

-- tasks/rewordings.py writes "rewriting 2, <first 12 digits of its configuration>"; of any other text the rewriter is ''
worded as (
    select distinct suite_id, item_id, coalesce(regexp_extract(prompts.operator_version, '^rewriting [^,]*, (\w+)$', 1), '') as rewriter
    from suites
    -- one to many
    inner join staging.stg_suite_prompts as prompts using (suite_id, seed)
    where prompts.operator = 'llm_paraphrase'
),

waiting as (
    select suites.suite_id, items.item_id
    from suites
    -- one to many
    inner join (select distinct suite_id, item_id from items) as items using (suite_id)
    anti join worded using (suite_id, item_id)
),

asked as (
    select suite_id, item_id, rewriter from worded
    union
    select waiting.suite_id, waiting.item_id, rewriters.rewriter
    from waiting
    -- one to many
    inner join (select distinct suite_id, rewriter from worded) as rewriters using (suite_id)
),

rewordings as (
    select
        asked.suite_id,
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
    from asked
    -- one to many: the dataset and 'all'
    inner join items using (suite_id, item_id)
    -- one to many: a reply per wording of the instruction
    inner join replies using (item_id, rewriter)
    group by all
),

costs as (
    select * from answers
    union all by name
    select * from rewordings
),

final as (
    select coalesce(configurations.configuration, costs.configuration_id) as configuration, models.model, costs.*
    from costs
    -- many to one or none
    left join staging.stg_configurations as configurations using (configuration_id)
    -- many to one or none
    left join staging.stg_model_versions as models using (model_version_id)
)

select * from final
