-- The observations behind the validity statistics: complete scores of each configuration on each dataset. Incomplete ones stay out.
-- grain: one row per protocol, suite, configuration, dataset and dimension
with

final as (
    select protocol, suite_id, configuration_id, model_version_id, dataset, dimension, value
    from marts.dimension_scores
    where dataset <> 'all' and status = 'scored'
)

select * from final
