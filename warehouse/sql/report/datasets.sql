-- Datasets of each suite and where their rows came from.
-- grain: one row per suite, dataset and dataset version
-- columns:
--   n_items [count]: items asked
--   n_clusters [count]: clusters of items
--   n_subjects [count]: subjects; 0 where the dataset has none
--   answer_types [list]: types of the gold answers
with

asked as (
    select distinct suite_id, item_id from staging.stg_units
),

items as (
    select * from staging.stg_items
),

final as (
    select
        asked.suite_id,
        items.dataset,
        items.dataset_version,
        count(*) as n_items,
        count(distinct items.cluster) as n_clusters,
        count(distinct items.subject) as n_subjects,
        list_sort(list(distinct items.answer_type)) as answer_types
    from asked
    -- many to one
    inner join items using (item_id)
    group by all
)

select * from final
