-- warn: scores with coverage below 98 % are incomplete and unranked; the same command again fetches missing answers; token counts that a provider did not send stay away
select protocol, suite_id, configuration, dimension, round(coverage, 4) as coverage
from marts.dimension_scores
where dataset = 'all' and status = 'incomplete'
order by all
