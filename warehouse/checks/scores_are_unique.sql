-- fail: one score per protocol, suite, configuration, dataset and dimension
select protocol, suite_id, configuration_id, dataset, dimension, count(*) as n_rows
from marts.dimension_scores
group by all
having count(*) > 1
