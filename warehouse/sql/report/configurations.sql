-- What was evaluated in each suite: model, weights, prompts, parameters, and what the provider said it served.
-- grain: one row per suite and configuration
-- columns:
--   served_models [list]: model names in the replies
--   fingerprints [list]: system fingerprints in the replies
--   usage_sources [list]: who counted the tokens
--   first_at [UTC]: start of the first answer
--   last_at [UTC]: start of the last answer
--   n_retried [count]: generations that needed more than one request
with

units as (
    select suite_id, configuration_id, generation_id from staging.stg_units
),

generations as (
    select * from staging.stg_generations
),

configurations as (
    select * from staging.stg_configurations
),

models as (
    select * from staging.stg_model_versions
),

served as (
    select
        units.suite_id,
        units.configuration_id,
        count(*) as n,
        count(*) filter (where generations.attempts > 1) as n_retried,
        list_sort(list(distinct generations.served_model) filter (where generations.served_model is not null)) as served_models,
        list_sort(list(distinct generations.fingerprint) filter (where generations.fingerprint is not null)) as fingerprints,
        list_sort(list(distinct generations.usage_source) filter (where generations.usage_source is not null)) as usage_sources,
        min(generations.started_at) as first_at,
        max(generations.started_at) as last_at
    from units
    -- one to one or none
    left join generations using (generation_id)
    group by all
),

final as (
    select
        served.*,
        configurations.model_version_id,
        coalesce(configurations.configuration, served.configuration_id) as configuration,
        models.provider,
        models.model,
        models.family,
        models.resolved_version,
        models.predecessor,
        configurations.system_prompt,
        configurations.template,
        configurations.template_digest,
        configurations.sampling,
        configurations.temperature,
        configurations.price_input,
        configurations.price_output
    from served
    -- many to one or none
    left join configurations using (configuration_id)
    -- many to one or none
    left join models using (model_version_id)
)

select * from final
