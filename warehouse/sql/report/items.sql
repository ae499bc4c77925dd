-- Items of each suite with their texts, in a fixed order.
-- grain: one row per suite and item
-- columns:
--   position [index]: place among the items of the suite and dataset, from 0
with

asked as (
    select distinct suite_id, item_id from staging.stg_units
),

items as (
    select * from staging.stg_items
),

texts as (
    select item_id, question, choices
    from raw.items
    qualify row_number() over (partition by item_id order by recorded_at desc, cluster, dataset) = 1
),

final as (
    select
        asked.suite_id,
        items.dataset,
        row_number() over (
            partition by asked.suite_id, items.dataset
            order by try_cast(items.source_id as bigint) nulls last, items.source_id, items.item_id
        ) - 1 as position,
        items.item_id,
        items.source_id,
        items.subject,
        items.answer_type,
        items.gold,
        items.cluster,
        texts.question,
        texts.choices
    from asked
    -- many to one
    inner join items using (item_id)
    -- many to one
    inner join texts using (item_id)
)

select * from final
