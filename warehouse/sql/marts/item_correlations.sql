-- Do two dimensions go together item by item, within one configuration? Correlations over items within configuration, averaged by Fisher's z with
-- weights n - 3. What differs between models is not in here.
-- grain: one row per protocol, suite and pair of dimensions
-- columns:
--   dimension_a [name]: first dimension
--   dimension_b [name]: second dimension
--   item_r [correlation]: averaged within-configuration correlation
--   n_configurations [count]: configurations with a defined correlation
--   n_items [count]: items behind them, summed over configurations
with

scores as (
    select protocol, suite_id, configuration_id, item_id, dimension, value from marts.item_scores where value is not null
),

within_configuration as (
    select
        pairs.protocol,
        pairs.suite_id,
        pairs.dimension_a,
        pairs.dimension_b,
        first.configuration_id,
        count(*) as n,
        correlation(
            count(*), sum(first.value), sum(second.value), sum(first.value * first.value), sum(second.value * second.value), sum(first.value * second.value)
        ) as r
    from marts.dimension_pairs as pairs
    inner join scores as first
        on pairs.protocol = first.protocol and pairs.suite_id = first.suite_id and pairs.dimension_a = first.dimension
    inner join scores as second
        on first.protocol = second.protocol
        and first.suite_id = second.suite_id
        and first.configuration_id = second.configuration_id
        and first.item_id = second.item_id
        and pairs.dimension_b = second.dimension
    group by all
),

averaged as (
    select
        protocol,
        suite_id,
        dimension_a,
        dimension_b,
        tanh(sum((n - 3) * atanh(greatest(-0.999999, least(0.999999, r)))) / sum(n - 3)) as item_r,
        count(*) as n_configurations,
        sum(n)::bigint as n_items
    from within_configuration
    where n >= 4 and r is not null
    group by all
),

final as (
    select
        pairs.protocol,
        pairs.suite_id,
        pairs.dimension_a,
        pairs.dimension_b,
        averaged.item_r,
        coalesce(averaged.n_configurations, 0) as n_configurations,
        coalesce(averaged.n_items, 0) as n_items,
        case when averaged.item_r is null then 'constant_column_or_n_below_4' end as reason
    from marts.dimension_pairs as pairs
    left join averaged using (protocol, suite_id, dimension_a, dimension_b)
)

select * from final
