-- The instruments each suite's scores were read with: name, version, parameters, model digest, libraries.
-- grain: one row per suite and stage
with

active as (
    select suite_id, stage, scorer from staging.stg_active_scorers
),

scorers as (
    select * from staging.stg_scorers
),

final as (
    select
        active.suite_id,
        active.stage,
        active.scorer,
        scorers.name,
        scorers.version,
        scorers.parameters,
        scorers.scorer_model,
        scorers.model_digest,
        scorers.libraries,
        scorers.notes
    from active
    -- many to one or none
    left join scorers using (scorer)
)

select * from final
