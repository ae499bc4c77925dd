-- Pearson correlation of every pair of dimensions in every replicate that resamples whole models (all datasets of a model together).
-- grain: one row per protocol, suite, pair of dimensions and replicate with a defined correlation
-- columns:
--   dimension_a [name]: first dimension
--   dimension_b [name]: second dimension
--   r [correlation]: Pearson r
with

pairs as (
    select * from marts.panel_pairs
),

weights as (
    select
        models.model_version_id,
        draws.replicate::integer as replicate,
        poisson_weight(hash_uniform('model' || chr(31) || models.model_version_id || chr(31) || draws.replicate)) as weight
    from (select distinct model_version_id from pairs) as models
    cross join range(1, replicate_count() + 1) as draws (replicate)
),

final as (
    select
        pairs.protocol,
        pairs.suite_id,
        pairs.dimension_a,
        pairs.dimension_b,
        weights.replicate,
        correlation(sum(weight), sum(weight * a), sum(weight * b), sum(weight * a * a), sum(weight * b * b), sum(weight * a * b)) as r
    from pairs
    -- many to many: every replicate in which the model counts
    inner join weights using (model_version_id)
    where weights.weight > 0
    group by all
    having r is not null
)

select * from final
