-- How strongly two dimensions go together over configuration x dataset observations: Pearson, Spearman, and Pearson with correctness held constant.
-- grain: one row per protocol, suite and pair of dimensions
-- columns:
--   dimension_a [name]: first dimension
--   dimension_b [name]: second dimension
--   n [count]: observations
--   n_models [count]: models among them
--   pearson [correlation]: Pearson r; NULL for a constant column or under four observations
--   pearson_p [probability]: its two-sided p
--   fisher_low [correlation]: lower end of its 95 % Fisher interval
--   fisher_high [correlation]: upper end
--   spearman [correlation]: Spearman rho, ties share ranks
--   spearman_p [probability]: its two-sided p (Student's t)
--   partial [correlation]: Pearson r given correctness; NULL for pairs with correctness or under five observations
--   partial_p [probability]: its two-sided p
--   partial_low [correlation]: lower end of its 95 % Fisher interval
--   partial_high [correlation]: upper end
with

ranked as (
    select
        *,
        rank() over (of_pair order by a) + (count(*) over (partition by protocol, suite_id, dimension_a, dimension_b, a) - 1) / 2 as rank_a,
        rank() over (of_pair order by b) + (count(*) over (partition by protocol, suite_id, dimension_a, dimension_b, b) - 1) / 2 as rank_b,
        a - avg(a) over of_pair as da,
        b - avg(b) over of_pair as db
    from marts.panel_pairs
    window of_pair as (partition by protocol, suite_id, dimension_a, dimension_b)
),

held as (
    select
        protocol,
        suite_id,
        dimension_a,
        dimension_b,
        count(*) as n_held,
        correlation(count(*), sum(da), sum(db), sum(da * da), sum(db * db), sum(da * db)) as r_ab,
        correlation(count(*), sum(da), sum(dc), sum(da * da), sum(dc * dc), sum(da * dc)) as r_ac,
        correlation(count(*), sum(db), sum(dc), sum(db * db), sum(dc * dc), sum(db * dc)) as r_bc
    from (select *, correctness - avg(correctness) over (partition by protocol, suite_id, dimension_a, dimension_b) as dc from ranked)
    where dc is not null and dimension_a <> 'correctness'
    group by all
),

plain as (
    select
        protocol,
        suite_id,
        dimension_a,
        dimension_b,
        count(*) as n,
        count(distinct model_version_id) as n_models,
        case when count(*) >= 4 then correlation(count(*), sum(da), sum(db), sum(da * da), sum(db * db), sum(da * db)) end as pearson,
        case when count(*) >= 4
            then correlation(count(*), sum(rank_a), sum(rank_b), sum(rank_a * rank_a), sum(rank_b * rank_b), sum(rank_a * rank_b))
        end as spearman
    from ranked
    group by all
),

final as (
    select
        pairs.*,
        coalesce(plain.n, 0) as n,
        coalesce(plain.n_models, 0) as n_models,
        plain.pearson,
        correlation_p(plain.pearson, plain.n - 2) as pearson_p,
        fisher_low(plain.pearson, plain.n) as fisher_low,
        fisher_high(plain.pearson, plain.n) as fisher_high,
        plain.spearman,
        correlation_p(plain.spearman, plain.n - 2) as spearman_p,
        case when n_held >= 5 and abs(r_ac) < 1 - 1e-12 and abs(r_bc) < 1 - 1e-12
            then (r_ab - r_ac * r_bc) / sqrt((1 - r_ac * r_ac) * (1 - r_bc * r_bc))
        end as partial,
        correlation_p(partial, n_held - 3) as partial_p,
        fisher_low(partial, n_held - 1) as partial_low,
        fisher_high(partial, n_held - 1) as partial_high
    from marts.dimension_pairs as pairs
    left join plain using (protocol, suite_id, dimension_a, dimension_b)
    left join held using (protocol, suite_id, dimension_a, dimension_b)
)

select * from final
