-- fail: an interval has both ends or none, in order, and never NaN
select protocol, suite_id, configuration_id, dataset, dimension, ci_low, ci_high
from marts.dimension_scores
where ci_low > ci_high or (ci_low is null) <> (ci_high is null) or isnan(ci_low) or isnan(ci_high) or isnan(standard_error)
