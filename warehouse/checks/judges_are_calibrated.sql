-- warn: strict coherence has no value where the judge's own error rates were not measured
select active.suite_id, active.scorer
from staging.stg_active_scorers as active
anti join staging.stg_judge_rates using (suite_id)
where active.stage = 'step_pairs'
order by all
