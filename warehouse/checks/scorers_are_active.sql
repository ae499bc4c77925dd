-- warn: a suite without an active scorer for a stage has no value in the dimensions that read it
with

-- an evaluation that states no dimensions wants all
wanted as (
    select distinct
        suite_id,
        unnest(coalesce(
            from_json(run_file -> '$.suite.dimensions', '["varchar"]'),
            ['correctness', 'consistency', 'robustness', 'coherence', 'efficiency', 'stability']
        )) as dimension
    from raw.evaluations
),

stages as (
    select
        suite_id,
        unnest(case dimension
            when 'coherence' then ['traces', 'step_pairs', 'equations']
            when 'stability' then ['trace_pairs']
            else ['answers']
        end) as stage
    from wanted
),

final as (
    select distinct suite_id, stage from stages
    anti join staging.stg_active_scorers using (suite_id, stage)
)

select * from final
order by all
