-- Wanted generations of every suite and configuration with what became of them. The newest evaluation decides which generation fills a place
-- (item, operator, run), so that a fresh draw replaces the first and no two ever blend. Evidence nobody wants is not here.
-- grain: one row per suite, configuration, item, operator and run
-- parts: configuration_id
-- columns:
--   generation_status [text]: status of the generation; `error` with reason `not_generated` where it is missing
--   generation_reason [text]: why there is no answer
--   text_digest [digest]: md5 of the normalised whole response
--   is_blank [boolean]: the response has no text at all
--   wanted_at [UTC]: when the newest evaluation asked for it
with

wanted as (
    select * from raw.evaluation_units
    qualify row_number() over (
        partition by suite_id, configuration_id, item_id, operator, run_index
        order by recorded_at desc, evaluation_id desc, generation_id desc
    ) = 1
),

items as (
    select * from staging.stg_suite_items
),

generations as (
    select * from staging.stg_generations
),

final as (
    select
        wanted.suite_id,
        wanted.configuration_id,
        wanted.generation_id,
        wanted.item_id,
        wanted.prompt_id,
        wanted.operator,
        wanted.run_index,
        wanted.recorded_at as wanted_at,
        items.dataset,
        items.cluster,
        items.stratum,
        items.answer_type,
        coalesce(generations.status, 'error') as generation_status,
        case when generations.status is null then 'not_generated' else generations.reason end as generation_reason,
        generations.output_tokens,
        generations.text_digest,
        generations.is_blank
    from wanted
    -- many to one
    inner join items using (suite_id, item_id)
    -- one to one or none
    left join generations using (generation_id)
)

select * from final
