-- What the answers of each suite and configuration cost: requests, tokens, money, time. Billed counts all attempts, kept counts the answer that stands.
-- A generation shared by two suites counts in both; `per correct` divides by correct primary runs.
-- grain: one row per suite, configuration and dataset ('all' pooled)
-- parts: configuration_id
-- columns:
--   n_generations [count]: generations wanted
--   n_answered [count]: generations that arrived
--   n_requests [count]: requests made, retries included
--   n_priced [count]: generations whose price is known
--   output_tokens [tokens]: output tokens of the kept answers
--   usd [USD]: price of all attempts; NULL where no generation has a price
--   tokens_per_correct [tokens]: output tokens of primary runs / correct primary runs
--   usd_per_correct [USD]: price of primary runs / correct primary runs
--   mean_latency_ms [ms]: mean wall time of the kept request
--   spared_share_if_correct [share]: mean of 1 - strict token ratio over correct primary runs
with

units as (
    select * from staging.stg_units
),

generations as (
    select * from staging.stg_generations
),

suites as (
    select suite_id, reference_tokens from staging.stg_suites
),

answers as (
    select suite_id, configuration_id, generation_id, is_correct from staging.stg_unit_answers
),

joined as (
    select
        units.suite_id,
        units.configuration_id,
        unnest([units.dataset, 'all']) as dataset,
        units.generation_status,
        units.operator = 'original' and units.run_index = 0 as is_primary,
        coalesce(answers.is_correct, false) as is_correct,
        least(1.0, generations.output_tokens / suites.reference_tokens::double) as token_ratio,
        generations.* exclude (generation_id, configuration_id, operator)
    from units
    left join answers using (suite_id, configuration_id, generation_id)
    left join suites using (suite_id)
    left join generations on units.generation_id = generations.generation_id
),

final as (
    select
        suite_id,
        configuration_id,
        dataset,
        count(*) as n_generations,
        count(*) filter (where not is_error(generation_status)) as n_answered,
        sum(attempts)::bigint as n_requests,
        count(cost_usd) as n_priced,
        sum(input_tokens)::bigint as input_tokens,
        sum(output_tokens)::bigint as output_tokens,
        sum(billed_input_tokens)::bigint as billed_input_tokens,
        sum(billed_output_tokens)::bigint as billed_output_tokens,
        sum(cost_usd) as usd,
        ratio((sum(output_tokens) filter (where is_primary))::double, count(*) filter (where is_primary and is_correct)) as tokens_per_correct,
        ratio(sum(cost_usd) filter (where is_primary), count(*) filter (where is_primary and is_correct)) as usd_per_correct,
        avg(latency_ms) as mean_latency_ms,
        avg(1 - token_ratio) filter (where is_primary and is_correct) as spared_share_if_correct
    from joined
    group by all
)

select * from final
