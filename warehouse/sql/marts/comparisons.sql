-- Candidate against baseline in every dimension, paired by item, with Holm's correction over the dimensions. Verdict in this order: regressed,
-- improved, equivalent (90 % interval inside the margin), undecided. Primary-run correctness is tested by McNemar's exact test.
-- grain: one row per protocol, suite, ordered pair of configurations and dimension, pooled over datasets
-- columns:
--   configuration_id_a [digest]: baseline
--   configuration_id_b [digest]: candidate
--   value_a [score]: score of the baseline
--   value_b [score]: score of the candidate
--   difference [score]: candidate minus baseline
--   ci90_low [score]: lower end of the 90 % interval
--   ci90_high [score]: upper end of the 90 % interval
--   n_shared [count]: items both have a value for
--   n_lost [count]: items right for the baseline only (primary run)
--   n_won [count]: items right for the candidate only (primary run)
--   p [probability]: two-sided p of no difference
--   p_holm [probability]: p after Holm's correction over the dimensions
--   minimal_detectable [score]: difference found with 80 % power at this n
--   verdict [name]: regressed, improved, equivalent or undecided
with

dimensions as (
    select distinct protocol, suite_id, dimension from marts.unit_counts
),

configurations as (
    select suite_id, configuration_id from marts.compared_configurations
),

-- every pair has all dimensions, so that a missing one is seen and fails a gate
pairs as (
    select dimensions.*, first.configuration_id as configuration_id_a, second.configuration_id as configuration_id_b
    from dimensions
    inner join configurations as first using (suite_id)
    inner join configurations as second using (suite_id)
    where first.configuration_id <> second.configuration_id
),

tested as (
    select
        pairs.*,
        differences.* exclude (protocol, suite_id, configuration_id_a, configuration_id_b, dataset, dimension),
        shared.n_shared,
        shared.n_lost,
        shared.n_won,
        case when shared.n_lost is not null and p_bootstrap is not null then mcnemar_exact(shared.n_lost, shared.n_won) else p_bootstrap end as p
    from pairs
    left join marts.shared_items as shared using (protocol, suite_id, configuration_id_a, configuration_id_b, dimension)
    left join (select * from marts.dimension_differences where dataset = 'all') as differences
        using (protocol, suite_id, configuration_id_a, configuration_id_b, dimension)
),

stepped as (
    select
        *,
        case when p is not null then least(1.0, p * (1 + count(p) over of_pair - row_number() over (of_pair order by p nulls last, dimension))) end as p_step
    from tested
    window of_pair as (partition by protocol, suite_id, configuration_id_a, configuration_id_b)
),

corrected as (
    select
        * exclude (p_step),
        case when p is not null then max(p_step) over (
            partition by protocol, suite_id, configuration_id_a, configuration_id_b
            order by p nulls last, dimension
        ) end as p_holm
    from stepped
),

final as (
    select
        * exclude (p_bootstrap),
        case
            when p_holm < 0.05 and difference < 0 then 'regressed'
            when p_holm < 0.05 and difference > 0 then 'improved'
            when ci90_low > -margin() and ci90_high < margin() then 'equivalent'
            else 'undecided'
        end as verdict,
        case when difference is null then 'dimension_missing' when p is null then 'too_few' end as reason
    from corrected
)

select * from final
