-- Correctness of GSM8K and GSM-Symbolic items with the class of their numbers' size, and whether both datasets have values in that class.
-- grain: one row per protocol, suite, configuration and item of the two datasets
-- parts: configuration_id
-- columns:
--   is_shared [boolean]: the configuration has values in this class of magnitude in both datasets
with

scores as (
    select
        protocol,
        suite_id,
        configuration_id,
        dataset,
        item_id,
        cluster,
        numerator,
        denominator,
        n,
        n_scored
    from marts.item_scores
    where dimension = 'correctness' and dataset in ('gsm8k', 'gsm_symbolic')
),

items as (
    select suite_id, item_id, magnitude from staging.stg_suite_items
),

shared as (
    select scores.protocol, scores.suite_id, scores.configuration_id, items.magnitude
    from scores
    -- many to one
    inner join items using (suite_id, item_id)
    where scores.denominator > 0
    group by all
    having count(distinct scores.dataset) = 2
),

final as (
    select scores.*, items.magnitude, shared.magnitude is not null as is_shared
    from scores
    -- many to one
    inner join items using (suite_id, item_id)
    -- many to one or none
    left join shared using (protocol, suite_id, configuration_id, magnitude)
)

select * from final
