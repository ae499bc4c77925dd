-- fail: one item score per protocol, suite, configuration, item and dimension
select protocol, suite_id, configuration_id, item_id, dimension, count(*) as n_rows
from marts.item_scores
group by all
having count(*) > 1
