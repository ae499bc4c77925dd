-- Poisson bootstrap weights of clusters, shared by every interval, rank and inversion: replicate 0 weighs all clusters 1 (the point value). Weights
-- come from md5 of dataset, cluster and replicate, so that configurations are paired and a rebuild gives the same intervals. Strata (subjects, then
-- datasets, each of ten clusters or more) are fixed: weights are scaled to the stratum's number of clusters. Negative replicates are the split halves
-- that reliability reads: of split s (1 to 100) the halves are -2s and 1 - 2s, each weighing half of a dataset's clusters 1.
-- grain: one row per suite, dataset, cluster and replicate
-- parts: suite_id
-- columns:
--   weight [weight]: how often the cluster counts in the replicate, scaled within its stratum
with

clusters as (
    select suite_id, dataset, cluster, min(stratum) as subject
    from staging.stg_suite_items
    group by all
),

by_subject as (
    select *, count(*) over (partition by suite_id, dataset, subject) >= 10 as is_subject_stratum
    from clusters
),

by_dataset as (
    select
        *,
        count(*) over (partition by suite_id, dataset, is_subject_stratum) >= 10 as is_dataset_stratum
    from by_subject
),

strata as (
    select
        suite_id,
        dataset,
        cluster,
        case
            when is_subject_stratum then dataset || chr(31) || subject
            when is_dataset_stratum then dataset || chr(31)
            else ''
        end as stratum
    from by_dataset
),

drawn as (
    select
        keys.dataset,
        keys.cluster,
        draws.replicate::integer as replicate,
        poisson_weight(hash_uniform(keys.dataset || chr(31) || keys.cluster || chr(31) || draws.replicate)) as weight
    from (select distinct dataset, cluster from clusters) as keys
    cross join range(1, replicate_count() + 1) as draws (replicate)
),

scaled as (
    select
        strata.suite_id,
        drawn.dataset,
        drawn.cluster,
        drawn.replicate,
        drawn.weight,
        count(*) over of_stratum / nullif(sum(drawn.weight) over of_stratum, 0)::double as scale
    from strata
    -- one to many: every replicate
    inner join drawn using (dataset, cluster)
    window of_stratum as (partition by strata.suite_id, strata.stratum, drawn.replicate)
),

halves as (
    select
        suite_id,
        dataset,
        cluster,
        -2 * splits.split + (row_number() over (
            partition by suite_id, dataset, splits.split
            order by hash_uniform('split' || chr(31) || dataset || chr(31) || cluster || chr(31) || splits.split), cluster
        )) % 2 as half,
        splits.split
    from strata
    cross join range(1, 101) as splits (split)
),

final as (
    select suite_id, dataset, cluster, 0 as replicate, 1.0::double as weight from strata
    union all
    select suite_id, dataset, cluster, half::integer as replicate, 1.0::double as weight from halves
    union all
    select suite_id, dataset, cluster, (-4 * split + 1 - half)::integer as replicate, 0.0::double as weight from halves
    union all
    select suite_id, dataset, cluster, replicate, (weight * coalesce(scale, 0))::double as weight from scaled
)

select * from final
