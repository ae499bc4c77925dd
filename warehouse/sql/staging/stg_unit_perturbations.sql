-- The rewordings each suite wanted: asked ones with their answer, the others not applicable with the gate's reason.
-- grain: one row per suite, configuration, item and operator
-- parts: configuration_id
-- columns:
--   status [text]: scored, empty, truncated, unparsed, error, error_permanent or not_applicable
--   reason [text]: why there is no value: the gate's verdict, or what failed
--   is_correct [boolean]: equals the gold; NULL for errors and where nothing was asked
with

answers as (
    select * from staging.stg_unit_answers
),

suites as (
    select suite_id, seed, unnest(operators) as operator from staging.stg_suites
),

configurations as (
    select configuration_id, template_digest from staging.stg_configurations
),

prompts as (
    select suite_id, item_id, operator, template_digest, seed, status, reason from staging.stg_suite_prompts
),

asked as (
    select * from answers where operator <> 'original'
),

places as (
    select distinct answers.suite_id, answers.configuration_id, answers.item_id, answers.dataset, answers.cluster, answers.stratum, suites.operator, suites.seed
    from answers
    -- many to many: every item with every operator of its suite
    inner join suites using (suite_id)
),

final as (
    select
        places.suite_id,
        places.configuration_id,
        places.item_id,
        places.dataset,
        places.cluster,
        places.stratum,
        places.operator,
        coalesce(asked.status, 'not_applicable') as status,
        case
            when asked.status is not null then asked.reason
            when prompts.status is null then 'not_planned'
            when prompts.status = 'applied' then 'not_asked'
            else prompts.status || coalesce(': ' || prompts.reason, '')
        end as reason,
        asked.is_correct
    from places
    -- many to one or none
    left join configurations using (configuration_id)
    -- one to one or none
    left join asked using (suite_id, configuration_id, item_id, operator)
    -- many to one or none
    left join prompts
        on places.suite_id = prompts.suite_id
        and places.item_id = prompts.item_id
        and places.operator = prompts.operator
        and places.seed is not distinct from prompts.seed
        and configurations.template_digest = prompts.template_digest
)

select * from final
