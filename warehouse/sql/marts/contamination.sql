-- Contamination aid: correctness on published GSM8K questions beside GSM-Symbolic, such questions with fresh names and numbers, at matched number
-- sizes (`magnitude`). A positive difference is what remembering the published questions could explain; other differences between the datasets remain.
-- Interval: two-sample bootstrap over clusters (a GSM8K item, a symbolic template) with the shared weights, tails as elsewhere; Newcombe's, from two
-- Wilson intervals, where a dataset is all right or all wrong and its replicates do not vary. NULL with its reason where a suite lacks a dataset or
-- no class of magnitude is shared.
-- grain: one row per protocol, suite and configuration
-- parts: configuration_id
-- columns:
--   value_symbolic_unmatched [score]: correctness on all GSM-Symbolic items, unweighted
--   n [count]: units asked in both datasets, any class
--   n_scored [count]: of n, those with a value
--   n_items_gsm8k [count]: GSM8K items with a value in the shared classes
--   n_items_symbolic [count]: GSM-Symbolic items with a value in the shared classes
--   share_matched [share]: share of GSM8K items with a value whose class GSM-Symbolic has too
--   n_clusters [count]: clusters with a value in the shared classes, in the dataset that has fewer
with

configurations as (
    select distinct protocol, suite_id, configuration_id from marts.item_scores where dimension = 'correctness'
),

spread as (
    select
        protocol,
        suite_id,
        configuration_id,
        any_value(value_gsm8k) filter (where replicate = 0) as value_gsm8k,
        any_value(value_symbolic) filter (where replicate = 0) as value_symbolic,
        any_value(difference) filter (where replicate = 0) as difference,
        stddev_samp(difference) filter (where replicate > 0) as deviation,
        list_sort(list(difference) filter (where replicate > 0)) as sorted
    from marts.contamination_replicates
    group by all
),

counts as (
    select
        protocol,
        suite_id,
        configuration_id,
        sum(n)::bigint as n,
        sum(n_scored)::bigint as n_scored,
        sum(n_scored) / sum(n)::double as coverage,
        count(*) filter (where dataset = 'gsm8k') > 0 as has_gsm8k,
        count(*) filter (where dataset = 'gsm_symbolic') > 0 as has_symbolic,
        avg(ratio(numerator, denominator)) filter (where dataset = 'gsm_symbolic') as value_symbolic_unmatched,
        count(*) filter (where is_shared and denominator > 0 and dataset = 'gsm8k') as n_items_gsm8k,
        count(*) filter (where is_shared and denominator > 0 and dataset = 'gsm_symbolic') as n_items_symbolic,
        n_items_gsm8k / nullif(count(*) filter (where denominator > 0 and dataset = 'gsm8k'), 0)::double as share_matched,
        count(distinct cluster) filter (where is_shared and denominator > 0 and dataset = 'gsm8k') as n_published,
        count(distinct cluster) filter (where is_shared and denominator > 0 and dataset = 'gsm_symbolic') as n_templates,
        least(n_published, n_templates) as n_clusters
    from marts.contamination_items
    group by all
),

measured as (
    select
        configurations.*,
        spread.* exclude (protocol, suite_id, configuration_id),
        counts.* exclude (protocol, suite_id, configuration_id),
        coalesce(tails.tail, 0.025) as tail,
        counts.n_clusters >= 10 and 2 * len(spread.sorted) > replicate_count() as has_interval,
        coalesce(spread.deviation, 0) < 1e-9 or spread.value_gsm8k in (0, 1) or spread.value_symbolic in (0, 1) as is_constant,
        wilson_low(value_gsm8k, n_published) as published_low,
        wilson_high(value_gsm8k, n_published) as published_high,
        wilson_low(value_symbolic, n_templates) as symbolic_low,
        wilson_high(value_symbolic, n_templates) as symbolic_high
    from configurations
    -- one to one or none
    left join counts using (protocol, suite_id, configuration_id)
    -- one to one or none
    left join spread using (protocol, suite_id, configuration_id)
    -- many to one or none
    left join seeds.interval_tails as tails using (n_clusters)
),

intervals as (
    select
        *,
        case
            when has_interval and is_constant then difference - sqrt(pow(value_gsm8k - published_low, 2) + pow(symbolic_high - value_symbolic, 2))
            when has_interval then sorted_quantile(sorted, tail)
        end as ci_low,
        case
            when has_interval and is_constant then difference + sqrt(pow(published_high - value_gsm8k, 2) + pow(value_symbolic - symbolic_low, 2))
            when has_interval then sorted_quantile(sorted, 1 - tail)
        end as ci_high
    from measured
),

final as (
    select
        protocol,
        suite_id,
        configuration_id,
        value_gsm8k,
        value_symbolic,
        value_symbolic_unmatched,
        difference,
        coalesce(n, 0) as n,
        coalesce(n_scored, 0) as n_scored,
        coverage,
        coalesce(n_items_gsm8k, 0) as n_items_gsm8k,
        coalesce(n_items_symbolic, 0) as n_items_symbolic,
        share_matched,
        coalesce(n_clusters, 0) as n_clusters,
        case
            when has_interval and is_constant then (ci_high - ci_low) / (2 * 1.9599639845400545)
            when has_interval then deviation * sqrt(n_clusters / (n_clusters - 1)::double)
        end as standard_error,
        ci_low,
        ci_high,
        case when difference is null then 'unscored' when coverage < 0.98 then 'incomplete' else 'scored' end as status,
        case
            when not coalesce(has_gsm8k, false) then 'no_gsm8k'
            when not has_symbolic then 'no_gsm_symbolic'
            when difference is null then 'no_shared_magnitude'
            when coverage < 0.98 then 'coverage_below_98_percent'
            when not coalesce(has_interval, false) then 'too_few'
        end as reason
    from intervals
)

select * from final
