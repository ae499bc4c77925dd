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

within_configuration as (
    select * from marts.configuration_correlations
),

averaged as (
    select
        protocol,
        suite_id,
        dimension_a,
        dimension_b,
        tanh(sum((n_items - 3) * atanh(greatest(-0.999999, least(0.999999, r)))) / sum(n_items - 3)) as item_r,
        count(*) as n_configurations,
        sum(n_items)::bigint as n_items
    from within_configuration
    where n_items >= 4 and r is not null
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
