-- Heterotrait-monotrait ratio with datasets as methods: correlations over configurations of two dimensions on different datasets, relative to those of
-- each dimension with itself on different datasets. Near 1 the two dimensions cannot be told apart. NULL under two datasets or four configurations.
-- grain: one row per protocol, suite and pair of dimensions
-- columns:
--   dimension_a [name]: first dimension
--   dimension_b [name]: second dimension
--   htmt [ratio]: mean heterotrait correlation / geometric mean of the two mean monotrait correlations
--   heterotrait [correlation]: mean correlation of the two dimensions on different datasets
--   monotrait_a [correlation]: mean correlation of the first with itself on different datasets
--   monotrait_b [correlation]: mean correlation of the second with itself on different datasets
--   n_datasets [count]: datasets
--   n_configurations [count]: configurations, least over the correlations
with

centred as (
    select *, value - avg(value) over (partition by protocol, suite_id, dataset, dimension) as deviation
    from marts.panel
),

correlated as (
    select
        first.protocol,
        first.suite_id,
        first.dimension as dimension_a,
        second.dimension as dimension_b,
        first.dataset as dataset_a,
        second.dataset as dataset_b,
        count(*) as n,
        case when count(*) >= 4
            then correlation(
                count(*), sum(first.deviation), sum(second.deviation), sum(first.deviation * first.deviation),
                sum(second.deviation * second.deviation), sum(first.deviation * second.deviation)
            )
        end as r
    from centred as first
    -- many to many: every dimension of the same configuration on every other dataset
    inner join centred as second
        on first.protocol = second.protocol
        and first.suite_id = second.suite_id
        and first.configuration_id = second.configuration_id
        and first.dataset <> second.dataset
    group by all
),

means as (
    select protocol, suite_id, dimension_a, dimension_b, avg(r) as r, count(distinct dataset_a) as n_datasets, min(n) as n_configurations
    from correlated
    group by all
),

joined as (
    select
        pairs.protocol,
        pairs.suite_id,
        pairs.dimension_a,
        pairs.dimension_b,
        hetero.r as heterotrait,
        mono_a.r as monotrait_a,
        mono_b.r as monotrait_b,
        coalesce(hetero.n_datasets, 0) as n_datasets,
        coalesce(hetero.n_configurations, 0) as n_configurations
    from marts.dimension_pairs as pairs
    left join means as hetero using (protocol, suite_id, dimension_a, dimension_b)
    left join means as mono_a
        on pairs.protocol = mono_a.protocol and pairs.suite_id = mono_a.suite_id
        and pairs.dimension_a = mono_a.dimension_a and pairs.dimension_a = mono_a.dimension_b
    left join means as mono_b
        on pairs.protocol = mono_b.protocol and pairs.suite_id = mono_b.suite_id
        and pairs.dimension_b = mono_b.dimension_a and pairs.dimension_b = mono_b.dimension_b
),

final as (
    select
        protocol,
        suite_id,
        dimension_a,
        dimension_b,
        case when monotrait_a > 0 and monotrait_b > 0 then heterotrait / sqrt(monotrait_a * monotrait_b) end as htmt,
        heterotrait,
        monotrait_a,
        monotrait_b,
        n_datasets,
        n_configurations,
        case
            when htmt is not null then null
            when n_datasets < 2 then 'under_two_datasets'
            when n_configurations < 4 then 'n_below_4'
            when heterotrait is null or monotrait_a is null or monotrait_b is null then 'constant_column'
            else 'monotrait_not_positive'
        end as reason
    from joined
)

select * from final
