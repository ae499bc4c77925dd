-- Items that two configurations both have a value for, and for primary-run correctness how many only one of them got right.
-- grain: one row per protocol, suite, ordered pair of configurations and dimension
-- columns:
--   configuration_id_a [digest]: first configuration
--   configuration_id_b [digest]: second configuration
--   n_shared [count]: items both have a value for
--   n_lost [count]: right for the first only; NULL but for primary-run correctness
--   n_won [count]: right for the second only; NULL but for primary-run correctness
with

scores as (
    select protocol, suite_id, configuration_id, dimension, item_id, value
    from marts.item_scores
    semi join marts.compared_configurations using (suite_id, configuration_id)
    where value is not null
),

counted as (
    select
        first.protocol,
        first.suite_id,
        first.configuration_id as configuration_id_a,
        second.configuration_id as configuration_id_b,
        first.dimension,
        count(*) as n_shared,
        count(*) filter (where first.value > second.value) as n_higher,
        count(*) filter (where first.value < second.value) as n_lower
    from scores as first
    -- many to many: the same item of every other configuration
    inner join scores as second
        on first.protocol = second.protocol
        and first.suite_id = second.suite_id
        and first.dimension = second.dimension
        and first.item_id = second.item_id
        and first.configuration_id <> second.configuration_id
    group by all
),

final as (
    select
        * exclude (n_higher, n_lower),
        case when protocol = 'paper' and dimension = 'correctness' then n_higher end as n_lost,
        case when protocol = 'paper' and dimension = 'correctness' then n_lower end as n_won
    from counted
)

select * from final
