-- What each suite asks: K, operators, seed and the token scale, as its newest evaluation states them.
-- grain: one row per suite
with

evaluations as (
    select * from staging.stg_evaluations
),

final as (
    select suite_id, run_name, runs, operators, seed, reference_tokens, started_at, recorded_at
    from evaluations
    qualify row_number() over (partition by suite_id order by recorded_at desc, started_at desc, evaluation_id) = 1
)

select * from final
