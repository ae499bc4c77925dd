-- Items that any configuration of a suite was asked, with what scoring reads of them.
-- grain: one row per suite and item
with

wanted as (
    select distinct suite_id, item_id from raw.evaluation_units
),

items as (
    select * from staging.stg_items
),

final as (
    select
        wanted.suite_id,
        wanted.item_id,
        items.dataset,
        items.cluster,
        items.stratum,
        items.answer_type,
        items.magnitude
    from wanted
    -- many to one
    inner join items using (item_id)
)

select * from final
