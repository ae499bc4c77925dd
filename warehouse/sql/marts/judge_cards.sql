-- How far each judge can be trusted on the pairs it was calibrated on: false alarms on consistent neighbours, detection per alteration, accuracy on
-- labelled pairs; Wilson intervals over pairs.
-- grain: one row per scorer fingerprint, pair set, role and alteration ('all' pooled)
-- columns:
--   name [name]: scorer name
--   version [text]: scorer version
--   n_pairs [count]: calibration pairs
--   n_contradictions [count]: of those, called contradiction
--   contradiction_rate [rate]: false alarm rate, or detection rate
--   accuracy [share]: label equals the right label
--   rate_low [rate]: lower end of the 95 % Wilson interval of the contradiction rate
--   rate_high [rate]: upper end
--   n_truncated [count]: pairs cut to the judge's window
with

calibrations as (
    select *, unnest(list_distinct([alteration, 'all'])) as counted_in from staging.stg_calibrations
),

counted as (
    select
        scorer,
        pair_set,
        role,
        counted_in as alteration,
        count(*) as n_pairs,
        count(*) filter (where label = 'contradiction') as n_contradictions,
        count(*) filter (where label = gold_label) as n_right,
        count(*) filter (where truncated_pair) as n_truncated
    from calibrations
    group by all
),

final as (
    select
        counted.scorer,
        scorers.name,
        scorers.version,
        scorers.scorer_model,
        scorers.model_digest,
        scorers.notes,
        counted.pair_set,
        counted.role,
        counted.alteration,
        counted.n_pairs,
        counted.n_contradictions,
        counted.n_contradictions / counted.n_pairs as contradiction_rate,
        wilson_low(counted.n_contradictions / counted.n_pairs, counted.n_pairs) as rate_low,
        wilson_high(counted.n_contradictions / counted.n_pairs, counted.n_pairs) as rate_high,
        counted.n_right / counted.n_pairs as accuracy,
        counted.n_truncated
    from counted
    -- many to one or none
    left join staging.stg_scorers as scorers using (scorer)
)

select * from final
