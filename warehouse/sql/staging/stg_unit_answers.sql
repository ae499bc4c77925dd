-- Wanted generations with their extracted answer, read by the suite's active answer scorer only. `correct` is NULL for errors and false where
-- the model gave no answer: saying nothing is the model's doing, failing to ask is ours.
-- grain: one row per suite, configuration, item, operator and run
-- parts: configuration_id
-- columns:
--   status [text]: scored, empty, truncated, unparsed, error or error_permanent
--   is_correct [boolean]: equals the gold; NULL for errors
--   answer [text]: canonical answer; NULL where there is none
with

units as (
    select * from staging.stg_units
),

active as (
    select suite_id, scorer from staging.stg_active_scorers where stage = 'answers'
),

answers as (
    select * from staging.stg_answers
),

read as (
    select
        units.suite_id,
        units.configuration_id,
        units.generation_id,
        units.item_id,
        units.operator,
        units.run_index,
        units.dataset,
        units.cluster,
        units.stratum,
        units.answer_type,
        units.output_tokens,
        units.text_digest,
        units.is_blank,
        case
            when is_error(units.generation_status) then units.generation_status
            else coalesce(answers.status, 'error')
        end as status,
        case
            when is_error(units.generation_status) then coalesce(units.generation_reason, 'provider_error')
            when answers.status is null then 'not_scored'
            else answers.reason
        end as reason,
        answers.correct,
        answers.canonical,
        answers.strategy,
        answers.ambiguous
    from units
    -- many to one or none
    left join active using (suite_id)
    -- one to one or none
    left join answers on units.generation_id = answers.generation_id and active.scorer = answers.scorer
),

final as (
    select
        * exclude (correct, canonical),
        case when not is_error(status) then status = 'scored' and coalesce(correct, false) end as is_correct,
        case when status = 'scored' then canonical end as answer
    from read
)

select * from final
