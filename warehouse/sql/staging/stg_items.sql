-- Benchmark items without their long texts. The stratum of the bootstrap is the subject; it falls back to '' where there is none.
-- grain: one row per item
-- columns:
--   stratum [text]: subject within the dataset, '' where the dataset has none
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
        dataset_version,
        recorded_at
    from stored
    qualify row_number() over (partition by item_id order by recorded_at desc, cluster, dataset) = 1
)

select * from final
