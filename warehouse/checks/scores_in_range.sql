-- fail: scores must be finite; paper scores lie in [0, 1] (raw BERTScore may be slightly negative), corrected scores are at most their ceiling
select protocol, suite_id, configuration_id, dataset, dimension, value
from marts.dimension_scores
where isnan(value) or isinf(value) or (protocol = 'paper' and value not between -1 and 1.000001) or value > ceiling + 1e-6
