-- Which configurations no other one beats on both quality and price: Pareto front of Q_w against output tokens, and against money, per generation.
-- grain: one row per protocol, weight set, scheme, suite and scored configuration
-- columns:
--   tokens_per_generation [tokens]: mean output tokens of an answered generation
--   usd_per_generation [USD]: mean price of an answered generation; NULL where prices are not known
--   on_token_front [boolean]: no other has at least its quality for fewer tokens, or more quality for at most its tokens
--   on_cost_front [boolean]: the same against money; NULL where its price is not known
with

scores as (
    select
        quality.protocol,
        quality.weight_set,
        quality.scheme,
        quality.suite_id,
        quality.configuration_id,
        quality.value,
        costs.output_tokens / nullif(costs.n_answered, 0)::double as tokens_per_generation,
        -- rounded: equal prices must tie, whatever the order of summation
        case when costs.n_priced > 0 then round(costs.usd / nullif(costs.n_answered, 0)::double, 12) end as usd_per_generation
    from marts.quality_scores as quality
    -- one to one
    inner join marts.answer_costs as costs using (suite_id, configuration_id)
    where costs.dataset = 'all' and quality.status = 'scored'
),

beaten as (
    select
        scores.*,
        bool_or(
            others.value >= scores.value and others.tokens_per_generation <= scores.tokens_per_generation
            and (others.value > scores.value or others.tokens_per_generation < scores.tokens_per_generation)
        ) as beaten_on_tokens,
        bool_or(
            others.value >= scores.value and others.usd_per_generation <= scores.usd_per_generation
            and (others.value > scores.value or others.usd_per_generation < scores.usd_per_generation)
        ) as beaten_on_cost
    from scores
    -- many to many: every configuration of the ranking, itself included
    inner join scores as others using (protocol, weight_set, scheme, suite_id)
    group by all
),

final as (
    select
        * exclude (beaten_on_tokens, beaten_on_cost),
        case when tokens_per_generation is not null then not coalesce(beaten_on_tokens, false) end as on_token_front,
        case when usd_per_generation is not null then not coalesce(beaten_on_cost, false) end as on_cost_front
    from beaten
)

select * from final
