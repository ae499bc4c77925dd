-- warn: a suite without an active scorer for a stage has no value in the dimensions that read it
select suites.suite_id, stages.stage
from staging.stg_suites as suites
cross join (select unnest(['answers', 'traces', 'step_pairs', 'equations', 'trace_pairs']) as stage) as stages
anti join staging.stg_active_scorers using (suite_id, stage)
order by all
