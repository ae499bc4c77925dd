-- What to do about a profile: rules from seeds.diagnosis_rules. A rule fires only where the interval of each of its dimensions clears the cut.
-- grain: one row per suite, configuration, dataset ('all' pooled) and rule that fired
-- parts: configuration_id
-- columns:
--   rule [name]: rule
--   diagnosis [text]: what the profile says
--   advice [text]: what to do about it
--   evidence [text]: the scores, intervals and cuts behind it
with

rules as (
    select *, count(*) over (partition by rule) as n_conditions from seeds.diagnosis_rules
),

met as (
    select
        scores.suite_id,
        scores.configuration_id,
        scores.configuration,
        scores.dataset,
        rules.rule,
        rules.n_conditions,
        rules.diagnosis,
        rules.advice,
        format(
            '{} {} {:.3f} [{:.3f}, {:.3f}] {} {}',
            rules.protocol, rules.dimension, scores.value, scores.ci_low, scores.ci_high, case rules.side when 'low' then '<' else '>' end, rules.cut
        ) as evidence
    from rules
    -- one to many: every score the condition reads
    inner join marts.dimension_scores as scores using (protocol, dimension)
    where scores.status = 'scored'
        and case rules.side when 'low' then scores.ci_high < rules.cut else scores.ci_low > rules.cut end
),

final as (
    select
        suite_id,
        configuration_id,
        configuration,
        dataset,
        rule,
        diagnosis,
        advice,
        string_agg(evidence, '; ' order by evidence) as evidence
    from met
    group by suite_id, configuration_id, configuration, dataset, rule, diagnosis, advice, n_conditions
    having count(*) = n_conditions
)

select * from final
