-- warn: all runs of an item gave the same text although the temperature is above 0; where most items do, does the server honour the seed it is sent?
select suite_id, configuration_id, count(*) filter (where is_identical) as n_identical_items, count(*) as n_items
from (
    select units.suite_id, units.configuration_id, units.item_id, count(distinct units.text_digest) = 1 as is_identical
    from staging.stg_units as units
    inner join staging.stg_configurations as configurations using (configuration_id)
    where units.operator = 'original' and not units.is_blank and configurations.temperature > 0
    group by units.suite_id, units.configuration_id, units.item_id
    having count(*) > 1
)
group by suite_id, configuration_id
having bool_or(is_identical)
order by all
