-- The rewordings each configuration's items were to be asked, with the gate's verdict; frozen when first planned.
-- grain: one row per suite, configuration, item and operator
-- columns:
--   reworded [text]: the reworded question
--   reworded_choices [list]: its options
with

places as (
    select * from staging.stg_unit_perturbations
),

suites as (
    select suite_id, seed from staging.stg_suites
),

configurations as (
    select configuration_id, template_digest from staging.stg_configurations
),

prompts as (
    select * from staging.stg_prompts
    qualify row_number() over (partition by item_id, operator, template_digest, seed order by recorded_at, prompt_id) = 1
),

final as (
    select
        places.suite_id,
        places.configuration_id,
        places.dataset,
        places.item_id,
        places.operator,
        places.status,
        places.reason,
        prompts.question as reworded,
        prompts.choices as reworded_choices,
        prompts.p_contradiction_forward,
        prompts.p_contradiction_backward
    from places
    -- all joins many to one or none
    left join suites using (suite_id)
    left join configurations using (configuration_id)
    left join prompts
        on places.item_id = prompts.item_id
        and places.operator = prompts.operator
        and suites.seed is not distinct from prompts.seed
        and configurations.template_digest = prompts.template_digest
)

select * from final
