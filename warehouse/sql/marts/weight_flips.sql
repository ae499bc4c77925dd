-- The smallest change of a scheme's weights that makes its two best configurations equal: weight moves from the dimensions where the first leads most to
-- the one where it leads least, until the lead is gone (the optimum of a linear programme in L1). NULL where the first leads in every dimension.
-- grain: one row per protocol, weight set, scheme and suite with two ranked configurations or more
-- columns:
--   configuration_id_a [digest]: best configuration
--   configuration_id_b [digest]: second best
--   difference [score]: Q_w of the best minus the second
--   l1_change [weight]: least sum of absolute changes of the weights that closes the difference; half of it moves
--   receiver [name]: dimension that gains the weight
with

top as (
    select protocol, weight_set, scheme, suite_id, configuration_id, value, row_number() over (
        partition by protocol, weight_set, scheme, suite_id
        order by value desc, configuration_id
    ) as place
    from marts.rankings
    where status = 'ranked'
),

pairs as (
    select
        protocol,
        weight_set,
        scheme,
        suite_id,
        max(configuration_id) filter (where place = 1) as configuration_id_a,
        max(configuration_id) filter (where place = 2) as configuration_id_b,
        max(value) filter (where place = 1) - max(value) filter (where place = 2) as difference
    from top
    where place <= 2
    group by all
    having count(*) = 2
),

scores as (
    select
        scores.protocol,
        scores.suite_id,
        scores.configuration_id,
        scores.dimension,
        case when estimators.clip_in_quality then unit_interval(scores.value) else scores.value end as value
    from marts.dimension_scores as scores
    left join seeds.estimators as estimators using (dimension, protocol)
    where scores.dataset = 'all' and scores.value is not null
),

leads as (
    select pairs.*, first.dimension, coalesce(schemes.weight, 0) as weight, first.value - second.value as lead
    from pairs
    inner join scores as first
        on pairs.protocol = first.protocol and pairs.suite_id = first.suite_id and pairs.configuration_id_a = first.configuration_id
    inner join scores as second
        on pairs.protocol = second.protocol and pairs.suite_id = second.suite_id and pairs.configuration_id_b = second.configuration_id
        and first.dimension = second.dimension
    left join staging.stg_schemes as schemes
        on pairs.weight_set = schemes.weight_set and pairs.scheme = schemes.scheme and first.dimension = schemes.dimension
),

gains as (
    select
        *,
        min(lead) over of_pair as least_lead,
        arg_min(dimension, row(round(lead, 12), dimension)) over of_pair as receiver,
        lead - min(lead) over of_pair as gain
    from leads
    window of_pair as (partition by protocol, weight_set, scheme, suite_id)
),

-- greedy: the steepest dimension gives first, each at most its whole weight
taken as (
    select
        *,
        coalesce(sum(weight * gain) over (
            partition by protocol, weight_set, scheme, suite_id
            order by gain desc, dimension
            rows between unbounded preceding and 1 preceding
        ), 0) as closed_before
    from gains
),

final as (
    select
        protocol,
        weight_set,
        scheme,
        suite_id,
        configuration_id_a,
        configuration_id_b,
        any_value(difference) as difference,
        case
            when any_value(least_lead) < 1e-12 or any_value(difference) < 1e-12
                then 2 * sum(case when gain > 0 then least(weight, greatest(0, difference - closed_before) / gain) else 0 end)
        end as l1_change,
        case when any_value(least_lead) < 1e-12 then any_value(receiver) end as receiver,
        case when any_value(least_lead) >= 1e-12 and any_value(difference) >= 1e-12 then 'leads_everywhere' end as reason
    from taken
    group by all
)

select * from final
