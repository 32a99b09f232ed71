-- concat_ws is '' where all is null, as in the new row of a deletion, so that the old one was never asked.
update event_sources set id_expression = format('nullif(%s, '''')', id_expression) where id_expression like 'concat_ws(%';

select event_triggers();
