-- Generations without their texts: a valid answer beats a failure of the same key, then the newest counts.
-- grain: one row per generation
-- parts: configuration_id
-- columns:
--   text_digest [digest]: md5 of the normalised whole response (white space collapsed, lower case), for verbatim agreement
--   is_blank [boolean]: there is no text at all
with

stored as (
    select
        * exclude (text, thinking),
        md5(lower(trim(regexp_replace(coalesce(text, ''), '\s+', ' ', 'g')))) as text_digest,
        trim(coalesce(text, '')) = '' and trim(coalesce(thinking, '')) = '' as is_blank
    from raw.generations
),

final as (
    select * from stored
    qualify row_number() over (partition by generation_id order by is_error(status), recorded_at desc, text_digest, output_tokens, cost_usd) = 1
)

select * from final
