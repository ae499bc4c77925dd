-- Why generations have no answer: reason by reason, so that a provider's failure and a silent model are told apart.
-- grain: one row per suite, configuration, dataset, status and reason
-- parts: configuration_id
-- columns:
--   n_generations [count]: generations wanted
--   share [share]: of the generations of the configuration and dataset
with

counted as (
    select suite_id, configuration_id, dataset, status, coalesce(reason, 'not_given') as reason, count(*) as n_generations
    from staging.stg_unit_answers
    where status <> 'scored'
    group by all
),

asked as (
    select suite_id, configuration_id, dataset, count(*) as n_asked
    from staging.stg_unit_answers
    group by all
),

final as (
    select counted.*, counted.n_generations / asked.n_asked as share
    from counted
    -- many to one
    inner join asked using (suite_id, configuration_id, dataset)
)

select * from final
