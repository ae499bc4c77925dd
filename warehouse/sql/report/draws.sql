-- The first 200 bootstrap draws of each pooled score as Q_w reads them, so that the report can weigh them anew. The same place in two lists is the
-- same draw of items.
-- grain: one row per protocol, suite, configuration and dimension
-- columns:
--   draws [list]: scores in draws 1 to 200; NULL where the draw has none
with

replicates as (
    select * from marts.replicates where dataset = 'all' and replicate between 1 and 200
),

final as (
    select
        replicates.protocol,
        replicates.suite_id,
        replicates.configuration_id,
        replicates.dimension,
        list(
            round(case when estimators.clip_in_quality then unit_interval(replicates.value) else replicates.value end, 4)
            order by replicates.replicate
        ) as draws
    from replicates
    -- many to one or none
    left join seeds.estimators as estimators using (dimension, protocol)
    group by all
)

select * from final
