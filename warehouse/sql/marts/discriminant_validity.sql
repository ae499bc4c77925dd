-- Are two dimensions different things? The paper's verdict (|r| < .50) beside one that asks for evidence: the wider of the Fisher interval and the
-- model-clustered bootstrap interval must lie inside (-.50, .50) (`distinct`) or outside (`overlapping`), else `undecided`. Small panels are undecided.
-- grain: one row per protocol, suite and pair of dimensions
-- columns:
--   dimension_a [name]: first dimension
--   dimension_b [name]: second dimension
--   n [count]: configuration x dataset observations
--   n_models [count]: models that the bootstrap resamples
--   bootstrap_low [correlation]: lower end of the model-clustered 95 % interval; NULL under five models
--   bootstrap_high [correlation]: upper end
--   paper_verdict [name]: distinct if |r| < .50, else overlapping
--   verdict [name]: distinct, overlapping or undecided
--   reliability_a [correlation]: reliability of the first dimension
--   reliability_b [correlation]: reliability of the second dimension
--   disattenuated [correlation]: r / sqrt(reliability_a * reliability_b), not clipped; NULL where a reliability is not positive
--   disattenuated_above_1 [boolean]: it passes 1: the reliabilities are too low to correct with
--   item_r [correlation]: averaged within-configuration item-level correlation
--   htmt [ratio]: heterotrait-monotrait ratio
with

bootstrap as (
    select protocol, suite_id, dimension_a, dimension_b, list_sort(list(r)) as sorted
    from marts.correlation_replicates
    group by all
),

intervals as (
    select
        correlations.*,
        case when n_models >= 5 and pearson is not null then sorted_quantile(sorted, coalesce(tails.tail, 0.025)) end as bootstrap_low,
        case when n_models >= 5 and pearson is not null then sorted_quantile(sorted, 1 - coalesce(tails.tail, 0.025)) end as bootstrap_high
    from marts.correlations as correlations
    left join bootstrap using (protocol, suite_id, dimension_a, dimension_b)
    left join seeds.interval_tails as tails on correlations.n_models = tails.n_clusters
),

final as (
    select
        intervals.*,
        case when abs(pearson) < 0.5 then 'distinct' when pearson is not null then 'overlapping' end as paper_verdict,
        case
            when pearson is null then null
            when bootstrap_low is null or fisher_low is null then 'undecided'
            when least(fisher_low, bootstrap_low) > -0.5 and greatest(fisher_high, bootstrap_high) < 0.5 then 'distinct'
            when least(fisher_low, bootstrap_low) > 0.5 or greatest(fisher_high, bootstrap_high) < -0.5 then 'overlapping'
            else 'undecided'
        end as verdict,
        first.reliability as reliability_a,
        second.reliability as reliability_b,
        case when first.reliability > 0 and second.reliability > 0 then pearson / sqrt(first.reliability * second.reliability) end as disattenuated,
        abs(disattenuated) > 1 as disattenuated_above_1,
        items.item_r,
        ratios.htmt,
        case
            when pearson is null and intervals.n < 4 then 'n_below_4'
            when pearson is null then 'constant_column'
            when n_models < 5 then 'under_five_models'
        end as reason
    from intervals
    left join marts.item_correlations as items using (protocol, suite_id, dimension_a, dimension_b)
    left join marts.htmt as ratios using (protocol, suite_id, dimension_a, dimension_b)
    left join marts.reliability as first
        on intervals.protocol = first.protocol and intervals.suite_id = first.suite_id and intervals.dimension_a = first.dimension
    left join marts.reliability as second
        on intervals.protocol = second.protocol and intervals.suite_id = second.suite_id and intervals.dimension_b = second.dimension
)

select * from final
