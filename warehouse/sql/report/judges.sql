-- How far each judge can be trusted, and which suites read it.
-- grain: one row per scorer fingerprint, pair set, role and alteration ('all' pooled)
-- columns:
--   suites [list]: suites whose coherence reads this judge
with

readers as (
    select judge as scorer, list_sort(list(distinct suite_id)) as suites
    from staging.stg_judge_rates
    group by judge
),

final as (
    select cards.*, readers.suites
    from marts.judge_cards as cards
    left join readers using (scorer)
)

select * from final
