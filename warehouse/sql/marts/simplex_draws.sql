-- Seeded uniform draws from the simplex of weights (Dirichlet with all parameters 1): 10,000 ways to weigh the dimensions without preferring any.
-- grain: one row per draw and dimension
-- columns:
--   draw [index]: draw, from 1
with

dimensions as (
    select distinct dimension from marts.unit_counts
),

exponentials as (
    select draws.draw, dimensions.dimension, -ln(1 - hash_uniform('simplex' || chr(31) || dimensions.dimension || chr(31) || draws.draw)) as mass
    from dimensions
    cross join range(1, 10001) as draws (draw)
),

final as (
    select draw, dimension, mass / sum(mass) over (partition by draw) as weight
    from exponentials
)

select * from final
