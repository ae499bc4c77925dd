-- Pairs of configurations whose order differs between two schemes. `supported` only where the evidence is at least 95 % sure of both orders.
-- grain: one row per protocol, weight set, suite, inverted pair of configurations and pair of schemes
-- columns:
--   scheme_a [name]: scheme under which the first configuration is above
--   scheme_b [name]: scheme under which the second configuration is above
--   configuration_id_a [digest]: first configuration
--   configuration_id_b [digest]: second configuration
--   difference_a [score]: Q_w of the first minus the second under scheme_a (positive)
--   difference_b [score]: the same under scheme_b (negative)
--   p_first_above [probability]: P(first above second) under scheme_a
--   p_second_above [probability]: P(second above first) under scheme_b
--   supported [boolean]: both probabilities are at least 0.95
with

preferences as (
    select * from marts.pairwise_preferences
),

final as (
    select
        above.protocol,
        above.weight_set,
        above.suite_id,
        above.configuration_id_a,
        above.configuration_id_b,
        above.scheme as scheme_a,
        below.scheme as scheme_b,
        above.difference as difference_a,
        below.difference as difference_b,
        above.p_above as p_first_above,
        1 - below.p_above as p_second_above,
        above.p_above >= 0.95 and below.p_above <= 0.05 as supported
    from preferences as above
    -- many to many: the same pair under every other scheme of the weight set
    inner join preferences as below
        on above.protocol = below.protocol
        and above.weight_set = below.weight_set
        and above.suite_id = below.suite_id
        and above.configuration_id_a = below.configuration_id_a
        and above.configuration_id_b = below.configuration_id_b
        and above.scheme < below.scheme
    where above.difference > 0 and below.difference < 0
)

select * from final
