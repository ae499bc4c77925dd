-- fail: weights of a scheme must be non-negative and sum to 1 within 1e-6
select weight_set, scheme, sum(weight) as total
from staging.stg_schemes
group by weight_set, scheme
having abs(sum(weight) - 1) > 1e-6 or min(weight) < 0
