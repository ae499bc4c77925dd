-- Configurations in order of Q_w under every weighting scheme, with how sure the order is.
-- grain: one row per protocol, weight set, scheme, suite and configuration
with

final as (
    select * from marts.rankings
)

select * from final
