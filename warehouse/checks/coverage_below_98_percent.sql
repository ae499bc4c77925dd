-- warn: scores with coverage below 98 % are incomplete and unranked; run the same command again to fetch what is missing
select protocol, suite_id, configuration, dimension, round(coverage, 4) as coverage
from marts.dimension_scores
where dataset = 'all' and status = 'incomplete'
order by all
