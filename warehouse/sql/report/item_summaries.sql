-- What each item did under each configuration, in one line: what the item list of the report filters and sorts by.
-- grain: one row per suite, configuration and item
-- columns:
--   run_marks [text]: one letter a run, in order: c correct, w wrong, u unparsed, e empty, t truncated, x error
--   reworded_marks [text]: the same for the rewordings asked, by operator name
--   agreement [share]: pairwise agreement of the runs' answers
--   n_contradictions [count]: steps judged contradicting, over all runs
--   n_false [count]: equations that do not hold, over all runs
--   max_steps [count]: steps of the longest trace
--   mean_tokens [tokens]: output tokens of a run, mean
--   similarity [BERTScore]: mean F1 of the runs' traces
--   answers [text]: distinct canonical answers of the runs
with

units as (
    select
        *,
        case status
            when 'scored' then case when is_correct then 'c' else 'w' end
            when 'unparsed' then 'u'
            when 'empty' then 'e'
            when 'truncated' then 't'
            else 'x'
        end as mark
    from staging.stg_unit_answers
),

scores as (
    select
        suite_id,
        configuration_id,
        item_id,
        max(value) filter (where dimension = 'consistency') as agreement,
        max(value) filter (where dimension = 'stability') as similarity
    from marts.item_scores
    where protocol = 'paper' and dimension in ('consistency', 'stability')
    group by all
),

traces as (
    select
        suite_id,
        configuration_id,
        item_id,
        sum(n_contradictions)::bigint as n_contradictions,
        sum(n_false)::bigint as n_false,
        max(n_steps)::bigint as max_steps
    from staging.stg_unit_traces
    group by all
),

marked as (
    select
        suite_id,
        configuration_id,
        item_id,
        any_value(dataset) as dataset,
        string_agg(mark, '' order by run_index) filter (where operator = 'original') as run_marks,
        string_agg(mark, '' order by operator) filter (where operator <> 'original') as reworded_marks,
        avg(output_tokens) filter (where operator = 'original') as mean_tokens,
        string_agg(distinct answer, ' | ' order by answer) filter (where operator = 'original') as answers
    from units
    group by all
),

final as (
    select
        marked.*,
        round(scores.agreement, 4) as agreement,
        round(scores.similarity, 4) as similarity,
        traces.n_contradictions,
        traces.n_false,
        traces.max_steps
    from marked
    -- one to one or none
    left join scores using (suite_id, configuration_id, item_id)
    left join traces using (suite_id, configuration_id, item_id)
)

select * from final
