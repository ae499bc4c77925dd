-- The first 200 bootstrap draws of each pooled score as Q_w reads them, so that the report can weigh them anew. The same place in two lists is the
-- same draw of items.
-- grain: one row per protocol, suite, configuration and dimension
-- columns:
--   point [score]: the published score, as Q_w reads it
--   draws [list]: scores in draws 1 to 200; NULL where the draw has none
with

replicates as (
    select * from marts.replicates where dataset = 'all' and replicate between 0 and 200
),

read as (
    select
        replicates.* exclude (value),
        case when estimators.clip_in_quality then unit_interval(replicates.value) else replicates.value end as value
    from replicates
    -- many to one or none
    left join seeds.estimators as estimators using (dimension, protocol)
),

final as (
    select
        protocol,
        suite_id,
        configuration_id,
        dimension,
        max(value) filter (where replicate = 0) as point,
        list(round(value, 4) order by replicate) filter (where replicate > 0) as draws
    from read
    group by all
)

select * from final
