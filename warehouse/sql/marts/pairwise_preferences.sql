-- Every two ranked configurations (of marts.compared_configurations) under every scheme: difference of Q_w and how often the first is above the
-- second. Ties count one half.
-- grain: one row per protocol, weight set, scheme, suite and ordered pair of configurations
-- columns:
--   configuration_id_a [digest]: first configuration
--   configuration_id_b [digest]: second configuration
--   difference [score]: Q_w of the first minus Q_w of the second
--   p_above [probability]: share of replicates with the first above the second
with

ranked as (
    select protocol, weight_set, scheme, suite_id, configuration_id
    from marts.quality_scores
    semi join marts.compared_configurations using (suite_id, configuration_id)
    where status = 'scored'
),

replicates as (
    select quality.*
    from marts.quality_replicates as quality
    inner join ranked using (protocol, weight_set, scheme, suite_id, configuration_id)
),

differences as (
    select
        first.protocol,
        first.weight_set,
        first.scheme,
        first.suite_id,
        first.configuration_id as configuration_id_a,
        second.configuration_id as configuration_id_b,
        first.replicate,
        first.value - second.value as difference
    from replicates as first
    -- many to many: each other configuration in the same replicate
    inner join replicates as second
        on first.protocol = second.protocol
        and first.weight_set = second.weight_set
        and first.scheme = second.scheme
        and first.suite_id = second.suite_id
        and first.replicate = second.replicate
        and first.configuration_id < second.configuration_id
),

lists as (
    select
        protocol,
        weight_set,
        scheme,
        suite_id,
        configuration_id_a,
        configuration_id_b,
        any_value(difference) filter (where replicate = 0) as difference,
        list_sort(list(difference) filter (where replicate > 0 and difference is not null)) as sorted,
        avg(case when difference > 0 then 1.0 when difference = 0 then 0.5 else 0.0 end) filter (where replicate > 0 and difference is not null) as p_above
    from differences
    group by all
),

halves as (
    select
        * exclude (sorted),
        round(sorted_quantile(sorted, 0.025), 12) as ci_low,
        round(sorted_quantile(sorted, 0.975), 12) as ci_high
    from lists
),

final as (
    select * from halves
    union all by name
    select
        * replace (
            configuration_id_b as configuration_id_a,
            configuration_id_a as configuration_id_b,
            -difference as difference,
            1 - p_above as p_above,
            -ci_high as ci_low,
            -ci_low as ci_high
        )
    from halves
)

select * from final
