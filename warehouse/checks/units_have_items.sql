-- fail: every wanted generation must name an item that is stored
select wanted.suite_id, wanted.item_id, count(*) as n_units
from raw.evaluation_units as wanted
anti join staging.stg_items using (item_id)
group by all
