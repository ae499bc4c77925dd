-- Benchmark items without their long texts. The stratum of the bootstrap is the subject; it falls back to '' where there is none.
-- grain: one row per item
-- columns:
--   stratum [text]: subject within the dataset, '' where the dataset has none
--   magnitude [digits]: integer digits of the largest number written in figures in the question; 0 where there is none
with

stored as (
    select * from raw.items
),

final as (
    select
        item_id,
        dataset,
        source_id,
        answer_type,
        gold,
        subject,
        cluster,
        coalesce(subject, '') as stratum,
        coalesce(list_max([
            greatest(1, length(ltrim(replace(figure, ',', ''), '0')))
            for figure in regexp_extract_all(question, '(\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?', 1)
        ]), 0)::integer as magnitude,
        dataset_version,
        recorded_at
    from stored
    qualify row_number() over (partition by item_id order by recorded_at desc, cluster, dataset) = 1
)

select * from final
