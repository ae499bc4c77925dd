-- Weighting schemes: the seeds' two weight sets and the users' own.
-- grain: one row per weight set, scheme and dimension
with

seeded as (
    select weight_set, scheme, dimension, weight from seeds.weighting_schemes
),

stored as (
    select weight_set, scheme, dimension, weight from raw.schemes
    qualify row_number() over (partition by weight_set, scheme, dimension order by recorded_at desc, weight) = 1
),

final as (
    select weight_set, scheme, dimension, weight::double as weight from seeded
    union all
    select stored.weight_set, stored.scheme, stored.dimension, stored.weight
    from stored
    anti join seeded using (weight_set, scheme)
)

select * from final
