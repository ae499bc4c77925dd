-- The six scores as published, with everything needed to judge them.
-- grain: one row per protocol, suite, configuration, dataset ('all' pooled) and dimension
with

final as (
    select * from marts.dimension_scores
)

select * from final
