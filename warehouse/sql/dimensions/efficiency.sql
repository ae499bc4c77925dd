-- Efficiency: right answers with few tokens. Harmonic mean of correctness and 1 - token ratio of the primary run; 0 when either is 0.
-- paper: ratio on the scale between the configuration's own shortest and longest primary run of the dataset; strict: tokens / reference_tokens.
-- grain: one row per suite, configuration, item, protocol and component
-- parts: configuration_id
-- columns:
--   numerator [share]: efficiency of the item
--   denominator [count]: 1 where there is a value
with

primary_runs as (
    select *, case when output_tokens = 0 and not is_blank then null else output_tokens end as tokens
    from staging.stg_unit_answers
    where operator = 'original' and run_index = 0
),

suites as (
    select suite_id, reference_tokens from staging.stg_suites
),

extremes as (
    select
        suite_id,
        configuration_id,
        dataset,
        min(tokens) as shortest,
        max(tokens) as longest
    from primary_runs
    where not is_error(status) and status <> 'empty'
    group by all
),

ratios as (
    select
        primary_runs.*,
        case when longest > shortest then (tokens - shortest) / (longest - shortest)::double else 0.0 end as paper_ratio,
        least(1.0, tokens / suites.reference_tokens::double) as strict_ratio
    from primary_runs
    left join extremes using (suite_id, configuration_id, dataset)
    left join suites using (suite_id)
),

protocols as (
    select *, 'paper' as protocol, paper_ratio as token_ratio from ratios
    union all
    select *, 'strict' as protocol, strict_ratio as token_ratio from ratios
),

valued as (
    select
        *,
        case
            when is_error(status) then coalesce(reason, 'provider_error')
            when status <> 'empty' and (tokens is null or token_ratio is null) then 'tokens_missing'
        end as missing,
        case when is_correct then 2 * (1 - token_ratio) / (2 - token_ratio) else 0.0 end as efficiency
    from protocols
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
        'observed' as component,
        case when missing is null then efficiency end as numerator,
        case when missing is null then 1.0 end as denominator,
        1 as n,
        (missing is null)::bigint as n_scored,
        0 as n_not_applicable,
        case when missing is null then 'scored' when is_error(status) then status else 'error' end as status,
        missing as reason
    from valued
)

select * from final
