-- Prompts and rewordings planned for the items of each suite with the verdict that counts: frozen when first planned, so the oldest row.
-- grain: one row per suite, item, operator, template and seed
with

items as (
    select suite_id, item_id from staging.stg_suite_items
),

prompts as (
    select item_id, operator, template_digest, seed, operator_version, status, reason from staging.stg_prompts
    qualify row_number() over (partition by item_id, operator, template_digest, seed order by recorded_at, prompt_id) = 1
),

final as (
    select items.suite_id, prompts.*
    from items
    -- one to many
    inner join prompts using (item_id)
)

select * from final
