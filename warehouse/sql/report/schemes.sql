-- Weights of every scheme, in the order of the dimensions.
-- grain: one row per weight set, scheme and dimension
with

final as (
    select * from staging.stg_schemes
)

select * from final
