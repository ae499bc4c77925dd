-- fail: every wanted generation must belong to a suite whose evaluation is stored
select distinct units.suite_id
from staging.stg_units as units
anti join staging.stg_suites using (suite_id)
