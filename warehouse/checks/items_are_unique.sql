-- fail: one item score per protocol, suite, configuration, item and dimension
-- hashes first: they fit in memory where the keys of millions of rows do not
with

suspects as (
    select hash(protocol, suite_id, configuration_id, item_id, dimension) as suspect
    from marts.item_scores
    group by all
    having count(*) > 1
)

select protocol, suite_id, configuration_id, item_id, dimension, count(*) as n_rows
from marts.item_scores
where hash(protocol, suite_id, configuration_id, item_id, dimension) in (from suspects)
group by all
having count(*) > 1
