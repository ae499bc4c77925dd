-- fail: a score is a value, or NULL with a reason
select 'dimension_scores' as relation, protocol, suite_id, configuration_id, dataset, dimension
from marts.dimension_scores
where value is null and reason is null
union all
select 'quality_scores', protocol, suite_id, configuration_id, weight_set, scheme
from marts.quality_scores
where value is null and reason is null
union all
select 'item_scores', protocol, suite_id, configuration_id, item_id, dimension
from marts.item_scores
where value is null and reason is null
