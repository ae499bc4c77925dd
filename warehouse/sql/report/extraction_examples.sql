-- Up to twenty responses to read for each way an answer was found or was not: is it the model or the parser? The choice is fixed by a hash.
-- grain: one row per suite, configuration, dataset, status, strategy and position
-- columns:
--   position [index]: place among the examples of its kind, from 1
--   response [text]: the whole response, thinking cut out
--   extracted [text]: the answer as written in the response
with

units as (
    select * from staging.stg_unit_answers
    where not is_error(status)
),

active as (
    select suite_id, scorer from staging.stg_active_scorers where stage = 'answers'
),

chosen as (
    select * from units
    qualify row_number() over (
        partition by suite_id, configuration_id, dataset, status, strategy
        order by md5(generation_id), item_id, operator, run_index
    ) <= 20
),

responses as (
    select generation_id, text
    from raw.generations
    where generation_id in (select generation_id from chosen)
    qualify row_number() over (partition by generation_id order by is_error(status), recorded_at desc) = 1
),

final as (
    select
        chosen.suite_id,
        chosen.configuration_id,
        configurations.configuration,
        chosen.dataset,
        chosen.status,
        chosen.strategy,
        row_number() over (
            partition by chosen.suite_id, chosen.configuration_id, chosen.dataset, chosen.status, chosen.strategy
            order by md5(chosen.generation_id), chosen.item_id, chosen.operator, chosen.run_index
        ) as position,
        chosen.item_id,
        chosen.operator,
        chosen.run_index,
        chosen.answer_type,
        items.gold,
        answers.extracted,
        chosen.answer,
        chosen.is_correct,
        responses.text as response
    from chosen
    -- all joins many to one or none
    left join active using (suite_id)
    left join staging.stg_answers as answers on chosen.generation_id = answers.generation_id and active.scorer = answers.scorer
    left join staging.stg_items as items on chosen.item_id = items.item_id
    left join staging.stg_configurations as configurations on chosen.configuration_id = configurations.configuration_id
    left join responses on chosen.generation_id = responses.generation_id
)

select * from final
