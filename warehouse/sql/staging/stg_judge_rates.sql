-- The judge behind each suite's step pairs and its measured error counts, per calibration cluster. The step_pairs scorer names its judge in its
-- parameters; calibrations carry that judge's fingerprint.
-- grain: one row per suite, judge, role and calibration cluster
-- columns:
--   judge [digest]: fingerprint of the NLI judge
--   n_pairs [count]: calibration pairs
--   n_contradictions [count]: of those, called contradiction
with

active as (
    select suite_id, scorer from staging.stg_active_scorers where stage = 'step_pairs'
),

scorers as (
    select scorer, coalesce(json_extract_string(parameters, '$.judge'), scorer) as judge from staging.stg_scorers
),

calibrations as (
    select * from staging.stg_calibrations
),

final as (
    select
        active.suite_id,
        coalesce(scorers.judge, active.scorer) as judge,
        calibrations.role,
        calibrations.cluster,
        count(*) as n_pairs,
        count(*) filter (where calibrations.label = 'contradiction') as n_contradictions
    from active
    -- many to one or none
    left join scorers using (scorer)
    -- one to many
    inner join calibrations on coalesce(scorers.judge, active.scorer) = calibrations.scorer
    where calibrations.role in ('false_alarm', 'detection')
    group by all
)

select * from final
